/** Secrets in rows that the root secret wraps: they are wrapped anew under another one. */
import {
  getClientSecretPurpose,
  getCodesPurpose,
  isPlain,
  unwrapKey,
  wrapKey,
} from '../../crypto/wrap.ts'
import type { ClientId, OwnerId, Random } from '../../model/ids.ts'
import type { FactId, Store } from '../../store/store.ts'
import { keyLimits } from './kinds.ts'

interface WrappedRow<Id> {
  readonly id: Id
  readonly secret: string
}

export interface WrappedRows<Id extends string> {
  /** Noted once nothing lies in clear any more. */
  readonly fact: FactId
  /** Told at the start where some lay in clear, or do not open. */
  readonly wrapped: string
  readonly lost: string
  purposeOf(id: Id): string
  list(
    store: Store,
    after: string | null,
  ): Promise<{ readonly rows: readonly WrappedRow<Id>[]; readonly next: string | null }>
  /** Replaces those that are still as they were; answers how many. */
  rewrap(
    store: Store,
    changes: readonly (WrappedRow<Id> & { readonly from: string })[],
  ): Promise<number>
}

export const oneTimeCodes: WrappedRows<OwnerId> = {
  fact: 'one-time codes',
  wrapped:
    'secrets of one-time codes lay in the database in clear, and are wrapped now: whoever read it before knows them',
  lost: "secrets of one-time codes are wrapped under another root secret. Give that as LATCHKEY_PREVIOUS_SECRET and run latchkey key rewrap, or reset their owners' factors",
  purposeOf: getCodesPurpose,
  async list(store, after) {
    const { rows, next } = await store.listOneTimeCodes(after, keyLimits.rewrapRows)
    return { rows: rows.map(({ ownerId: id, secret }) => ({ id, secret })), next }
  },
  rewrap: (store, changes) =>
    store.rewrapOneTimeCodes(changes.map(({ id: ownerId, ...change }) => ({ ownerId, ...change }))),
}

export const clientSecrets: WrappedRows<ClientId> = {
  fact: 'client secrets',
  wrapped:
    'secrets for client_secret_jwt lay in the database in clear, and are wrapped now: whoever read it before knows them',
  lost: 'secrets for client_secret_jwt are wrapped under another root secret. Give that as LATCHKEY_PREVIOUS_SECRET and run latchkey key rewrap, or give the clients new secrets',
  purposeOf: getClientSecretPurpose,
  async list(store, after) {
    const { rows, next } = await store.listClientSecrets(after, keyLimits.rewrapRows)
    return {
      rows: rows.flatMap(({ clientId: id, secrets }) => secrets.map((secret) => ({ id, secret }))),
      next,
    }
  },
  rewrap: (store, changes) =>
    store.rewrapClientSecrets(
      changes.map(({ id: clientId, ...change }) => ({ clientId, ...change })),
    ),
}

export interface Moved {
  readonly moved: number
  /** Wrapped under a secret that is not known here. */
  readonly lost: number
}

/** Opens under any of the secrets; what lies in clear needs none. */
const open = (wrapped: string, known: readonly string[], purpose: string): Uint8Array | null => {
  if (isPlain(wrapped)) return unwrapKey(wrapped, null, purpose)
  for (const secret of known) {
    const bytes = unwrapKey(wrapped, secret, purpose)
    if (bytes !== null) return bytes
  }
  return null
}

/**
 * Wraps under one secret whatever is not. The rewrap may be broken off and done again at any point.
 *
 * @param known all secrets that something may be wrapped under
 */
export const wrapRows = async <Id extends string>(
  { list, rewrap, purposeOf }: WrappedRows<Id>,
  { store, random }: { readonly store: Store; readonly random: Random },
  secret: string,
  known: readonly string[],
): Promise<Moved> => {
  let after: string | null = null
  let moved = 0
  let lost = 0
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(store, after)
    const changes: (WrappedRow<Id> & { readonly from: string })[] = []
    for (const { id, secret: from } of page.rows) {
      const purpose = purposeOf(id)
      if (unwrapKey(from, secret, purpose) !== null) continue
      const bytes = open(from, known, purpose)
      if (bytes === null) lost++
      else changes.push({ id, from, secret: wrapKey(bytes, secret, random(12), purpose) })
    }
    if (changes.length > 0) moved += await rewrap(store, changes)
    after = page.next
  } while (after !== null)
  return { moved, lost }
}
