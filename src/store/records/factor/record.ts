/** Second factors, and the ceremonies that set them up and use them. */

import type { OneTimeCodes, Passkey } from '../../../model/factor.ts'
import type { Digest, OwnerId } from '../../../model/ids.ts'
import type { ByOwner, Ceremony, FactorAdded, FactorSteps } from '../../contract/factor.ts'
import type { Trace } from '../../contract/trace.ts'
import { storeLimits } from '../../limits.ts'
import { defineTable } from '../../sql/columns.ts'
import { purgeAtEnd, type Reads, type Steps, type StoreRecord } from '../../sql/record.ts'
import { findFirst, flag, integer, text } from '../../sql/row.ts'
import { ask, findOne, raw, type Step, sql, statement, touches } from '../../sql/statement.ts'
import { tell } from '../event/events.ts'
import { decodeOwner } from '../owner/owners.ts'
import { resetConfirmations } from '../session.ts'
import { finishAlone, finishCeremony, holdOwner, holdRoles, isFinished, matchWay } from './proof.ts'

const ofOwner = 'references owners (id) on delete cascade'

const passkeys = defineTable<Passkey>(
  'passkeys',
  {
    id: 'text',
    ownerId: `text ${ofOwner}`,
    name: 'text',
    publicKey: 'text',
    counter: 'integer',
    transports: 'words',
    backupEligible: 'flag',
    backedUp: 'flag',
    createdAt: 'integer',
    lastUsedAt: 'integer?',
  },
  { key: 'id', restored: 'all', indexes: ['passkeys_by_owner (owner_id, id)'] },
)

const oneTimeCodes = defineTable<OneTimeCodes>(
  'one_time_codes',
  {
    ownerId: `beside text ${ofOwner}`,
    secret: 'text',
    lastStep: 'integer',
    createdAt: 'integer',
  },
  { key: 'owner_id', restored: 'all' },
)

/** Since a backup one of the codes may have been used. */
const recoveryCodes = defineTable(
  'recovery_codes',
  { ownerId: `text ${ofOwner}`, code: 'text' },
  { key: 'owner_id code', restored: 'none' },
)

const finishedCeremonies = defineTable(
  'finished_ceremonies',
  { id: 'text', expiresAt: 'integer' },
  { key: 'id', restored: 'all', indexes: ['finished_ceremonies_by_end (expires_at)'] },
)

const findFactors: Reads['findFactors'] = async (read, ownerId) => {
  const [keys, [codes], [owner]] = await Promise.all([
    read('select * from passkeys where owner_id = ? order by created_at, id', [ownerId]),
    read('select * from one_time_codes where owner_id = ?', [ownerId]),
    read(
      `select passkey_only, password_changed_at, former_password_at,
         (select count(*) from recovery_codes where owner_id = o.id) as codes
       from owners o where o.id = ?`,
      [ownerId],
    ),
  ])
  const until = integer(owner?.password_changed_at ?? 0)
  return {
    passkeys: keys.map(passkeys.decode),
    oneTimeCodes: codes === undefined ? null : oneTimeCodes.decode(codes),
    recoveryCodes: integer(owner?.codes ?? 0),
    passkeyOnly: flag(owner?.passkey_only ?? 0),
    formerPassword: until === 0 ? null : { from: integer(owner?.former_password_at), until },
  }
}

const listRecoveryCodes: Reads['listRecoveryCodes'] = async (read, ownerId) => {
  const rows = await read('select code from recovery_codes where owner_id = ?', [ownerId])
  return rows.map(({ code }) => text(code) as Digest)
}

const decodeKey = passkeys.decodeAs('p')
const keyColumns = raw(passkeys.selectedAs('p'))

const findPasskey: Reads['findPasskey'] = async (read, id) => {
  const query = sql`select o.*, ${keyColumns} from passkeys p join owners o on o.id = p.owner_id
    where p.id = ${id} and o.disabled = 0`
  const row = findFirst(await ask(read, query))
  return row && { passkey: decodeKey(row), owner: decodeOwner(row) }
}

/** Whether the owner may change factors, by a ceremony that was not finished before. */
function* begin(
  { ownerId, session }: ByOwner,
  ceremony: Ceremony,
  trace: Trace,
): Step<FactorAdded> {
  if (!(yield* holdOwner(ownerId, { session }, trace))) return 'refused'
  return (yield* finishCeremony(ceremony)) ? 'added' : 'used'
}

const addPasskey: Steps['addPasskey'] = function* (passkey, mostPasskeys, ceremony, by, trace) {
  const { ownerId } = by
  const begun = yield* begin(by, ceremony, trace)
  if (begun !== 'added') return begun
  const held = yield sql`select 1 as found from passkeys where owner_id = ${ownerId}`
  if (held.length >= mostPasskeys) return 'full'
  const insert = passkeys.insert({ ...passkey, ownerId, lastUsedAt: null })
  if (!(yield* touches(sql`${insert} on conflict (id) do nothing returning id`))) return 'taken'
  yield* tell('factor.added', { ownerId }, { factor: 'passkey', name: passkey.name }, trace)
  return 'added'
}

/** Whether there is anything for which recovery codes could stand in. */
const hasFactor = (ownerId: OwnerId): Step<boolean> =>
  touches(sql`select 1 as found from owners o where o.id = ${ownerId}
    and (exists (select 1 from passkeys p where p.owner_id = o.id)
      or exists (select 1 from one_time_codes c where c.owner_id = o.id))`)

/** Recovery codes stand in for another factor: where none is left, they must not outlive it. */
function* removeNeedless(ownerId: OwnerId): Step<void> {
  if (yield* hasFactor(ownerId)) return
  yield sql`delete from recovery_codes where owner_id = ${ownerId}`
}

/** After a passkey went. The last one takes the requirement along: nobody could meet it. */
export function* dropNeedless(ownerId: OwnerId): Step<void> {
  yield* removeNeedless(ownerId)
  yield sql`update owners set passkey_only = 0
    where id = ${ownerId} and not exists (select 1 from passkeys p where p.owner_id = owners.id)`
}

const removePasskey: Steps['removePasskey'] = function* (id, ways, { ownerId, session }, trace) {
  if (!(yield* holdOwner(ownerId, { session }, trace))) return 'refused'
  const row = yield* findOne(sql`delete from passkeys where id = ${id} and owner_id = ${ownerId}
      and ${matchWay('passkeys', ways)} returning name`)
  if (row === null) {
    const known = sql`select 1 as found from passkeys where id = ${id} and owner_id = ${ownerId}`
    return (yield* touches(known)) ? 'last' : 'unknown'
  }
  yield* dropNeedless(ownerId)
  yield* resetConfirmations(ownerId, session, trace)
  yield* tell('factor.removed', { ownerId }, { factor: 'passkey', name: text(row.name) }, trace)
  return 'removed'
}

/** Both have to be there in the same step: without them the owner could be locked out. */
const canBeRequired = sql`and exists (select 1 from passkeys p where p.owner_id = owners.id)
  and exists (select 1 from recovery_codes r where r.owner_id = owners.id)`

const setPasskeyOnly: Steps['setPasskeyOnly'] = function* (isOn, { ownerId, session }, trace) {
  if (!(yield* holdOwner(ownerId, { session }, trace))) return 'refused'
  const on = Number(isOn)
  const changed = sql`update owners set passkey_only = ${on}
    where id = ${ownerId} and passkey_only <> ${on} ${isOn ? canBeRequired : sql``} returning id`
  if (yield* touches(changed)) {
    if (isOn) {
      // The other logins were confirmed by less than is required from now on.
      yield sql`update sessions set confirmed_at = 0
        where owner_id = ${ownerId} and id <> ${session}`
    }
    const type = isOn ? 'factor.added' : 'factor.removed'
    yield* tell(type, { ownerId }, { factor: 'passkey only' }, trace)
    return 'set'
  }
  const row = yield* findOne(sql`select passkey_only from owners where id = ${ownerId}`)
  return row !== null && flag(row.passkey_only) === isOn ? 'set' : 'unready'
}

const setOneTimeCodes: Steps['setOneTimeCodes'] = function* (codes, ceremony, by, trace) {
  const { ownerId } = by
  const { secret, lastStep } = codes
  const begun = yield* begin(by, ceremony, trace)
  if (begun !== 'added') return begun
  const held = sql`select 1 as found from one_time_codes where owner_id = ${ownerId}`
  if (yield* touches(held)) yield* resetConfirmations(ownerId, by.session, trace)
  yield sql`insert into one_time_codes (owner_id, secret, last_step, created_at)
    values (${ownerId}, ${secret}, ${lastStep}, ${trace.at}) ${oneTimeCodes.overwrite}`
  yield* tell('factor.added', { ownerId }, { factor: 'one-time codes' }, trace)
  return 'added'
}

/** @param secret wrapped; no code of it was used here */
export function* addImportedCodes(ownerId: OwnerId, secret: string, trace: Trace): Step<void> {
  yield sql`insert into one_time_codes (owner_id, secret, last_step, created_at)
    values (${ownerId}, ${secret}, 0, ${trace.at})`
  yield* tell('factor.added', { ownerId }, { factor: 'one-time codes', by: 'operator' }, trace)
}

const removeOneTimeCodes: Steps['removeOneTimeCodes'] = function* ({ ownerId, session }, trace) {
  if (!(yield* holdOwner(ownerId, { session }, trace))) return false
  const removed = sql`delete from one_time_codes where owner_id = ${ownerId} returning owner_id`
  if (!(yield* touches(removed))) return false
  yield* removeNeedless(ownerId)
  yield* resetConfirmations(ownerId, session, trace)
  yield* tell('factor.removed', { ownerId }, { factor: 'one-time codes' }, trace)
  return true
}

const setRecoveryCodes: Steps['setRecoveryCodes'] = function* (codes, ceremony, by, trace) {
  const { ownerId } = by
  const begun = yield* begin(by, ceremony, trace)
  if (begun !== 'added') return begun
  if (!(yield* hasFactor(ownerId))) return 'refused'
  yield sql`delete from recovery_codes where owner_id = ${ownerId}`
  for (const code of codes) {
    yield sql`insert into recovery_codes (owner_id, code) values (${ownerId}, ${code})`
  }
  yield* tell('factor.added', { ownerId }, { factor: 'recovery codes' }, trace)
  return 'added'
}

const resetFactors: Steps['resetFactors'] = function* (ownerId, trace, checked) {
  if (!(yield* holdRoles(ownerId, checked))) return false
  let went = 0
  for (const table of ['passkeys', 'one_time_codes', 'recovery_codes']) {
    const query = `delete from ${table} where owner_id = ? returning owner_id`
    went += (yield statement(query, ownerId)).length
  }
  if (went === 0) return false
  yield sql`update owners set passkey_only = 0 where id = ${ownerId}`
  yield* resetConfirmations(ownerId, null, trace)
  yield* tell('factor.removed', { ownerId }, { factor: 'all', by: 'operator' }, trace)
  return true
}

export const factorRecord: StoreRecord<FactorSteps> = {
  tables: [passkeys, oneTimeCodes, recoveryCodes, finishedCeremonies],
  reads: { findFactors, findPasskey, listRecoveryCodes, isFinished },
  steps: {
    finishCeremony: finishAlone,
    addPasskey,
    removePasskey,
    setPasskeyOnly,
    setOneTimeCodes,
    removeOneTimeCodes,
    setRecoveryCodes,
    resetFactors,
  },
  invalidates: 'nothing',
  endPurges: [
    // Without its row a ceremony could be finished once more, for as long as it is not too old.
    purgeAtEnd('finished_ceremonies', 'id', 'expires_at', storeLimits.purgeAfterSeconds),
  ],
}
