/** Families: what codes and refresh tokens earn, and the endings of single access tokens. */

import { limits } from '../../../config/limits.ts'
import { theEndings, theFamily, theOwner } from '../../cache/things.ts'
import type { FamilySteps } from '../../contract/family.ts'
import { storeLimits } from '../../limits.ts'
import { defineTable } from '../../sql/columns.ts'
import {
  type Purged,
  type PurgeStep,
  type Reads,
  type Steps,
  type StoreRecord,
  walk,
} from '../../sql/record.ts'
import { countOnly, raw, type Step, sendOnly, sql, statement } from '../../sql/statement.ts'
import { unexpiredAt } from '../authorization/authorization-row.ts'
import { tell, tellOfAuthorization } from '../event/events.ts'
import * as families from './families.ts'
import { familyTable } from './family-row.ts'
import { rotateRefreshToken } from './rotate.ts'

const endings = defineTable(
  'endings',
  { id: 'text', expiresAt: 'integer?' },
  { key: 'id', restored: 'none' },
)

const isTokenEnded: Reads['isTokenEnded'] = async (read, tokenId) =>
  (await read('select 1 as found from endings where id = ?', [tokenId], 'id')).length > 0

const insertEnding = `insert into endings (id, expires_at) values (?, ?)
  on conflict (id) do nothing ${countOnly}`

/** Where it is marked already nothing has to be written. */
const markClient = 'update clients set has_endings = 1 where id = ? and has_endings = 0'
const markFamily = 'update families set has_endings = 1 where id = ? and has_endings = 0'

const endToken: Steps['endToken'] = function* ({ of, tokenId, expiresAt }, trace) {
  const ended = yield statement(insertEnding, tokenId, expiresAt)
  if (ended.length === 0) return
  if ('clientId' in of) {
    yield sendOnly(markClient, of.clientId)
    yield* tell('token.revoked', of, { tokenId }, trace)
    return
  }
  yield sendOnly(markFamily, of.familyId)
  yield* tellOfAuthorization('token.revoked', of.authorizationId, { tokenId }, trace)
}

/**
 * Families that expired, ended or lost their authorization. A row stays while its journey or its
 * code could be used again: without the row they would count as fresh.
 */
function* purgeFamilies(step: PurgeStep): Step<Purged> {
  const { after, now } = step
  const last = yield* walk('families', step)
  if (last === null) return { next: null, went: 0 }
  const gone = yield sql`delete from families where id > ${after} and id <= ${last}
    and started_at < ${now - storeLimits.journeySeconds - limits.purgeAfterSeconds}
    and (ended = 1 or expires_at <= ${now} or not exists (select 1 from authorizations a
      where a.id = families.authorization_id and ${unexpiredAt(now)})) returning id`
  return { next: last, went: gone.length }
}

/**
 * Endings of tokens that have expired on every node. An index by the end would be a second tree to
 * write in each revocation, so the purge walks.
 */
function* purgeEndings(step: PurgeStep): Step<Purged> {
  const last = yield* walk('endings', step)
  if (last === null) return { next: null, went: 0 }
  const gone = yield sql`delete from endings where id > ${step.after} and id <= ${last}
    and expires_at <= ${step.now - limits.purgeAfterSeconds} ${raw(countOnly)}`
  return { next: last, went: gone.length }
}

export const familyRecord: StoreRecord<FamilySteps> = {
  tables: [familyTable, endings],
  reads: {
    findStanding: families.findStanding,
    isRedeemed: families.isRedeemed,
    isTokenEnded,
  },
  steps: {
    redeemCode: families.redeemCode,
    startFamily: families.startFamily,
    rotateRefreshToken,
    endFamily: families.endFamily,
    endToken,
  },
  invalidates: {
    redeemCode: ({ familyId }) => [theFamily(familyId)],
    startFamily: ({ familyId, under }) =>
      'asked' in under ? [theFamily(familyId), theOwner(under.ownerId)] : [theFamily(familyId)],
    // Its outcome says whether a token was ended singly, too.
    rotateRefreshToken: ({ familyId }) => [theFamily(familyId), theEndings(familyId)],
    endFamily: (id) => [theFamily(id)],
    endToken: ({ of }) => [theEndings('clientId' in of ? of.clientId : of.familyId)],
  },
  purges: { families: purgeFamilies, endings: purgeEndings },
}
