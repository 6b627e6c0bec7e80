/** One fetch of a metadata document: the answer becomes a stored client, or a fault. */

import type { Resources } from '../access/known-resources.ts'
import type { Settings } from '../config/settings.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Answered } from '../http/outbound-exchange.ts'
import type { Client } from '../model/client.ts'
import type { ClientId, Clock, Random } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Store } from '../store/store.ts'
import { traceOf } from '../store/trace.ts'
import { clientOfDocument } from './document.ts'
import { copyOf } from './document-freshness.ts'
import type { WaysOut } from './fetch-bounds.ts'
import type { Registrable } from './grant-types.ts'
import { documentLimits as limits } from './limits.ts'
import type { Logos } from './logos.ts'
import { quotaFor } from './registration-quota.ts'
import type { Sectors } from './sector.ts'
import {
  type DocumentFault,
  type FetchAsker,
  fetchFault,
  unreachable,
  unusable,
} from './site-fetch.ts'

/** Clients whose id is the URL of a document about them. */
export interface Documents {
  /**
   * Makes the stored client of a document current. Null where it is, and for every other client id.
   * Fetches at most once at a time for each document.
   */
  refresh(
    id: string,
    exchange: Pick<Exchange, 'at' | 'address' | 'requestId' | 'caller'> & FetchAsker,
  ): Promise<DocumentFault | null>
}

/** The request that needs the document. */
export type Asker = Parameters<Documents['refresh']>[1]

export type FetchParts = {
  readonly settings: Settings
  readonly store: Store
  readonly resources: Resources
  readonly clock: Clock
  readonly random: Random
  readonly logos: Logos
  readonly sectors: Sectors
  readonly tell: Tell
} & { readonly ways: WaysOut; readonly registries: Registrable }

const tooMany = (seconds: number): DocumentFault => ({ is: 'too_many', seconds })

/** Stores a client that was not known. Its place counts like that of a registration by a stranger. */
const create = async (
  client: Client,
  asker: Asker,
  parts: FetchParts,
): Promise<DocumentFault | null> => {
  const quota = quotaFor(asker.address, parts)
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
  return outcome === 'too_often' ? unusable('it changes too often for one day') : null
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
    return keep({ ...known, document }, asker, parts)
  }
  const client = clientOfDocument(id, answer, copyOf(answer.headers, null, asker.at), parts)
  await parts.sectors.check(client, known, asker)
  parts.logos.want(client)
  return known === null ? create(client, asker, parts) : keep(client, asker, parts)
}

/** @param known the stored client, to be renewed */
export const fetchDocument = async (
  id: ClientId,
  known: Client | null,
  asker: Asker,
  parts: FetchParts,
): Promise<DocumentFault | null> => {
  const { ways, tell } = parts
  const log = (reason: string): void =>
    tell({
      level: 'info',
      message: 'a client metadata document was not taken',
      clientId: id,
      requestId: asker.requestId,
      reason,
    })
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
    return unusable(thrown.description)
  }
}
