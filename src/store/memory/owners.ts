/** Owners are read each time; what is remembered of what they approved and keep goes with them. */
import { holderOfOwner } from '../../model/item.ts'
import type { OwnerSteps } from '../owner-steps.ts'
import type { Marks } from './marks.ts'
import { theKept, theOwner } from './things.ts'

export const watchOwners = (store: OwnerSteps, marks: Marks): OwnerSteps => ({
  findOwner: store.findOwner,
  findOwnerByName: store.findOwnerByName,
  listOwners: store.listOwners,
  createOwner: store.createOwner,
  changeOwner: (id, ...args) => marks.change([theOwner(id)], () => store.changeOwner(id, ...args)),
  changePassword: (id, ...args) =>
    marks.change([theOwner(id)], () => store.changePassword(id, ...args)),
  deleteOwner: (id, trace) =>
    marks.change([theOwner(id), theKept(holderOfOwner(id))], () => store.deleteOwner(id, trace)),
})
