/** A new chain of seals at the start of a service whose key of seals is lost. */
import type { Vault } from '../../crypto/wrap.ts'
import { type EventId, type Given, makeId } from '../../model/ids.ts'
import type { Tell } from '../../model/notice.ts'
import type { Store } from '../../store/store.ts'
import { makeSealSecret, sealFact } from './key.ts'

interface BegunParts {
  readonly vault: Vault
  /** Reads again which root secret is in force. Throws for an unknown one. */
  learn(): Promise<void>
}

const begunAnew =
  'the key that seals events was lost, or lay in clear: a new chain of seals begins. Nobody can verify the seals from before'

/**
 * Takes a new key for one that no known root secret opens, and for seals without a key. A writer of the
 * database can cause this, but not unseen: an event tells it, and the new key says so.
 */
export const keepSealKey = async (
  { store, ...given }: Given & { readonly store: Store },
  { vault, learn }: BegunParts,
  tell: Tell,
): Promise<void> => {
  const { fact, purpose } = sealFact
  const found = await store.findFact(fact)
  const last = await store.findLastSeal()
  const isKept = found === null ? last === null : vault.unwrap(found, purpose) !== null
  if (isKept) return
  // A rewrap puts a new root secret in force before it wraps this key.
  await learn()
  const at = Math.floor(given.clock() / 1000)
  const made = vault.wrap(await makeSealSecret(at, true), purpose)
  if (!(await store.setFact(fact, found, made))) return
  await store.appendEvent({
    ...{ id: makeId<EventId>(given), at, type: 'seals.begun_anew', requestId: null },
    ...{ clientId: null, ownerId: null, authorizationId: null },
    ...{ actor: { type: 'service' }, details: { lastSeal: last?.number ?? null } },
  })
  tell({ level: 'warn', message: begunAnew })
}
