/** The row of an owner, which sessions read too. */
import type { OwnerId } from '../../../model/ids.ts'
import type { JsonObject } from '../../../model/json.ts'
import {
  noPageChoices,
  type Owner,
  type OwnerClaims,
  type PageChoices,
} from '../../../model/owner.ts'
import { flag, integer, integerOrNull, json, text } from '../../sql/row.ts'
import type { Row } from '../../sql/statement.ts'

/** JSON, or empty where nothing was chosen. */
const pagesOf = (stored: string): PageChoices =>
  stored === '' ? noPageChoices : (json(stored) as PageChoices)

export const decodeOwner = (row: Row): Owner => ({
  id: text(row.id) as OwnerId,
  username: text(row.username),
  name: text(row.name),
  email: text(row.email),
  emailVerified: flag(row.email_verified),
  claims: json(row.claims) as OwnerClaims,
  attributes: json(row.attributes) as JsonObject,
  roles: text(row.roles).split(' ').filter(Boolean),
  updatedAt: integer(row.updated_at),
  passwordHash: text(row.password_hash),
  passwordChangedAt: integer(row.password_changed_at),
  disabled: flag(row.disabled),
  createdAt: integer(row.created_at),
  pages: pagesOf(text(row.pages)),
  deletionAt: integerOrNull(row.deletion_at),
})
