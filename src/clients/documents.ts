/**
 * Clients that are metadata documents. Documents are fetched for authorization requests and stored like
 * registered clients. The rules of HTTP caching say when they are fetched again.
 */
import type { Resources } from '../access/resources.ts'
import type { Settings } from '../config/settings.ts'
import { makeSalt } from '../crypto/digest.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Answered } from '../http/outbound-exchange.ts'
import type { Client } from '../model/client.ts'
import { type ClientId, isDocumentId } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Store } from '../store/store.ts'
import { traceOf } from '../store/trace.ts'
import { makeDocumentClient } from './document.ts'
import { findClient } from './find.ts'
import type { Registrable } from './grant-types.ts'
import { documentLimits as limits } from './limits.ts'
import type { Logos } from './logos.ts'
import { getQuota, type RegistrationParts } from './registration.ts'
import type { Sectors } from './sector.ts'
import {
  copyOf,
  type DocumentFault,
  type FetchAsker,
  fetchFault,
  makeUnusable,
  unreachable,
  type WaysOut,
} from './site-fetch.ts'

type Asker = Pick<Exchange, 'at' | 'address' | 'requestId' | 'caller'> & FetchAsker

export interface FetchParts extends RegistrationParts {
  readonly settings: Settings
  readonly store: Store
  readonly resources: Resources
  readonly logos: Logos
  readonly sectors: Sectors
  readonly tell: Tell
  readonly ways: WaysOut
  readonly registries: Registrable
}

const tooMany = (seconds: number): DocumentFault => ({ is: 'too_many', seconds })

/** Stores a client that was not known. Its place counts like that of a registration by a stranger. */
const create = async (
  client: Client,
  asker: Asker,
  parts: FetchParts,
): Promise<DocumentFault | null> => {
  const quota = getQuota(asker.address, parts)
  const registered = await parts.store.registerClient(client, quota, traceOf(asker, parts))
  switch (registered.outcome) {
    case 'too_many_of_network':
      return tooMany(Math.max(1, registered.until - asker.at))
    case 'too_many':
    case 'too_many_held':
      return tooMany(limits.fullSeconds)
    default:
      // Where it is taken, another node was quicker.
      return null
  }
}

const keep = async (
  client: Client,
  asker: Asker,
  parts: FetchParts,
): Promise<DocumentFault | null> => {
  const { outcome } = await parts.store.keepClientDocument(client, traceOf(asker, parts))
  if (outcome === 'gone') return unreachable
  return outcome === 'too_often' ? makeUnusable('it changes too often for one day') : null
}

/** @throws Refusal with the fault of the document as its description */
const take = async (
  id: ClientId,
  answer: Answered,
  known: Client | null,
  asker: Asker,
  parts: FetchParts,
): Promise<DocumentFault | null> => {
  if (answer.status === 304 && known?.document !== undefined) {
    const document = copyOf(answer.headers, known.document, asker.at)
    return keep({ ...known, document, salt: makeSalt(parts.random) }, asker, parts)
  }
  const client = makeDocumentClient(id, answer, copyOf(answer.headers, null, asker.at), parts)
  await parts.sectors.check(client, known, asker)
  parts.logos.want(client)
  return known === null ? create(client, asker, parts) : keep(client, asker, parts)
}

const fetchDocument = async (
  id: ClientId,
  known: Client | null,
  asker: Asker,
  parts: FetchParts,
): Promise<DocumentFault | null> => {
  const { ways, tell } = parts
  const { requestId } = asker
  const message = 'a client metadata document was not taken'
  const log = (reason: string): void =>
    tell({ level: 'info', message, clientId: id, requestId, reason })
  const etag = known?.document?.etag ?? null
  const headers = {
    Accept: 'application/json',
    ...(etag === null ? {} : { 'If-None-Match': etag }),
  }
  const answer = await ways.itself.outbound.fetch({ url: id, headers, mostBytes: limits.bytes })
  const fault = fetchFault(answer, etag !== null)
  if (fault !== null || answer.outcome === 'failed') {
    log(answer.outcome === 'failed' ? answer.reason : `status_${answer.status}`)
    return fault
  }
  try {
    return await take(id, answer, known, asker, parts)
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    log(thrown.reason)
    return makeUnusable(thrown.description)
  }
}

const badId = makeUnusable(
  'client_id has to be an https URL in its normal form, with a path and without user information, dot segments and fragment',
)

/** Documents that are left alone for a while, since their host did not answer and their copy serves. */
const createRest = () => {
  const until = new Map<ClientId, number>()
  return {
    has: (id: ClientId, at: number): boolean => (until.get(id) ?? 0) > at,
    add(id: ClientId, at: number): void {
      until.delete(id)
      until.set(id, at + limits.retrySeconds)
      const [oldest] = until.keys()
      if (until.size > limits.resting && oldest !== undefined) until.delete(oldest)
    },
  }
}

export const createDocuments = (parts: FetchParts) => {
  const rest = createRest()
  const underWay = new Map<ClientId, Promise<DocumentFault | null>>()

  /** One fetch within the bounds. As long as the copy serves, a missing answer is no fault. */
  const renew = async (
    id: ClientId,
    known: Client | null,
    asker: Asker,
  ): Promise<DocumentFault | null> => {
    const serves = (known?.document?.usableUntil ?? 0) > asker.at
    if (serves && rest.has(id, asker.at)) return null
    const place = parts.ways.itself.bounds.enter(asker)
    if (place.is !== 'entered') return serves ? null : place
    let isDone = false
    try {
      const fault = await fetchDocument(id, known, asker, parts)
      isDone = fault === null
      if (!serves || fault?.is !== 'unreachable') return fault
      rest.add(id, asker.at)
      return null
    } finally {
      place.leave(isDone ? 'done' : 'failed')
    }
  }

  return {
    /**
     * Makes the stored client of a document current. Null where it is, and for every other client id.
     * Fetches at most once at a time for each document.
     */
    async refresh(text: string, asker: Asker): Promise<DocumentFault | null> {
      if (!/^https?:\/\//i.test(text)) return null
      const known = await findClient(text, parts, 'disabled')
      if (known !== null && (known.document === undefined || known.pinned || known.disabled)) {
        return null
      }
      if (parts.settings.registration === 'off') return { is: 'off' }
      if (!isDocumentId(text, parts.settings)) return badId
      if (known?.document !== undefined && asker.at < known.document.freshUntil) return null
      const id = text as ClientId
      const before = underWay.get(id)
      if (before !== undefined) return before
      const renewing = renew(id, known, asker).finally(() => underWay.delete(id))
      underWay.set(id, renewing)
      return renewing
    },
  }
}

export type Documents = ReturnType<typeof createDocuments>
