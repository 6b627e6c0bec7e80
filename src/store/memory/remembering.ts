/**
 * A store that remembers what is read again and again. Only for one that nobody else writes to: each
 * step goes through here, so what it may change is forgotten before it begins, and not remembered
 * again before it has ended. A remembered answer is therefore the one that reading would give at the
 * very same moment (decision 0013).
 */
import type { Store } from '../store.ts'
import { rememberAuthorizations } from './authorizations.ts'
import { rememberClients } from './clients.ts'
import { rememberFamilies } from './families.ts'
import { rememberItems } from './items.ts'
import type { Marks } from './marks.ts'
import { watchOwners } from './owners.ts'
import { Standings } from './standings.ts'

/** Nothing that is remembered depends on these. An approval for a visit does, and is not remembered. */
const passOn = (store: Store) => ({
  findSession: store.findSession,
  startSession: store.startSession,
  confirmSession: store.confirmSession,
  endSession: store.endSession,
  listSessions: store.listSessions,
  endSessionOf: store.endSessionOf,
  endOtherSessions: store.endOtherSessions,
  findFactors: store.findFactors,
  findPasskey: store.findPasskey,
  listRecoveryCodes: store.listRecoveryCodes,
  isFinished: store.isFinished,
  finishCeremony: store.finishCeremony,
  addPasskey: store.addPasskey,
  removePasskey: store.removePasskey,
  setPasskeyOnly: store.setPasskeyOnly,
  setOneTimeCodes: store.setOneTimeCodes,
  removeOneTimeCodes: store.removeOneTimeCodes,
  setRecoveryCodes: store.setRecoveryCodes,
  resetFactors: store.resetFactors,
  admitAttempt: store.admitAttempt,
  clearAttempts: store.clearAttempts,
  listKeys: store.listKeys,
  addKey: store.addKey,
  removeKeys: store.removeKeys,
  replaceKeys: store.replaceKeys,
  rewrapKeys: store.rewrapKeys,
  listOneTimeCodes: store.listOneTimeCodes,
  rewrapOneTimeCodes: store.rewrapOneTimeCodes,
  findFact: store.findFact,
  setFact: store.setFact,
  recordUses: store.recordUses,
  listUses: store.listUses,
  countUses: store.countUses,
  appendEvent: store.appendEvent,
  listEvents: store.listEvents,
  isEmpty: store.isEmpty,
  ping: store.ping,
  noteTime: store.noteTime,
  latestTime: store.latestTime,
  readsWait: store.readsWait,
})

/**
 * Every method is named, here or in the files beside: a new step does not compile before it is said
 * what it changes.
 *
 * @param marks once they are stopped, each read goes to the store
 */
export const rememberingStore = (store: Store, marks: Marks): Store => {
  const standings = new Standings(marks)
  return {
    ...passOn(store),
    ...rememberClients(store, marks),
    ...watchOwners(store, marks),
    ...rememberAuthorizations(store, marks, standings),
    ...rememberFamilies(store, marks, standings),
    ...rememberItems(store, marks),
    purge(now, ...args) {
      standings.purge(now)
      return store.purge(now, ...args)
    },
    close() {
      marks.stop()
      return store.close()
    },
  }
}
