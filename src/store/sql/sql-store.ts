/** The store contract on any SQL engine: each method is one read or one step. */
import { limits } from '../../config/limits.ts'
import type { Store } from '../store.ts'
import * as authorizations from './authorizations.ts'
import { findClientLogo } from './client-logos.ts'
import * as clients from './clients.ts'
import type { Database } from './database.ts'
import { isTokenEnded } from './endings.ts'
import { listEvents } from './events.ts'
import { findFactors, findPasskey, listRecoveryCodes } from './factors.ts'
import { findFact } from './facts.ts'
import { findStanding, isRedeemed } from './families.ts'
import * as items from './items.ts'
import { listKeys, listOneTimeCodes } from './keys.ts'
import * as owners from './owners.ts'
import { listDueRegistrations } from './registrations.ts'
import { findSession, listSessions } from './sessions.ts'
import { latestTime } from './time.ts'
import { isFinished } from './use-factor.ts'
import * as uses from './uses.ts'

/** Authorizations, families and uses are walked through in rounds, a stretch in each step. */
const createPurge = (run: Database['run']): Store['purge'] => {
  const reached = {
    purgeAuthorizations: '',
    purgeFamilies: '',
    purgeOrphanedUses: '',
  }
  return async (now, before, mostRows) => {
    let went = await run('purgeByEnd', now, mostRows)
    went += await run('purgeEvents', before.events, mostRows - went)
    went += await run('purgeUses', now, before.accessLog, mostRows - went)
    for (const name of Object.keys(reached) as (keyof typeof reached)[]) {
      for (let stretch = 0; stretch < limits.purgeStretches && went < mostRows; stretch++) {
        const purged = await run(name, reached[name], now, mostRows - went)
        reached[name] = purged.next ?? ''
        went += purged.went
        if (purged.next === null) break
      }
    }
    return went
  }
}

/** @param node names the rows that only this node writes */
export const createSqlStore = (
  { read, run, readsWait, close }: Database,
  node = 'only',
): Store => ({
  findClient: (id, also) => clients.findClient(read, id, also),
  listClients: (after, limit) => clients.listClients(read, after, limit),
  findClientLogo: (clientId) => findClientLogo(read, clientId),
  keepClientLogo: (logo) => run('keepClientLogo', logo),
  createClient: (client, trace) => run('createClient', client, trace),
  changeClient: (id, change, trace) => run('changeClient', id, change, trace),
  endClientTokens: (id, salts, trace) => run('endClientTokens', id, salts, trace),
  changeOwnClient: (...args) => run('changeOwnClient', ...args),
  deleteClient: (id, trace) => run('deleteClient', id, trace),
  deleteOwnClient: (...args) => run('deleteOwnClient', ...args),
  registerClient: (...args) => run('registerClient', ...args),
  noteClientUse: (id, at) => run('noteClientUse', id, at),
  listDueRegistrations: (now, limit) => listDueRegistrations(read, now, limit),
  postponeRegistration: (id, until) => run('postponeRegistration', id, until),
  removeIdleClient: (id, trace) => run('removeIdleClient', id, trace),

  findOwner: (id, also) => owners.findOwner(read, id, also),
  findOwnerByName: (username) => owners.findOwnerByName(read, username),
  listOwners: (after, limit) => owners.listOwners(read, after, limit),
  createOwner: (owner, trace) => run('createOwner', owner, trace),
  changeOwner: (id, change, trace) => run('changeOwner', id, change, trace),
  changePassword: (id, password, by, trace) => run('changePassword', id, password, by, trace),
  deleteOwner: (id, trace) => run('deleteOwner', id, trace),

  findSession: (id, now) => findSession(read, id, now),
  startSession: (...args) => run('startSession', ...args),
  endSession: (id, trace) => run('endSession', id, trace),
  listSessions: (...args) => listSessions(read, ...args),
  endSessionOf: (ownerId, handle, trace) => run('endSessionOf', ownerId, handle, trace),
  endOtherSessions: (ownerId, keep, trace) => run('endOtherSessions', ownerId, keep, trace),

  confirmSession: (by, login, trace) => run('confirmSession', by, login, trace),

  findFactors: (ownerId) => findFactors(read, ownerId),
  findPasskey: (id) => findPasskey(read, id),
  listRecoveryCodes: (ownerId) => listRecoveryCodes(read, ownerId),
  isFinished: (ceremonyId) => isFinished(read, ceremonyId),
  finishCeremony: (ceremony) => run('finishCeremony', ceremony),
  addPasskey: (...args) => run('addPasskey', ...args),
  removePasskey: (id, by, trace) => run('removePasskey', id, by, trace),
  setPasskeyOnly: (id, by, trace) => run('setPasskeyOnly', id, by, trace),
  setOneTimeCodes: (...args) => run('setOneTimeCodes', ...args),
  removeOneTimeCodes: (by, trace) => run('removeOneTimeCodes', by, trace),
  setRecoveryCodes: (...args) => run('setRecoveryCodes', ...args),
  resetFactors: (ownerId, trace) => run('resetFactors', ownerId, trace),

  admitAttempt: (counters, trace) => run('admitAttempt', counters, trace),
  clearAttempts: (forget, giveBack, trace) => run('clearAttempts', forget, giveBack, trace),

  findAuthorization: (id, now) => authorizations.findAuthorization(read, id, now),
  findAuthorizations: (...args) => authorizations.findAuthorizations(read, ...args),
  listAuthorizations: (...args) => authorizations.listAuthorizations(read, ...args),
  approve: (approval, trace) => run('approve', approval, trace),
  narrowAuthorization: (...args) => run('narrowAuthorization', ...args),
  changeAuthorizationEnd: (change, trace) => run('changeAuthorizationEnd', change, trace),
  endAuthorization: (id, ownerId, trace) => run('endAuthorization', id, ownerId, trace),

  recordUses: (batch) => run('recordUses', batch),
  listUses: (...args) => uses.listUses(read, ...args),
  countUses: (...args) => uses.countUses(read, ...args),

  redeemCode: (redemption, trace) => run('redeemCode', redemption, trace),
  isRedeemed: (familyId) => isRedeemed(read, familyId),
  startFamily: (start, trace) => run('startFamily', start, trace),
  findStanding: (familyId, now, also) => findStanding(read, familyId, now, also),
  rotateRefreshToken: (rotation, trace) => run('rotateRefreshToken', rotation, trace),
  endFamily: (familyId, trace) => run('endFamily', familyId, trace),
  endToken: (token, trace) => run('endToken', token, trace),
  isTokenEnded: (tokenId) => isTokenEnded(read, tokenId),

  listItems: (...args) => items.listItems(read, ...args),
  countItems: (holder) => items.countItems(read, holder),
  findItem: (holder, resource, id) => items.findItem(read, holder, resource, id),
  putItem: (put) => run('putItem', put),
  deleteItem: (...args) => run('deleteItem', ...args),

  listKeys: () => listKeys(read),
  addKey: (key, unlessSince, trace) => run('addKey', key, unlessSince, trace),

  removeKeys: (ids, trace) => run('removeKeys', ids, trace),
  replaceKeys: (key, trace) => run('replaceKeys', key, trace),
  rewrapKeys: (rewrapping, trace) => run('rewrapKeys', rewrapping, trace),
  listOneTimeCodes: (after, limit) => listOneTimeCodes(read, after, limit),
  rewrapOneTimeCodes: (changes) => run('rewrapOneTimeCodes', changes),
  findFact: (id) => findFact(read, id),
  setFact: (id, from, to) => run('setFact', id, from, to),

  appendEvent: (event) => run('appendEvent', event),
  listEvents: (of, before, limit) => listEvents(read, of, before, limit),

  isEmpty: async () => {
    const sql = 'select id from clients union all select id from owners limit 1'
    return (await read(sql, [])).length === 0
  },
  ping: () => run('ping', node),
  latestTime: () => latestTime(read),
  noteTime: async (at) => {
    await run('noteTime', node, at)
    return (await latestTime(read)) ?? at
  },
  purge: createPurge(run),
  readsWait,
  close,
})
