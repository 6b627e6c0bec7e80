/** Steps of owners on their accounts. Their rows are those of other records. */
import { holderOfOwner } from '../../../model/item.ts'
import { theKept, theOwner } from '../../cache/things.ts'
import type { AccountSteps } from '../../contract/account.ts'
import type { StoreRecord } from '../../sql/record.ts'
import * as accounts from './accounts.ts'

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
