/** Resource owners. The cache holds what they approved and keep, so that goes with them. */
import { holderOfOwner } from '../../../model/item.ts'
import { theKept, theOwner } from '../../cache/things.ts'
import type { OwnerSteps } from '../../contract/owner.ts'
import { parseNames, table } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import { listOwnersBy, listOwnersWithRole } from '../../sql/search.ts'
import { giveRoles, listWaysOfOthers } from './give-roles.ts'
import { confirmEmail } from './owner-links.ts'
import * as owners from './owners.ts'

export const ownerRecord: StoreRecord<OwnerSteps> = {
  tables: [
    table(
      'owners',
      ['id'],
      parseNames(`username username_key name email password_hash password_changed_at disabled
        created_at passkey_only former_password_at email_verified claims updated_at
        attributes password_kind pages deletion_at roles deleted_at`),
      'all',
    ),
  ],
  reads: {
    findOwner: owners.findOwner,
    findOwnerByName: owners.findOwnerByName,
    findOwnerByEmail: owners.findOwnerByEmail,
    listOwners: owners.listOwners,
    listOwnersBy,
    listOwnersWithRole,
    listPasswordKinds: owners.listPasswordKinds,
    listWaysOfOthers,
  },
  steps: {
    createOwner: owners.createOwner,
    changeOwner: owners.changeOwner,
    giveRoles,
    changePassword: owners.changePassword,
    rehashPassword: owners.rehashPassword,
    confirmEmail,
    signUp: owners.signUp,
    deleteOwner: owners.deleteOwner,
  },
  invalidates: {
    createOwner: 'nothing',
    changeOwner: (id) => [theOwner(id)],
    giveRoles: (id) => [theOwner(id)],
    changePassword: (id) => [theOwner(id)],
    rehashPassword: (id) => [theOwner(id)],
    confirmEmail: (id) => [theOwner(id)],
    signUp: 'nothing',
    deleteOwner: (id) => [theOwner(id), theKept(holderOfOwner(id))],
  },
  alone: ['giveRoles'],
}
