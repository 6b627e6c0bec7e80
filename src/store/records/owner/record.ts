/** Resource owners. The cache holds what they approved and keep, so that goes with them. */
import { holderOfOwner } from '../../../model/item.ts'
import { theKept, theOwner } from '../../cache/things.ts'
import type { OwnerSteps } from '../../contract/owner.ts'
import type { StoreRecord } from '../../sql/record.ts'
import * as steps from './change-owner.ts'
import { giveRoles, listWaysOfOthers } from './give-roles.ts'
import { confirmEmail } from './owner-links.ts'
import * as owners from './owners.ts'

export const ownerRecord: StoreRecord<OwnerSteps> = {
  tables: [owners.ownerTable],
  reads: {
    findOwner: owners.findOwner,
    findOwnerByName: owners.findOwnerByName,
    findOwnerByEmail: owners.findOwnerByEmail,
    listOwners: owners.listOwners,
    listOwnersBy: owners.listOwnersBy,
    listOwnersWithRole: owners.listOwnersWithRole,
    listPasswordKinds: owners.listPasswordKinds,
    listWaysOfOthers,
  },
  steps: {
    createOwner: steps.createOwner,
    changeOwner: steps.changeOwner,
    giveRoles,
    changePassword: steps.changePassword,
    rehashPassword: steps.rehashPassword,
    confirmEmail,
    signUp: steps.signUp,
    deleteOwner: steps.deleteOwner,
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
