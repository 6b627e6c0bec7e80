/** Whether a device still waits for what an owner decides. The approval asks it, so no record is imported here. */
import { type Piece, sql } from '../../store/sql/statement.ts'

/** Nobody has decided yet, or this owner has allowed it and the device has not asked since. */
export const matchOpenTo = (owner: Piece): Piece =>
  sql`(device_authorizations.state = 'pending' or (device_authorizations.state = 'approved'
    and exists (select 1 from authorizations earlier
      where earlier.id = device_authorizations.authorization_id and earlier.owner_id = ${owner})))`

/** A device that an approval of this owner would come too late for. */
export const matchOverDevice = (id: Piece, owner: Piece, at: number): Piece =>
  sql`exists (select 1 from device_authorizations where id = ${id}
    and (expires_at <= ${at} or not ${matchOpenTo(owner)}))`
