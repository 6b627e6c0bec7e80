/** The version of a user: what its client sees of it. */
import type { Owner, OwnerClaims } from '../../model/owner.ts'
import type { ScimUser } from './contract.ts'

const seenMembers = ['username', 'name', 'email', 'claims', 'disabled'] as const

/** Claims that answers have. A digest of others would tell them to whoever tries all values. */
const seenClaims: readonly (keyof OwnerClaims)[] = [
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'locale',
]

/** Objects with the same members are the same, whatever their order. */
const sortMembers = (value: Owner[(typeof seenMembers)[number]]): unknown =>
  typeof value === 'object' ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value

const describe = (
  { owner, externalId, formatted }: ScimUser,
  names: readonly string[] | null,
): string => {
  const values = {
    externalId,
    formatted,
    ...Object.fromEntries(seenMembers.map((name) => [name, sortMembers(owner[name])])),
  }
  return JSON.stringify(Object.entries(values).filter(([name]) => names?.includes(name) ?? true))
}

/** Whether a user is as it was seen. @param names of the members to compare; null: all of them */
export const isSeen = (user: ScimUser, seen: ScimUser, names: readonly string[] | null): boolean =>
  describe(user, names) === describe(seen, names)

/** All that answers tell, as one text. Users have no revision, so the version follows from the values. */
export const describeShown = (user: ScimUser): string => {
  const { claims } = user.owner
  const shown = Object.fromEntries(seenClaims.map((name) => [name, claims[name]]))
  return describe({ ...user, owner: { ...user.owner, claims: shown } }, null)
}
