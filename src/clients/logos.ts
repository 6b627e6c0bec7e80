/**
 * Pictures of clients (`logo_uri`, RFC 7591 section 2). This service fetches, keeps and serves them, so
 * that the browsers of owners never ask the client's site. Only for clients of the operator and for
 * metadata documents, whose host is shown beside the picture. A picture can claim to be anybody.
 */
import { hashText } from '../crypto/digest.ts'
import type { Client } from '../model/client.ts'
import type { ClientId, Clock } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import { type ClientLogo, detectPictureType } from '../model/picture.ts'
import { findLogoUri } from '../protocol/web-uri.ts'
import type { Store } from '../store/store.ts'
import { clientLimits } from './limits.ts'
import type { WaysOut } from './site-fetch.ts'

const { bytes: mostBytes, days, retrySeconds, waiting: mostWaiting, atOnce } = clientLimits.logo

interface Wanted {
  readonly clientId: ClientId
  readonly uri: string
  readonly registeredBy: Client['registeredBy']
}

const accept = { Accept: 'image/png, image/jpeg, image/gif, image/webp' }

interface LogoParts {
  readonly store: Store
  readonly clock: Clock
  readonly tell: Tell
  readonly ways: WaysOut
}

const fetchOne = async (
  { clientId, uri, registeredBy }: Wanted,
  at: number,
  { store, ways }: LogoParts,
): Promise<{ readonly reason: string; readonly detail: string } | null> => {
  const request = { url: uri, headers: accept, mostBytes, redirects: 'same-origin' } as const
  const answer = await ways[registeredBy].outbound.fetch(request)
  if (answer.outcome === 'failed') return answer
  if (answer.status !== 200) return { reason: 'bad_status', detail: String(answer.status) }
  const type = detectPictureType(answer.body)
  if (type === null) return { reason: 'no_picture', detail: '' }
  const content = Buffer.from(answer.body).toString('base64')
  const version = hashText(content).slice(0, 22)
  await store.keepClientLogo({ clientId, uri, type, version, content, fetchedAt: at })
  return null
}

const createQueue = (given: LogoParts) => {
  const wanted = new Map<ClientId, Wanted>()
  /** Failures and their times, in order. */
  const failures = new Map<ClientId, { readonly uri: string; readonly at: number }>()
  let isUnderWay = false
  const now = (): number => Math.floor(given.clock() / 1000)

  const noteFailure = ({ clientId, uri }: Wanted, at: number): void => {
    failures.delete(clientId)
    failures.set(clientId, { uri, at })
    const [oldest] = failures.keys()
    if (failures.size > mostWaiting && oldest !== undefined) failures.delete(oldest)
  }

  const want = (client: Client): void => {
    const uri = findLogoUri(client)
    if (uri === null || wanted.get(client.id)?.uri === uri) return
    if (wanted.size >= mostWaiting) return
    const failure = failures.get(client.id)
    if (failure?.uri === uri && now() - failure.at < retrySeconds) return
    wanted.set(client.id, { clientId: client.id, uri, registeredBy: client.registeredBy })
  }

  const take = async (one: Wanted): Promise<void> => {
    const { clientId } = one
    const at = now()
    const fault = await fetchOne(one, at, given).catch((thrown: unknown) => ({
      reason: 'not_kept',
      detail: String(thrown),
    }))
    if (fault === null) return
    noteFailure(one, at)
    const { reason, detail } = fault
    const message = 'the logo of a client is missing'
    given.tell({ level: 'warn', message, clientId, reason, detail })
  }

  return {
    want,
    async fetchWanted(): Promise<void> {
      if (isUnderWay) return
      isUnderWay = true
      const some = [...wanted.values()].slice(0, atOnce)
      await Promise.all(some.map(take))
      // Unless another picture of the same client is wanted by now.
      for (const one of some) if (wanted.get(one.clientId) === one) wanted.delete(one.clientId)
      isUnderWay = false
    },
  }
}

/** Strangers have a queue of their own: the logos of the operator's clients do not wait behind theirs. */
export const createLogos = (given: LogoParts) => {
  const queues = { operator: createQueue(given), itself: createQueue(given) }
  const want = (client: Client): void => queues[client.registeredBy].want(client)
  return {
    /** The one to show now. Null: none is kept yet, or none is wanted. Never waits for another site. */
    async find(client: Client, at: number): Promise<ClientLogo | null> {
      const uri = findLogoUri(client)
      if (uri === null) return null
      const kept = await given.store.findClientLogo(client.id)
      const isItsOwn = kept?.uri === uri
      if (!isItsOwn || at - kept.fetchedAt >= days * 24 * 3600) want(client)
      return isItsOwn ? kept : null
    },
    /** Has the picture of a client fetched soon. */
    want,
    /** Fetches what is wanted, a few at once. Never rejects. */
    async fetchWanted(): Promise<void> {
      await Promise.all([queues.operator.fetchWanted(), queues.itself.fetchWanted()])
    },
  }
}

export type Logos = ReturnType<typeof createLogos>
