/** The row of a family. */
import type { Family } from '../../../model/authorization.ts'
import type { AuthorizationId, FamilyId } from '../../../model/ids.ts'
import { flag, integer, integerOrNull, text } from '../../sql/row.ts'
import type { Row } from '../../sql/statement.ts'

/** The columns that a changing statement returns of families. */
export const familyColumns = 'id, authorization_id, generation, rotated_at, expires_at, has_endings'

export const decodeFamily = (row: Row): Family => ({
  id: text(row.id) as FamilyId,
  authorizationId: text(row.authorization_id) as AuthorizationId,
  generation: integer(row.generation),
  rotatedAt: integer(row.rotated_at),
  expiresAt: integerOrNull(row.expires_at),
  hasEndings: flag(row.has_endings),
})
