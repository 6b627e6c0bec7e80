/** The member `groups` of an upstream: what its people may be here, by a claim or an attribute. */
import { groupLimits, isGroupName } from '../model/group.ts'
import { isObject } from '../model/json.ts'
import { isRole } from '../model/owner.ts'
import { type GivenMembers, MemberFault } from './members.ts'

const mostEntries = 500
const valueCharacters = 500

/** The names that stand for one value of the upstream, by that value. */
type NamesByValue = ReadonlyMap<string, readonly string[]>

export interface UpstreamGroups {
  /** The claim or the attribute with the values. */
  readonly from: string
  /** Groups here. Any other value counts for nothing. */
  readonly map: NamesByValue
  /** Roles here, such as those of the console. */
  readonly roles: NamesByValue
}

const readMap = (
  given: unknown,
  member: string,
  isName: (text: string) => boolean,
  called: string,
): NamesByValue => {
  const fault = new MemberFault(
    `needs as "groups.${member}" an object of at most ${mostEntries} values, each with ${called} or a list of them`,
  )
  if (!isObject(given)) throw fault
  const entries = Object.entries(given)
  if (entries.length > mostEntries) throw fault
  return new Map(
    entries.map(([value, names]) => {
      const list: readonly unknown[] = Array.isArray(names) ? names : [names]
      const isFit = value !== '' && value.length <= valueCharacters && list.length > 0
      const named = list.filter((name) => typeof name === 'string' && isName(name)) as string[]
      if (!isFit || named.length < list.length) throw fault
      return [value, [...new Set(named)]]
    }),
  )
}

/** @param source `claim` or `attribute`, as the type of the upstream has it */
export const readUpstreamGroups = (
  members: GivenMembers,
  source: 'claim' | 'attribute',
  isSource: (name: string) => boolean,
): UpstreamGroups | null => {
  const given = members.other('groups') ?? null
  if (given === null) return null
  if (!isObject(given)) throw new MemberFault(`needs an object with "${source}" as "groups"`)
  const { [source]: from, map = {}, roles = {}, ...others } = given
  if (Object.keys(others).length > 0) {
    throw new MemberFault(`has other members in "groups" than "${source}", "map" and "roles"`)
  }
  if (typeof from !== 'string' || !isSource(from)) {
    throw new MemberFault(`needs the name of its ${source} as "groups.${source}"`)
  }
  const mapped = readMap(map, 'map', isGroupName, 'the name of a group')
  if (new Set([...mapped.values()].flat()).size > groupLimits.ofSource) {
    throw new MemberFault(`needs at most ${groupLimits.ofSource} groups in "groups.map"`)
  }
  return {
    from,
    map: mapped,
    roles: readMap(roles, 'roles', isRole, 'a role'),
  }
}
