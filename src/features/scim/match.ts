/** Whether a resource meets a filter, and the part of a filter that an index answers. */

import { isObject } from '../../model/json.ts'
import type { ScimFilter } from './filter.ts'
import type { ScimMembers } from './members.ts'
import type { Attribute, AttributePlace } from './schema.ts'

const listValues = (value: unknown): readonly unknown[] =>
  value === undefined || value === null || value === ''
    ? []
    : Array.isArray(value)
      ? value
      : [value]

/** The values at a place; of a list of objects, `value` of each. */
const readPlace = (
  { attribute, sub }: AttributePlace,
  members: ScimMembers,
): readonly unknown[] => {
  const part = sub?.name ?? (attribute.type === 'complex' && attribute.multiValued ? 'value' : null)
  return listValues(members[attribute.name]).flatMap((value) =>
    part === null ? [value] : listValues(isObject(value) ? value[part] : undefined),
  )
}

const fold = (text: string, { caseExact }: Attribute): string =>
  caseExact ? text : text.normalize('NFKC').toLowerCase()

/** Negative, zero or positive. */
const order = (a: string, b: string, compared: Attribute): number => {
  if (compared.type === 'dateTime') return Date.parse(a) - Date.parse(b)
  const [left, right] = [fold(a, compared), fold(b, compared)]
  return left < right ? -1 : Number(left > right)
}

const compare = (
  { operator, place, value }: Extract<ScimFilter, { kind: 'compare' }>,
  found: unknown,
): boolean => {
  if (typeof value !== 'string' || typeof found !== 'string') return found === value
  const { attribute, sub } = place
  const compared =
    sub ??
    attribute.subAttributes?.find(({ name }) => name === 'value' && attribute.multiValued) ??
    attribute
  const [left, right] = [fold(found, compared), fold(value, compared)]
  switch (operator) {
    case 'co':
      return left.includes(right)
    case 'sw':
      return left.startsWith(right)
    case 'ew':
      return left.endsWith(right)
    case 'gt':
      return order(found, value, compared) > 0
    case 'ge':
      return order(found, value, compared) >= 0
    case 'lt':
      return order(found, value, compared) < 0
    case 'le':
      return order(found, value, compared) <= 0
    default:
      return order(found, value, compared) === 0
  }
}

/** Whether a resource, or a value of a list, meets a filter. */
export const isMet = (filter: ScimFilter, members: ScimMembers): boolean => {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => isMet(part, members))
    case 'or':
      return filter.parts.some((part) => isMet(part, members))
    case 'not':
      return !isMet(filter.part, members)
    case 'present':
      return readPlace(filter.place, members).length > 0
    case 'values':
      return listValues(members[filter.attribute.name]).some(
        (value) => isObject(value) && isMet(filter.filter, value),
      )
    case 'compare': {
      const found = readPlace(filter.place, members)
      if (filter.value === null) return (found.length === 0) === (filter.operator === 'eq')
      if (filter.operator === 'ne') {
        return !found.some((one) => compare({ ...filter, operator: 'eq' }, one))
      }
      return found.some((one) => compare(filter, one))
    }
  }
}

/** `emails.value` and the text it has to be, for each part that has to hold. */
export const listEqualities = (
  filter: ScimFilter,
  within = '',
): readonly (readonly [string, string])[] => {
  if (filter.kind === 'and') return filter.parts.flatMap((part) => listEqualities(part, within))
  if (filter.kind === 'values') return listEqualities(filter.filter, `${filter.attribute.name}.`)
  if (filter.kind !== 'compare' || filter.operator !== 'eq') return []
  const { attribute, sub } = filter.place
  const part = sub?.name ?? (attribute.multiValued ? 'value' : null)
  const name = `${within}${attribute.name}${part === null ? '' : `.${part}`}`
  return typeof filter.value === 'string' ? [[name, filter.value]] : []
}

/** Whether a filter asks for an attribute. */
export const isAbout = (filter: ScimFilter, name: string): boolean => {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.parts.some((part) => isAbout(part, name))
    case 'not':
      return isAbout(filter.part, name)
    case 'values':
      return filter.attribute.name === name
    default:
      return filter.place.attribute.name === name
  }
}
