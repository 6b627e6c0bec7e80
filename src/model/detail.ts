/** Details of an authorization: actions on one resource, with values (RFC 9396 section 2). */

import type { JsonObject } from './json.ts'
import type { Permission } from './resource.ts'

/** The value of a member that a resource declares. */
export type MemberValue = string | number | boolean

/** One element of `authorization_details`, checked, and as its client wrote it. */
export interface Detail extends JsonObject {
  /** The name of a resource. */
  readonly type: string
  readonly actions: readonly string[]
}

/** Members that every detail may have. All others are declared by the resource. */
export const commonMembers = ['type', 'actions', 'locations', 'identifier'] as const

/** The one item that it is about; null for all. */
export const getIdentifier = ({ identifier }: Detail): string | null =>
  typeof identifier === 'string' ? identifier : null

/** The members of the resource's own, in the order of the client. */
export const listOwnMembers = (detail: Detail): readonly (readonly [string, MemberValue])[] =>
  Object.entries(detail).filter(
    ([name]) => !commonMembers.some((common) => common === name),
  ) as unknown as readonly (readonly [string, MemberValue])[]

/** All but the actions. `locations` says nothing: it can only be the `uri` of the resource. */
const makeRestKey = (detail: Detail): string =>
  JSON.stringify(
    Object.entries(detail)
      .filter(([name]) => name !== 'actions' && name !== 'locations')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

/** Equal for details with the same members and actions, in any order. */
export const makeDetailKey = (detail: Detail): string =>
  JSON.stringify([[...detail.actions].sort(), makeRestKey(detail)])

/** Details of which one of some others allows all: the same values, and each of the actions. */
export const intersectDetails = (
  details: readonly Detail[],
  others: readonly Detail[],
): readonly Detail[] => {
  const known = others.map((other) => ({ rest: makeRestKey(other), allowed: other.actions }))
  return details.filter((detail) => {
    const key = makeRestKey(detail)
    return known.some(
      ({ rest, allowed }) =>
        rest === key && detail.actions.every((action) => allowed.includes(action)),
    )
  })
}

/** Details without an equal among others. */
export const subtractDetails = (
  details: readonly Detail[],
  others: readonly Detail[],
): readonly Detail[] => {
  const keys = new Set(others.map(makeDetailKey))
  return details.filter((detail) => !keys.has(makeDetailKey(detail)))
}

/** The names of what they allow, as permissions are written: each once, in alphabetical order. */
export const listDetailNames = (details: readonly Detail[]): readonly Permission[] => {
  const names = details.flatMap(({ type, actions }) =>
    actions.map((action): Permission => `${type}:${action}`),
  )
  return [...new Set(names)].sort()
}
