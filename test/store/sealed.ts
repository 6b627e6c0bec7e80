/** Stores with sealed events, for the tests of seals. */
import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { restNever } from '../../src/clock.ts'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { createVault, type Vault } from '../../src/crypto/wrap.ts'
import { findSealKey } from '../../src/events/seals/key.ts'
import { createSealer, sealLimits } from '../../src/events/seals/sealer.ts'
import { type SealQuestion, verifySeals } from '../../src/events/seals/verify.ts'
import type { Event } from '../../src/model/event.ts'
import { createId, type EventId } from '../../src/model/ids.ts'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { newPath } from './folder.ts'

export const secret = 'the root secret of sealed events'
export const vaultOf = (known: string): Vault =>
  createVault({ inForce: () => known, known: [known] }, random)
const vault = vaultOf(secret)
export const hour = sealLimits.segmentSeconds
export const begin = 500_000 * hour
export const settings = { eventSeconds: 400 * 86_400 }

export const idAt = (at: number): EventId => createId(at * 1000, random(10)) as EventId

export const eventAt = (at: number, more: Partial<Event> = {}): Event => ({
  ...{ id: idAt(at), at, type: 'login.succeeded', clientId: null, ownerId: null },
  ...{ authorizationId: null, requestId: null, actor: { type: 'service' }, details: { n: at } },
  ...more,
})

export const sealAll = async (store: Store, at: number, by = vault): Promise<void> => {
  const sealer = createSealer({ store, settings, tell: () => {}, rest: restNever }, by)
  while ((await sealer.sealDue(at)) === 'more');
}

export const verify = async (
  store: Store,
  now: number,
  asked: Partial<SealQuestion> = {},
  by = vault,
) => {
  const key = await findSealKey(store, by)
  const all = { after: null, from: null, to: null, expected: null, ...asked }
  return verifySeals(all, { store, key, now })
}

/** Each problem with its event, or with its seals. */
export const findingsOf = async (store: Store, now: number, by = vault) =>
  (await verify(store, now, {}, by)).findings
    .map(({ problem, seal, lastSeal, event }) =>
      event === undefined ? `${problem} ${seal} ${lastSeal ?? ''}` : `${problem} ${event}`,
    )
    .sort()

export const newSqlite = async (t: TestContext) => {
  const path = newPath(t)
  writeFileSync(`${path}.key`, secret)
  return { path, url: `sqlite:${path}`, store: await openSqliteStore({ path }) }
}

export const change = (path: string, sql: string): void => {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}
