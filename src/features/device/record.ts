/** Device authorizations: begun by a device, decided on in a browser, redeemed once (RFC 8628). */
import type { ClientId } from '../../model/ids.ts'
import { getFamilyKey } from '../../store/cache/things.ts'
import {
  actors,
  isSealedWith,
  matchUnexpired,
  running,
} from '../../store/records/authorization/authorization-row.ts'
import { tell, tellOfAuthorization } from '../../store/records/event/events.ts'
import { polledColumns, redeemPolled, tellAsked } from '../../store/records/polled.ts'
import { defineTable } from '../../store/sql/columns.ts'
import { purgeAtEnd, type Reads, type Steps, type StoreRecord } from '../../store/sql/record.ts'
import { findFirst, integer, text } from '../../store/sql/row.ts'
import { findOne, type Piece, raw, sql, statement, touches } from '../../store/sql/statement.ts'
import type { DeviceAuthorization, DeviceSteps } from './contract.ts'
import { matchOpenTo } from './ending.ts'
import { deviceLimits } from './limits.ts'

const devices = defineTable<DeviceAuthorization>(
  'device_authorizations',
  {
    ...polledColumns,
    userCode: 'text unique',
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

/** How many there are, counted no further than the limit. */
const countUpTo = (most: number, which: Piece): Piece =>
  sql`(select count(*) from (select 1 as one from device_authorizations
    where ${which} limit ${most}) living)`

const startDevice: Steps['startDevice'] = function* (device, bounds) {
  const { ofNetwork, inAll } = bounds ?? { ofNetwork: 1, inAll: 1 }
  // What is decided or redeemed takes no place from others.
  const living = sql`expires_at > ${device.createdAt} and state in ('pending', 'approved')`
  const near = countUpTo(ofNetwork, sql`network = ${device.network} and ${living}`)
  const all = countUpTo(inAll, living)
  const isFree = bounds === null ? raw('1 = 1') : sql`${near} < ${ofNetwork} and ${all} < ${inAll}`
  const started = sql`${devices.insertIf(device)}
    where ${isFree} on conflict do nothing returning id`
  if (yield* touches(started)) return 'started'
  if (bounds === null) return 'taken'
  const counted = yield* findOne(sql`select ${near} as near, ${all} as living`)
  if (integer(counted?.living ?? 0) >= inAll) return 'too_many'
  return integer(counted?.near ?? 0) >= ofNetwork ? 'too_many_of_network' : 'taken'
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
    where id = ${id} and expires_at > ${at}
      and exists (select 1 from ${raw(actors)} where a.id = ${authorizationId}
        and a.client_id = device_authorizations.client_id and ${statement(isSealedWith, salt)}
        and ${running} and ${matchUnexpired(at)} and ${matchOpenTo(sql`a.owner_id`)})
    returning id`
  if (yield* touches(approved)) return true
  return yield* touches(sql`select 1 as found from device_authorizations
    where id = ${id} and state = 'redeemed' and authorization_id = ${authorizationId}`)
}

const denyDevice: Steps['denyDevice'] = function* (id, by, trace) {
  const undecided = { authorizationId: null, salt: null, terms: null }
  const denied = yield* findOne(sql`update device_authorizations
    set ${devices.set({ state: 'denied', ...undecided })}
    where id = ${id} and ${matchOpenTo(sql`${by}`)} and expires_at > ${trace.at}
    returning client_id, network, created_at`)
  if (denied === null) return false
  const clientId = text(denied.client_id) as ClientId
  const about = by === null ? { clientId } : { clientId, ownerId: by }
  yield* tell('device.denied', about, tellAsked(denied), trace)
  return true
}

const redeemDevice: Steps['redeemDevice'] = (redemption, trace) =>
  redeemPolled('device_authorizations', redemption, trace, (row) =>
    tellOfAuthorization('device.connected', redemption.authorizationId, tellAsked(row), trace),
  )

export const deviceRecord: StoreRecord<DeviceSteps> = {
  tables: [devices],
  reads: { findDevice, findDeviceByCode },
  steps: { startDevice, approveDevice, denyDevice, redeemDevice },
  invalidates: {
    startDevice: 'nothing',
    approveDevice: 'nothing',
    denyDevice: 'nothing',
    redeemDevice: ({ familyId }) => [getFamilyKey(familyId)],
  },
  endPurges: [
    purgeAtEnd('device_authorizations', 'id', 'expires_at', deviceLimits.rememberedSeconds),
  ],
}
