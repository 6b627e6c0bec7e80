/** Device authorizations: begun by a device, decided on in a browser, redeemed once (RFC 8628). */
import { getFamilyKey } from '../../store/cache/things.ts'
import {
  actors,
  isSealedWith,
  matchUnexpired,
  running,
} from '../../store/records/authorization/authorization-row.ts'
import { findHindrance, insertFamily } from '../../store/records/family/record.ts'
import { defineTable } from '../../store/sql/columns.ts'
import { purgeAtEnd, type Reads, type Steps, type StoreRecord } from '../../store/sql/record.ts'
import { findFirst, integer } from '../../store/sql/row.ts'
import { findOne, type Piece, raw, sql, statement, touches } from '../../store/sql/statement.ts'
import type { DeviceAuthorization, DeviceSteps } from './contract.ts'
import { deviceLimits } from './limits.ts'

const devices = defineTable<DeviceAuthorization>(
  'device_authorizations',
  {
    id: 'text',
    secretDigest: 'text',
    userCode: 'text unique',
    clientId: 'text',
    parameters: 'text',
    network: 'text',
    createdAt: 'integer',
    expiresAt: 'integer',
    state: 'text',
    authorizationId: 'text?',
    salt: 'text?',
    terms: 'text?',
  },
  {
    key: 'id',
    restored: 'none',
    indexes: [
      'device_authorizations_by_network (network, expires_at)',
      'device_authorizations_by_end (expires_at)',
    ],
  },
)

const pending = raw("state = 'pending'")

/** How many there are, counted no further than the limit. */
const countUpTo = (most: number, which: Piece): Piece =>
  sql`(select count(*) from (select 1 as one from device_authorizations
    where ${which} limit ${most}) living)`

const startDevice: Steps['startDevice'] = function* (device, { ofNetwork, inAll }) {
  const living = sql`expires_at > ${device.createdAt}`
  const near = sql`network = ${device.network} and ${living}`
  const isNear =
    ofNetwork === null ? raw('1 = 1') : sql`${countUpTo(ofNetwork, near)} < ${ofNetwork}`
  const started = sql`${devices.insertIf(device)}
    where ${isNear} and ${countUpTo(inAll, living)} < ${inAll} on conflict do nothing returning id`
  if (yield* touches(started)) return 'started'
  const counted = yield* findOne(sql`select ${countUpTo(ofNetwork ?? 1, near)} as near,
    ${countUpTo(inAll, living)} as living`)
  if (integer(counted?.living ?? 0) >= inAll) return 'too_many'
  const isCrowded = ofNetwork !== null && integer(counted?.near ?? 0) >= ofNetwork
  return isCrowded ? 'too_many_of_network' : 'taken'
}

const findDevice: Reads['findDevice'] = async (read, id) => {
  const row = findFirst(await read('select * from device_authorizations where id = ?', [id]))
  return row && devices.decode(row)
}

const findDeviceByCode: Reads['findDeviceByCode'] = async (read, userCode, now) => {
  const found = `select * from device_authorizations
    where user_code = ? and state = 'pending' and expires_at > ?`
  const row = findFirst(await read(found, [userCode, now]))
  return row && devices.decode(row)
}

const approveDevice: Steps['approveDevice'] = function* (
  id,
  { authorizationId, salt, terms },
  { at },
) {
  const change = devices.set({ state: 'approved', authorizationId, salt, terms })
  const approved = sql`update device_authorizations set ${change}
    where id = ${id} and ${pending} and expires_at > ${at}
      and exists (select 1 from ${raw(actors)} where a.id = ${authorizationId}
        and a.client_id = device_authorizations.client_id and ${statement(isSealedWith, salt)}
        and ${running} and ${matchUnexpired(at)})
    returning id`
  if (yield* touches(approved)) return true
  return yield* touches(sql`select 1 as found from device_authorizations
    where id = ${id} and authorization_id = ${authorizationId}`)
}

const denyDevice: Steps['denyDevice'] = (id, { at }) =>
  touches(sql`update device_authorizations set ${devices.set({ state: 'denied' })}
    where id = ${id} and ${pending} and expires_at > ${at} returning id`)

const redeemDevice: Steps['redeemDevice'] = function* (redemption, trace) {
  const { id, authorizationId, ...start } = redemption
  const { at } = trace
  const claimed = yield* findOne(sql`update device_authorizations
    set ${devices.set({ state: 'redeemed' })}
    where id = ${id} and state = 'approved' and authorization_id = ${authorizationId}
      and expires_at > ${at} returning created_at`)
  if (claimed === null) return { outcome: 'used' }
  const codeIssuedAt = integer(claimed.created_at)
  const begun = { familyId: id, authorizationId, codeIssuedAt, ...start }
  const family = yield* insertFamily(begun, trace)
  if (family !== null) return { outcome: 'redeemed', family }
  const hindrance = yield* findHindrance(begun, trace)
  if (hindrance?.outcome !== 'paused') return { outcome: 'ended' }
  yield sql`update device_authorizations set ${devices.set({ state: 'approved' })} where id = ${id}`
  return { outcome: 'paused' }
}

export const deviceRecord: StoreRecord<DeviceSteps> = {
  tables: [devices],
  reads: { findDevice, findDeviceByCode },
  steps: { startDevice, approveDevice, denyDevice, redeemDevice },
  invalidates: {
    startDevice: 'nothing',
    approveDevice: 'nothing',
    denyDevice: 'nothing',
    redeemDevice: ({ id }) => [getFamilyKey(id)],
  },
  endPurges: [
    purgeAtEnd('device_authorizations', 'id', 'expires_at', deviceLimits.rememberedSeconds),
  ],
}
