/**
 * Connections to a directory (RFC 4511). Each serves one question: it is never shared, so nobody
 * acts under the bind of another.
 */
import { isIP } from 'node:net'
import type { Client, Filter } from 'ldapts'
import type { LdapSettings } from '../config/ldap-upstream.ts'
import { httpLimits } from '../http/limits.ts'
import type { Deadline } from '../http/outbound.ts'
import { runForHost } from '../http/outbound-exchange.ts'
import { stripBrackets } from '../model/sector.ts'
import { createSockets } from './directory-sockets.ts'
import { upstreamLimits } from './limits.ts'
import { UpstreamFault } from './upstream.ts'

/** Result codes of a directory that is busy or in trouble (RFC 4511 appendix A). */
const passing: readonly number[] = [3, 51, 52]

/** The result code of an answer; null where no answer came. */
const findResult = (fault: unknown): number | null => {
  const { code } = Object(fault) as { readonly code?: unknown }
  return typeof code === 'number' ? code : null
}

/** Tells codes only: a message of the directory may hold names. */
const faultOf = (fault: unknown): UpstreamFault => {
  if (fault instanceof UpstreamFault) return fault
  const result = findResult(fault)
  if (result !== null) {
    const kind = passing.includes(result) ? 'unreachable' : 'wrong'
    return new UpstreamFault(kind, `directory: result ${result}`)
  }
  const { code } = Object(fault) as { readonly code?: unknown }
  const told = typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : 'no_answer'
  return new UpstreamFault('unreachable', `directory: ${told}`)
}

const listBytes = (value: unknown): readonly Uint8Array[] => {
  if (Array.isArray(value)) return value.flatMap(listBytes)
  if (value instanceof Uint8Array) return [value]
  return typeof value === 'string' ? [Buffer.from(value)] : []
}

/** @param found by ldapts: the directory chooses how it spells the names of attributes */
const makeEntry = ({ dn, ...attributes }: Readonly<Record<string, unknown>>) => ({
  dn: String(dn),
  /** The values of an attribute, in bytes: some ids are no text. */
  values: (attribute: string): readonly Uint8Array[] =>
    Object.entries(attributes)
      .filter(([name]) => name.toLowerCase() === attribute.toLowerCase())
      .flatMap(([, value]) => listBytes(value)),
})

export type DirectoryEntry = ReturnType<typeof makeEntry>

const parseFilter = async (text: string): Promise<Filter> => {
  const { FilterParser } = await import('ldapts')
  try {
    return FilterParser.parseString(text)
  } catch {
    throw new UpstreamFault('wrong', 'directory: the filter of the settings is none')
  }
}

/** What a filter says, and one of some values in an attribute beside it. @throws UpstreamFault */
export const makeFilter = async (
  text: string,
  attribute: string,
  values: readonly Buffer[],
): Promise<Filter> => {
  const { AndFilter, EqualityFilter, OrFilter } = await import('ldapts')
  const filters = values.map((value) => new EqualityFilter({ attribute, value }))
  return new AndFilter({ filters: [await parseFilter(text), new OrFilter({ filters })] })
}

const makeConnection = (client: Client, settings: LdapSettings) => ({
  /** Whether the directory knows this password. */
  async bind(dn: string, password: string): Promise<boolean> {
    // An empty name or password would be an anonymous bind, which proves nothing (RFC 4513 section 5.1).
    if (!dn.includes('=') || password === '') return false
    try {
      await client.bind(dn, password)
      return true
    } catch (fault) {
      const result = findResult(fault)
      if (result === null || passing.includes(result)) throw fault
      return false
    }
  },
  /** At most two entries: more would tell nothing new. */
  async search(filter: string): Promise<readonly DirectoryEntry[]> {
    const { searchEntries } = await client.search(settings.baseDn, {
      filter: await parseFilter(filter),
      scope: 'sub',
      derefAliases: 'never',
      attributes: [...Object.values(settings.attributes), settings.groups?.from ?? []].flat(),
      explicitBufferAttributes: [settings.attributes.id],
      sizeLimit: 2,
      timeLimit: httpLimits.outbound.milliseconds / 1000,
    })
    return searchEntries.map(makeEntry)
  },
  /**
   * All entries. If a request has a limit, ldapts hides that the directory reached its own.
   *
   * @throws UpstreamFault where some may lie in another directory
   */
  async list(filter: Filter, attributes: readonly string[]): Promise<readonly DirectoryEntry[]> {
    const { searchEntries, searchReferences } = await client.search(settings.baseDn, {
      filter,
      scope: 'sub',
      derefAliases: 'never',
      attributes: [settings.attributes.id, ...attributes],
      explicitBufferAttributes: [settings.attributes.id],
      timeLimit: httpLimits.outbound.milliseconds / 1000,
    })
    if (searchReferences.length > 0) throw new UpstreamFault('wrong', 'directory: referral')
    return searchEntries.map(makeEntry)
  },
})

export type DirectoryConnection = ReturnType<typeof makeConnection>

/** Checks certificates, also if the environment turns that off. */
const getTls = ({ url, ca }: LdapSettings) => {
  const host = stripBrackets(new URL(url).hostname)
  return {
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === null ? {} : { ca }),
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2' as const,
  }
}

const openClient = async (
  settings: LdapSettings,
  sockets: ReturnType<typeof createSockets>,
): Promise<Client> => {
  const { Client: LdapClient } = await import('ldapts')
  return new LdapClient({
    url: settings.url,
    timeout: httpLimits.outbound.milliseconds,
    connectTimeout: httpLimits.outbound.milliseconds,
    createConnection: sockets.connect,
    createSecureConnection: sockets.secure,
    ...(settings.url.startsWith('ldaps:') ? { tlsOptions: getTls(settings) } : {}),
  })
}

export const createDirectory = (settings: LdapSettings, deadline: Deadline) => {
  const underWay = new Set<() => void>()
  const { account, startTls } = settings
  const { host } = new URL(settings.url)
  const askOnce = async <Found>(
    work: (connection: DirectoryConnection) => Promise<Found>,
  ): Promise<Found | UpstreamFault> => {
    if (underWay.size >= upstreamLimits.atOncePerHost) {
      return new UpstreamFault('unreachable', 'directory: too_busy')
    }
    const sockets = createSockets()
    underWay.add(sockets.destroy)
    const cancel = deadline(upstreamLimits.answerMilliseconds, sockets.destroy)
    let client: Client | null = null
    try {
      client = await openClient(settings, sockets)
      if (startTls) await client.startTLS(getTls(settings))
      if (account !== null) await client.bind(account.dn, account.password)
      return await work(makeConnection(client, settings))
    } catch (fault) {
      return faultOf(fault)
    } finally {
      cancel()
      underWay.delete(sockets.destroy)
      client?.unbind().catch(() => {})
    }
  }
  return {
    /** @param work with a fresh connection, under the service account where there is one */
    ask: <Found>(work: (connection: DirectoryConnection) => Promise<Found>) =>
      runForHost(host, () => askOnce(work)),
    /** Ends what is under way. */
    close(): void {
      for (const end of underWay) end()
    },
  }
}
