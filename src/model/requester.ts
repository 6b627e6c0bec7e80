/** A client as it asks an owner for access, and its changes since an approval. */
import { type Client, isOnItsOwn } from './client.ts'

/** A client as it stands when it asks. */
export interface Requester {
  readonly name: string
  /** Where the answer goes (`getRedirectPlace`); null without a redirect. */
  readonly host: string | null
  /** All that it is registered for, sorted. */
  readonly responseTypes: string
  readonly method: string
}

/** What an approval was given for. The approval answers for no other requester. */
export interface ApprovedFor extends Omit<Requester, 'host'> {
  readonly hosts: readonly string[]
}

/** The changes, each with its old and its new value. */
export type RequesterChange = Readonly<
  Partial<Record<'name' | 'hosts' | 'responseTypes' | 'method', readonly [string, string]>>
>

/** Whether a redirect URI opens a native application by a scheme of its own. */
export const isNativeUri = (uri: string): boolean => !/^https?:/i.test(uri)

/**
 * The target of a redirect for people: the host, or the scheme of a native application. The rest
 * after such a scheme means whatever the application likes.
 */
export const getRedirectHost = (uri: string): string => {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1)
}

/**
 * The same for comparisons. The port of a loopback address is left out, since an application takes whatever
 * is free (RFC 8252 section 7.3).
 */
const getRedirectPlace = (uri: string): string => {
  const { protocol, host, hostname } = new URL(uri)
  if (protocol === 'https:') return host
  return protocol === 'http:' ? hostname : protocol.slice(0, -1)
}

/** What is read of a client. */
type RequestingClient = Pick<
  Client,
  'name' | 'responseTypes' | 'authenticationMethod' | 'redirectUris'
>

const pickParts = (client: RequestingClient): Omit<Requester, 'host'> => ({
  name: client.name,
  responseTypes: client.responseTypes.toSorted().join(' '),
  method: client.authenticationMethod,
})

export const makeRequester = (client: Client, redirectUri: string | null): Requester => ({
  ...pickParts(client),
  host: redirectUri && getRedirectPlace(redirectUri),
})

/** A client with all places that it may send its owners to. */
export const describeRequester = (client: RequestingClient): ApprovedFor => ({
  ...pickParts(client),
  hosts: [...new Set(client.redirectUris.map(getRedirectPlace))].sort(),
})

const isSameClient = (one: Omit<Requester, 'host'>, other: Omit<Requester, 'host'>): boolean =>
  one.name === other.name &&
  one.responseTypes === other.responseTypes &&
  one.method === other.method

/** @param approvedFor null where it is not known: then it holds for nobody */
export const isApprovedFor = (approvedFor: ApprovedFor | null, requester: Requester): boolean =>
  approvedFor !== null &&
  (requester.host === null || approvedFor.hosts.includes(requester.host)) &&
  isSameClient(approvedFor, requester)

/**
 * The requester of an approval after all of it was decided again. Other hosts of the same client
 * stay.
 */
export const mergeApproved = (
  before: ApprovedFor | null,
  { host, ...requester }: Requester,
): ApprovedFor => {
  const others = before !== null && isSameClient(before, requester) ? before.hosts : []
  return { ...requester, hosts: host === null ? others : [...new Set([...others, host])] }
}

/** Where a client sends its owners, as events and pages tell it: so many hosts, and so much of each. */
const hostsTold = 5
export const hostToldCharacters = 300

const formatHosts = (hosts: readonly string[]): string =>
  hosts
    .slice(0, hostsTold)
    .map((host) => host.slice(0, hostToldCharacters))
    .join(' ')

/** Null if an approval for `before` still holds for `now`. */
export const requesterChange = (before: ApprovedFor, now: ApprovedFor): RequesterChange | null => {
  const isElsewhere = now.hosts.some((host) => !before.hosts.includes(host))
  if (!isElsewhere && isSameClient(before, now)) return null
  const changeOfText = (name: 'name' | 'responseTypes' | 'method') =>
    now[name] === before[name] ? {} : { [name]: [before[name], now[name]] as const }
  return {
    ...changeOfText('name'),
    ...(isElsewhere ? { hosts: [formatHosts(before.hosts), formatHosts(now.hosts)] as const } : {}),
    ...changeOfText('responseTypes'),
    ...changeOfText('method'),
  }
}

/**
 * Installations of one application register themselves, each as a client. Equal for clients of the same software id, name and redirect hosts. Every value is only claimed. So a
 * client with a document, or one of the operator, has none: null.
 */
export const getLikeness = (
  client: Pick<Client, 'name' | 'display' | 'document' | 'redirectUris'> &
    Parameters<typeof describeRequester>[0] &
    Parameters<typeof isOnItsOwn>[0],
): string | null => {
  if (!isOnItsOwn(client) || client.document !== undefined) return null
  const { name, hosts } = describeRequester(client)
  return JSON.stringify([client.display.software_id ?? '', name, hosts])
}
