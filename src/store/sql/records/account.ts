/** Steps of owners on their accounts. Their rows are those of other records. */
import { holderOfOwner } from '../../../model/item.ts'
import type { AccountSteps } from '../../account-steps.ts'
import { theKept, theOwner } from '../../memory/things.ts'
import * as accounts from '../accounts.ts'
import type { StoreRecord } from '../record.ts'

export const accountRecord: StoreRecord<AccountSteps> = {
  tables: [],
  reads: { listDueOwners: accounts.listDueOwners },
  steps: {
    changeProfile: accounts.changeProfile,
    requestDeletion: accounts.requestDeletion,
    endAccessOf: accounts.endAccessOf,
    undoDeletion: accounts.undoDeletion,
    deleteDueOwner: accounts.deleteDueOwner,
  },
  invalidates: {
    changeProfile: ({ ownerId }) => [theOwner(ownerId)],
    requestDeletion: ({ ownerId }) => [theOwner(ownerId)],
    endAccessOf: (ownerId) => [theOwner(ownerId)],
    undoDeletion: ({ ownerId }) => [theOwner(ownerId)],
    deleteDueOwner: (id) => [theOwner(id), theKept(holderOfOwner(id))],
  },
}
