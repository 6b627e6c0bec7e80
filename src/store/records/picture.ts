/** Pictures of owners: one each, found by its random name. */

import { type OwnerPicture, ownPicture } from '../../model/picture.ts'
import { getOwnerKey } from '../cache/things.ts'
import type { PictureSteps } from '../contract/picture.ts'
import { defineTable } from '../sql/columns.ts'
import type { Reads, Steps, StoreRecord } from '../sql/record.ts'
import { sql, touches } from '../sql/statement.ts'
import { tell } from './event/events.ts'
import { matchProven } from './factor/proof.ts'
import { matchAccount } from './upstream.ts'

/** As base64: no engine writes bytes like another one. */
const pictures = defineTable<OwnerPicture>(
  'owner_pictures',
  {
    ownerId: 'text references owners (id) on delete cascade',
    name: 'text unique',
    type: 'text',
    content: 'text',
  },
  { key: 'owner_id', restored: 'all' },
)

const findOwnerPicture: Reads['findOwnerPicture'] = async (read, name) => {
  const [row] = await read('select * from owner_pictures where name = ?', [name])
  return row === undefined ? null : pictures.decode(row)
}

/** The row of the owner is written first, so a deletion comes before all of it or fails. */
const setOwnerPicture: Steps['setOwnerPicture'] = function* (by, picture, trace) {
  const { ownerId, session } = by
  const named = sql`update owners as o set picture_name = ${picture?.name ?? ''},
      picture_source = ${ownPicture},
      updated_at = ${trace.at}
    where ${matchProven(ownerId, { session }, trace)} and deletion_at is null returning id`
  if (!(yield* touches(named))) return false
  if (picture === null) yield sql`delete from owner_pictures where owner_id = ${ownerId}`
  else yield sql`${pictures.insert({ ...picture, ownerId })} ${pictures.overwrite}`
  yield* tell('owner.profile_changed', { ownerId }, { changed: 'picture' }, trace)
  return true
}

const keepUpstreamPicture: Steps['keepUpstreamPicture'] = function* (
  account,
  source,
  picture,
  trace,
) {
  const { ownerId, name } = picture
  const linked = sql`select owner_id from upstream_links
    where owner_id = ${ownerId} and ${matchAccount(account)}`
  const named = sql`update owners set picture_name = ${name}, picture_source = ${source},
      updated_at = ${trace.at}
    where id = ${ownerId} and id in (${linked}) and picture_source <> ${ownPicture}
      and disabled = 0 and deletion_at is null and deleted_at is null returning id`
  if (!(yield* touches(named))) return false
  yield sql`${pictures.insert(picture)} ${pictures.overwrite}`
  const { upstream } = account
  yield* tell('owner.profile_changed', { ownerId }, { changed: 'picture', upstream }, trace)
  return true
}

export const pictureRecord: StoreRecord<PictureSteps> = {
  tables: [pictures],
  reads: { findOwnerPicture },
  steps: { setOwnerPicture, keepUpstreamPicture },
  invalidates: {
    setOwnerPicture: ({ ownerId }) => [getOwnerKey(ownerId)],
    keepUpstreamPicture: (_account, _source, { ownerId }) => [getOwnerKey(ownerId)],
  },
}
