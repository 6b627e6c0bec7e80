/** Judges the worth of tokens: nothing beyond the consent of an owner, and nothing that was taken away (I3). */
import type { History, Line, Operation } from './history.ts'

export interface Finding {
  readonly rule: string
  /** The operations that cannot all be right, in order. */
  readonly about: readonly Operation[]
}

const endOf = ({ answered }: Operation): number => answered ?? Number.POSITIVE_INFINITY

/** The permission for a use, and the actions in detail in its answer. */
const listUsed = ({ deed, told }: Operation): readonly string[] => [
  ...('permission' in deed && deed.permission !== null ? [deed.permission] : []),
  ...(told ?? []),
]

/** Consents after which the client of a line may have something, begun before the end of an operation. */
const listGrants = (
  name: string,
  line: Pick<Line, 'client' | 'owner'>,
  until: Operation,
  operations: readonly Operation[],
): readonly Operation[] =>
  operations.filter(
    ({ deed, invoked, result }) =>
      deed.kind === 'approve' &&
      deed.client === line.client &&
      deed.owner === line.owner &&
      deed.allowed.includes(name) &&
      result !== 'no' &&
      invoked < endOf(until),
  )

/** Whether a consent may have come between two operations. */
const isRegained = (
  name: string,
  line: Pick<Line, 'client' | 'owner'>,
  since: Operation,
  until: Operation,
  operations: readonly Operation[],
): boolean =>
  listGrants(name, line, until, operations).some(
    (grant) => grant.result === 'unknown' || endOf(grant) > since.invoked,
  )

/** Positive answers about a line, with what each of them was worth. */
const listUses = ({ lines, operations }: History) => {
  const lineById = new Map(lines.map((line) => [line.id, line]))
  return operations.flatMap((use) => {
    const line = 'line' in use.deed ? lineById.get(use.deed.line) : undefined
    const names = use.result === 'yes' ? listUsed(use) : []
    return line === undefined ? [] : names.map((name) => ({ use, line, name }))
  })
}

/** A permission that was taken away stays away, until the owner is asked again. */
export const narrowingFindings = (history: History): readonly Finding[] => {
  const { operations } = history
  const narrowings = operations.filter(
    ({ deed, result }) => deed.kind === 'narrow' && result === 'yes',
  )
  return listUses(history).flatMap(({ use, line, name }): readonly Finding[] => {
    const lost = narrowings.find(
      (one) =>
        one.deed.kind === 'narrow' &&
        one.deed.authorization === line.authorization &&
        !one.deed.kept.includes(name) &&
        endOf(one) < use.invoked &&
        !isRegained(name, line, one, use, operations),
    )
    if (lost === undefined) return []
    return [{ rule: 'a permission that was taken away is used', about: [lost, use] }]
  })
}

/** An exchanged token is worth no more than its subject token, and nothing once its branch was cut. */
export const exchangeFindings = (history: History): readonly Finding[] => {
  const { operations } = history
  const cuts = operations.filter(
    ({ deed, result }) => deed.kind === 'cut branch' && result === 'yes',
  )
  const mayHaveLoggedIn = ({ owner }: Line, since: Operation, until: Operation): boolean =>
    operations.some(
      (one) =>
        one.deed.kind === 'log in' &&
        one.deed.owner === owner &&
        one.result !== 'no' &&
        one.invoked < endOf(until) &&
        endOf(one) > since.invoked,
    )
  return listUses(history).flatMap(({ use, line, name }): readonly Finding[] => {
    const isExchange = use.deed.kind === 'exchange'
    if (!isExchange && line.under === undefined) return []
    const part = use.deed.kind === 'exchange' ? use.deed.part : (line.under?.rights ?? [])
    if (!part.includes(name)) return [{ rule: 'more than the subject token allows', about: [use] }]
    const cut = cuts.find(
      (one) =>
        one.deed.kind === 'cut branch' &&
        one.deed.client === line.client &&
        one.deed.owner === line.owner &&
        (isExchange || one.deed.authorization === line.authorization) &&
        !one.deed.kept.includes(name) &&
        endOf(one) < use.invoked &&
        !mayHaveLoggedIn(line, one, use),
    )
    return cut === undefined ? [] : [{ rule: 'a branch that was cut is used', about: [cut, use] }]
  })
}

/** The client sees a grant while it lasts, and no more than what the owner allows. */
export const grantFindings = ({ operations }: History): readonly Finding[] =>
  operations.flatMap((see): readonly Finding[] => {
    const { deed, result, told } = see
    if (deed.kind !== 'see grant') return []
    const { authorization } = deed
    const ends = operations.filter(
      (one) =>
        one.deed.kind === 'end authorization' &&
        one.deed.authorization === authorization &&
        one.result !== 'no' &&
        one.invoked < endOf(see),
    )
    const mayBeOut = operations.some(
      (one) =>
        ['suspend', 'end session'].includes(one.deed.kind) &&
        one.result !== 'no' &&
        one.invoked < endOf(see),
    )
    if (result === 'no' && ends.length === 0 && !mayBeOut) {
      return [{ rule: 'a grant is gone without an end', about: [see] }]
    }
    if (result !== 'yes') return []
    const end = ends.find((one) => one.result === 'yes' && endOf(one) < see.invoked)
    if (end !== undefined) return [{ rule: 'a grant is seen after its end', about: [end, see] }]
    return (told ?? []).flatMap((name): readonly Finding[] => {
      if (listGrants(name, deed, see, operations).length === 0) {
        return [{ rule: 'more is seen than was granted', about: [see] }]
      }
      const lost = operations.find(
        (one) =>
          one.deed.kind === 'narrow' &&
          one.deed.authorization === authorization &&
          one.result === 'yes' &&
          !one.deed.kept.includes(name) &&
          endOf(one) < see.invoked &&
          !isRegained(name, deed, one, see, operations),
      )
      return lost === undefined ? [] : [{ rule: 'what was taken away is seen', about: [lost, see] }]
    })
  })

/** Details are those that somebody allowed and the client asked for, and a refresh brings no further ones. */
export const detailFindings = (history: History): readonly Finding[] => {
  const { operations } = history
  return listUses(history).flatMap(({ use, line, name }): readonly Finding[] => {
    const { deed, told } = use
    if (told === null || !('within' in deed)) return []
    const found = (rule: string, ...about: readonly Operation[]) => [{ rule, about }]
    if (!deed.within.includes(name)) return found('a detail that was not asked for', use)
    if (listGrants(name, line, use, operations).length === 0) {
      return found('a detail that nobody allowed', use)
    }
    const narrower = operations.find(
      (one) =>
        'line' in one.deed &&
        one.deed.line === line.id &&
        'within' in one.deed &&
        one.deed.within.includes(name) &&
        one.told?.includes(name) === false &&
        endOf(one) < use.invoked &&
        !isRegained(name, line, one, use, operations),
    )
    return narrower === undefined ? [] : found('details have grown', narrower, use)
  })
}
