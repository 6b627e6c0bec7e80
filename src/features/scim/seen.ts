/** The version of a user: what its client sees of it. */
import type { Owner } from '../../model/owner.ts'
import type { ScimUser } from './contract.ts'

const seenMembers = ['username', 'name', 'email', 'claims', 'disabled'] as const

/** Objects with the same members are the same, whatever their order. */
const sortMembers = (value: Owner[(typeof seenMembers)[number]]): unknown =>
  typeof value === 'object' ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value

/** As one text. Users have no revision, so the version follows from the values. */
export const describeSeen = ({ owner, externalId, formatted }: ScimUser): string =>
  JSON.stringify([externalId, formatted, ...seenMembers.map((name) => sortMembers(owner[name]))])
