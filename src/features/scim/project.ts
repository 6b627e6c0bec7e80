/** The attributes that an answer has (RFC 7644 section 3.9). */

import { isObject } from '../../model/json.ts'
import { badValue, readWord } from './errors.ts'
import { scimLimits } from './limits.ts'
import type { ScimMembers } from './members.ts'
import { dropSchema, findAttribute, type ResourceKind } from './schema.ts'

/** The attributes that a request wants, and those it does not want (section 3.9): names in lower case. */
export interface WantedParts {
  readonly attributes: ReadonlySet<string> | null
  readonly excluded: ReadonlySet<string>
}

/** Whether the answer has an attribute at all. */
export const isWanted = (
  name: string,
  { attributes, excluded }: WantedParts,
  kind: ResourceKind,
): boolean => {
  const attribute = findAttribute(name, kind.attributes)
  if (attribute?.returned === 'always') return true
  const lower = name.toLowerCase()
  if (excluded.has(lower)) return false
  if (attributes === null || attributes.has(lower)) return true
  const subs = attribute?.subAttributes ?? []
  return subs.some((sub) => attributes.has(`${lower}.${sub.name.toLowerCase()}`))
}

const pickParts = (value: unknown, keep: (part: string) => boolean): unknown => {
  if (Array.isArray(value)) return value.map((one) => pickParts(one, keep))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([part]) => keep(part)))
}

/** The members of a resource that a request wants. */
export const pickWanted = (
  resource: ScimMembers,
  wanted: WantedParts,
  kind: ResourceKind,
): ScimMembers => {
  const { attributes, excluded } = wanted
  const has = (names: ReadonlySet<string>, path: string) => names.has(path.toLowerCase())
  const kept = Object.entries(resource).filter(
    ([name]) => name === 'schemas' || isWanted(name, wanted, kind),
  )
  return Object.fromEntries(
    kept.map(([name, value]) => {
      const isWhole = attributes === null || has(attributes, name) || name === 'schemas'
      return [
        name,
        pickParts(value, (part) => {
          const path = `${name}.${part}`
          return (
            !has(excluded, path) &&
            (isWhole || (attributes !== null && has(attributes, path)) || name === 'id')
          )
        }),
      ]
    }),
  )
}

/** @param given names separated by commas, as a text or a list; null for none @throws Refusal `invalidValue` */
export const readNames = (
  given: unknown,
  member: string,
  kind: ResourceKind,
): ReadonlySet<string> | null => {
  const most = scimLimits.attributeNames
  const listed = Array.isArray(given) ? given : [given]
  const names = listed.flatMap((one) => (readWord(one, member) ?? '').split(',', most + 1))
  if (names.length > most) throw badValue(`${member} has more than ${most} names`)
  const named = names.map((name) => name.trim()).filter((name) => name !== '')
  if (named.length === 0) return null
  const own = named.map((name) => dropSchema(name, kind)?.toLowerCase())
  return new Set(own.filter((name) => name !== undefined))
}
