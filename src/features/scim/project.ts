/** The attributes that an answer has (RFC 7644 section 3.9). */

import { isObject } from '../../model/json.ts'
import type { ScimMembers } from './members.ts'
import { dropSchema, findAttribute, type ResourceKind } from './schema.ts'

/** The attributes that a request wants, and those it does not want (section 3.9). */
export interface WantedParts {
  readonly attributes: readonly string[] | null
  readonly excluded: readonly string[]
}

/** Whether the answer has an attribute at all. */
export const isWanted = (
  name: string,
  { attributes, excluded }: WantedParts,
  kind: ResourceKind,
): boolean => {
  const attribute = findAttribute(name, kind.attributes)
  if (attribute?.returned === 'always') return true
  const listed = (names: readonly string[]) =>
    names.some((one) => one.toLowerCase() === name.toLowerCase())
  if (listed(excluded)) return false
  return (
    attributes === null ||
    listed(attributes) ||
    attributes.some((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}.`))
  )
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
  const has = (names: readonly string[], path: string) =>
    names.some((one) => one.toLowerCase() === path.toLowerCase())
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
          return !has(excluded, path) && (isWhole || has(attributes ?? [], path) || name === 'id')
        }),
      ]
    }),
  )
}

/** @param given names separated by commas, as a text or a list; null for none */
export const readNames = (given: unknown, kind: ResourceKind): readonly string[] | null => {
  const text = Array.isArray(given) ? given.join(',') : given
  if (typeof text !== 'string' || text.trim() === '') return null
  const names = text.split(',').map((name) => dropSchema(name.trim(), kind))
  return names.filter((name) => name !== null)
}
