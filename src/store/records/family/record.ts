/** Families: what codes and refresh tokens earn, and the endings of single access tokens. */

import { theEndings, theFamily, theOwner } from '../../cache/things.ts'
import type { FamilySteps } from '../../contract/family.ts'
import { table } from '../../schema/table.ts'
import { purgeEndings, purgeFamilies } from '../../sql/purge.ts'
import type { StoreRecord } from '../../sql/record.ts'
import { endToken, isTokenEnded } from './endings.ts'
import * as families from './families.ts'
import { rotateRefreshToken } from './rotate.ts'

export const familyRecord: StoreRecord<FamilySteps> = {
  tables: [
    table(
      'families',
      ['id'],
      [
        'authorization_id',
        'generation',
        'started_at',
        'rotated_at',
        'rotated_from',
        'repeated_generation',
        'repeats',
        'expires_at',
        'ended',
        'has_endings',
      ],
      'none',
    ),
    table('endings', ['id'], ['expires_at'], 'none'),
  ],
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
