/** PATCH (RFC 7644 section 3.5.2): the operations of a request, and what they make of a resource. */

import { isObject } from '../../model/json.ts'
import { badPath, badSyntax, badValue, noTarget, readOnly, readWord } from './errors.ts'
import { parseValueFilter, type ScimFilter } from './filter.ts'
import { scimLimits } from './limits.ts'
import { isMet, listEqualities } from './match.ts'
import type { ScimMembers } from './members.ts'
import {
  type Attribute,
  findAttribute,
  findPlace,
  isSchemaNamed,
  isUnkept,
  type ResourceKind,
  readMember,
} from './schema.ts'

/** What an operation works on. */
export interface PatchTarget {
  readonly attribute: Attribute
  /** Which values of a list; null for all of them. */
  readonly filter: ScimFilter | null
  readonly sub: Attribute | null
}

export interface PatchChange {
  readonly op: 'add' | 'remove' | 'replace'
  readonly target: PatchTarget
  /** Undefined where the operation has none. */
  readonly value: unknown
}

const message = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

const checkPath = (path: string): void => {
  if (path.length <= scimLimits.pathCharacters) return
  throw badPath(`a path is longer than ${scimLimits.pathCharacters} characters`)
}

/** `emails[type eq "work"].value`. Null for an attribute that is not kept. @throws Refusal `invalidPath`, `invalidFilter` */
export const parsePath = (path: string, kind: ResourceKind): PatchTarget | null => {
  checkPath(path)
  const [, before = '', filter, sub] = /^([^[\]]*)(?:(\[.*\])(?:\.([^[\]]*))?)?$/s.exec(path) ?? []
  const place = findPlace(before, kind)
  if (place === null || (filter !== undefined && place.sub !== null)) {
    if (isUnkept(path, kind)) return null
    throw badPath('a path leads to no attribute of the resource: /Schemas lists them')
  }
  if (filter === undefined) return { ...place, filter: null }
  const { attribute } = place
  if (!attribute.multiValued) throw badPath(`${attribute.name} is no list, so it takes no filter`)
  const parsed = parseValueFilter(filter, attribute)
  if (sub === undefined) return { attribute, filter: parsed, sub: null }
  const found = findAttribute(sub, attribute.subAttributes)
  if (found !== undefined) return { attribute, filter: parsed, sub: found }
  if (isUnkept(path, kind)) return null
  throw badPath(`a path leads to no part of ${attribute.name}: /Schemas lists them`)
}

/** Members that answers have, and that come back with a value without a path. */
const echoed: readonly string[] = ['schemas', 'meta', 'groups']

const checkWritable = ({ attribute, sub }: PatchTarget): void => {
  if (attribute.mutability !== 'readOnly' && sub?.mutability !== 'readOnly') return
  throw readOnly(`${sub?.name ?? attribute.name} is read only`)
}

/** The changes of a value without a path: a member each. Its names may be paths as well. */
const spread = (
  op: PatchChange['op'],
  value: unknown,
  kind: ResourceKind,
  ownId: string,
): readonly PatchChange[] => {
  if (!isObject(value)) throw badValue('without a path, value has to be an object of attributes')
  return Object.entries(value).flatMap(([name, member]) => {
    checkPath(name)
    // Some directories send the id along.
    const isEcho = echoed.includes(name) || (name === 'id' && member === ownId)
    if (isEcho || isUnkept(name, kind)) return []
    if (name.toLowerCase() === kind.schema.toLowerCase()) return spread(op, member, kind, ownId)
    return makeChange(op, name, member, kind)
  })
}

const makeChange = (
  op: PatchChange['op'],
  path: string,
  value: unknown,
  kind: ResourceKind,
): readonly PatchChange[] => {
  const target = parsePath(path, kind)
  if (target === null) return []
  checkWritable(target)
  return [{ op, target, value }]
}

const parseOperation = (
  given: unknown,
  kind: ResourceKind,
  ownId: string,
): readonly PatchChange[] => {
  if (!isObject(given)) throw badSyntax('Operations has to be a list of objects')
  const op = (readWord(readMember(given, 'op'), 'op') ?? '').toLowerCase()
  const path = readMember(given, 'path') ?? null
  const value = readMember(given, 'value')
  if (op !== 'add' && op !== 'remove' && op !== 'replace') {
    throw badSyntax('op has to be add, remove or replace')
  }
  if (path !== null && typeof path !== 'string') throw badPath('path has to be a text')
  if (op === 'remove') {
    if (path === null || path === '') throw noTarget('remove needs a path')
    return makeChange(op, path, value, kind)
  }
  if (value === undefined) throw badValue(`${op} needs a value`)
  return path === null || path === ''
    ? spread(op, value, kind, ownId)
    : makeChange(op, path, value, kind)
}

/**
 * The changes of a request, in their order. Changes of attributes that are not kept are left out.
 *
 * @throws Refusal `invalidSyntax`, `invalidPath`, `invalidFilter`, `invalidValue`, `mutability`, `noTarget`
 */
export const parsePatch = (
  body: ScimMembers,
  kind: ResourceKind,
  ownId: string,
): readonly PatchChange[] => {
  const schemas = readMember(body, 'schemas')
  const operations = readMember(body, 'Operations')
  if (!isSchemaNamed(schemas, message)) throw badSyntax(`schemas has to name ${message}`)
  if (!Array.isArray(operations) || operations.length === 0) {
    throw badSyntax('Operations has to be a list with an entry at least')
  }
  if (operations.length > scimLimits.operations) {
    throw badSyntax(`Operations has more than ${scimLimits.operations} entries`)
  }
  return operations.flatMap((one) => parseOperation(one, kind, ownId))
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)

/** Without a value, the member goes. */
const setMember = (members: ScimMembers, name: string, value: unknown): ScimMembers => {
  const { [name]: _, ...others } = members
  return isEmpty(value) ? others : { ...others, [name]: value }
}

/** The parts of an object by the names of the schema; further ones stay out. */
export const readParts = (given: unknown, { name, subAttributes }: Attribute): ScimMembers => {
  if (!isObject(given)) throw badValue(`${name} has to be made of objects`)
  const parts = (subAttributes ?? []).map((sub) => [sub.name, readMember(given, sub.name)])
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined && value !== null))
}

const checkLength = <Value>(values: readonly Value[], { name }: Attribute): readonly Value[] => {
  if (values.length <= scimLimits.values) return values
  throw badValue(`${name} has more than ${scimLimits.values} values`)
}

export const readList = (given: unknown, attribute: Attribute): readonly ScimMembers[] =>
  given === undefined || given === null
    ? []
    : checkLength([given].flat(), attribute).map((value) => readParts(value, attribute))

/** Of the values of a list one is primary: the last that was made so (section 3.5.2). */
const settlePrimary = (values: readonly ScimMembers[], before: readonly ScimMembers[]) => {
  const isPrimary = (value: ScimMembers) => /^true$/i.test(readWord(value.primary, 'primary') ?? '')
  const newest = values.findLast((value) => isPrimary(value) && !before.includes(value))
  if (newest === undefined) return values
  return values.map((value) =>
    value !== newest && isPrimary(value) ? { ...value, primary: false } : value,
  )
}

/** What a value has to be so that the filter finds it from then on. */
const makeMatching = (filter: ScimFilter): ScimMembers =>
  Object.fromEntries(listEqualities(filter).map(([name, value]) => [name, value]))

const changeValues = (
  before: readonly ScimMembers[],
  { op, target: { attribute, filter, sub }, value }: PatchChange,
): readonly ScimMembers[] => {
  const given = (): ScimMembers =>
    sub === null ? readParts([value].flat()[0], attribute) : { [sub.name]: value }
  if (filter === null && sub === null) {
    const listed = readList(value, attribute)
    if (op === 'replace') return listed
    const others = before.filter((one) => !listed.some((other) => other.value === one.value))
    if (op === 'remove') return value === undefined || value === null ? [] : others
    return [...others, ...listed]
  }
  const isMeant = (one: ScimMembers): boolean => filter === null || isMet(filter, one)
  if (!before.some(isMeant)) {
    if (op !== 'add') throw noTarget(`no value of ${attribute.name} is meant by the path`)
    return [...before, { ...(filter === null ? {} : makeMatching(filter)), ...given() }]
  }
  if (op === 'remove' && sub === null) return before.filter((one) => !isMeant(one))
  return before.map((one) => {
    if (!isMeant(one)) return one
    return op === 'remove' && sub !== null ? setMember(one, sub.name, null) : { ...one, ...given() }
  })
}

/** A resource after one change. @throws Refusal `noTarget`, `invalidValue` */
export const applyChange = (resource: ScimMembers, change: PatchChange): ScimMembers => {
  const { op, target, value } = change
  const { attribute, sub } = target
  const { name } = attribute
  if (attribute.multiValued) {
    const before = readList(resource[name], attribute)
    const after = settlePrimary(checkLength(changeValues(before, change), attribute), before)
    return setMember(resource, name, after)
  }
  const given = op === 'remove' ? null : value
  if (attribute.type === 'boolean' && isEmpty(given)) {
    throw badValue(`${name} has to be true or false, and is never without a value`)
  }
  if (attribute.type !== 'complex') return setMember(resource, name, given)
  const parts = isObject(resource[name]) ? resource[name] : {}
  if (sub !== null) return setMember(resource, name, setMember(parts, sub.name, given))
  return setMember(
    resource,
    name,
    given === null ? null : { ...parts, ...readParts(given, attribute) },
  )
}

/** The attributes of a whole resource that are kept, by the names of the schema. */
export const readResource = (body: ScimMembers, kind: ResourceKind): ScimMembers => {
  const { schema, own } = kind
  const schemas = readMember(body, 'schemas')
  if (!isSchemaNamed(schemas, schema)) throw badSyntax(`schemas has to name ${schema}`)
  const read = [...own.map(({ name }) => name), 'externalId'].map((name) => [
    name,
    readMember(body, name),
  ])
  return Object.fromEntries(read.filter(([, value]) => value !== undefined && value !== null))
}
