/** Judges what an API hears by its stream: of each end, and of nothing else. */
import type { Finding } from './granted.ts'
import { type Deed, type History, type Line, lineOf, type Operation } from './history.ts'

const endOf = ({ answered }: Operation): number => answered ?? Number.POSITIVE_INFINITY

/** Whether a deed may end something of an authorization, or make it worth less. */
const mayTouch = (deed: Deed, { authorization, client, owner }: Line): boolean => {
  switch (deed.kind) {
    case 'end authorization':
    case 'narrow':
      return deed.authorization === authorization
    case 'approve':
    case 'pause':
    case 'unpause':
      return deed.client === client && deed.owner === owner
    case 'suspend':
    case 'resume':
      return 'client' in deed ? deed.client === client : deed.owner === owner
    case 'set password':
      return deed.owner === owner
    case 'end session':
      return true
    default:
      return false
  }
}

/** A revocation, or a code or a refresh token that came again. */
const mayEndFamily = ({ deed, result }: Operation, { id }: Line): boolean =>
  lineOf(deed) === id &&
  (deed.kind === 'revoke' ||
    (['redeem', 'burn', 'poll', 'refresh'].includes(deed.kind) && result !== 'yes'))

/** Nothing is told that did not happen. */
const inventedFindings = ({ lines, operations }: History): readonly Finding[] =>
  operations.flatMap((hear): readonly Finding[] => {
    if (hear.deed.kind !== 'hear') return []
    const before = operations.filter(({ invoked }) => invoked < endOf(hear))
    const named = (hear.told ?? []).filter((subject) => subject !== '')
    const invented = named.find((subject) => {
      const of = lines.filter((line) => subject === line.authorization || subject === line.id)
      const may = (operation: Operation): boolean =>
        of.some((line) => mayTouch(operation.deed, line) || mayEndFamily(operation, line))
      return of.length > 0 && !before.some(may)
    })
    return invented === undefined ? [] : [{ rule: `nothing ended of ${invented}`, about: [hear] }]
  })

/** Whether a line could be used at the API between two operations, so that its end is news. */
const livedBetween = (
  line: Line,
  since: Operation,
  until: Operation,
  operations: readonly Operation[],
): boolean =>
  operations.some(
    ({ deed, result, invoked, answered }) =>
      deed.kind === 'use' &&
      deed.line === line.id &&
      deed.permission?.startsWith('photos:') === true &&
      result === 'yes' &&
      invoked > endOf(since) &&
      (answered ?? Number.POSITIVE_INFINITY) < until.invoked,
  )

/** Once nothing more waits, each acknowledged end was told, or that of all of its owner. */
const lostFindings = ({ lines, operations }: History): readonly Finding[] => {
  const follow = operations.find(({ deed, result }) => deed.kind === 'follow' && result === 'yes')
  const hears = operations.filter(({ deed, result }) => deed.kind === 'hear' && result === 'yes')
  const last = hears.at(-1)
  if (follow === undefined || last?.brought !== 0) return []
  const told = new Set(hears.flatMap((hear) => hear.told ?? []))
  return operations.flatMap((end): readonly Finding[] => {
    const { deed, result } = end
    if (deed.kind !== 'end authorization' || result !== 'yes' || endOf(end) > last.invoked) {
      return []
    }
    const line = lines.find(
      (one) =>
        one.authorization === deed.authorization &&
        one.under === undefined &&
        livedBetween(one, follow, end, operations),
    )
    if (line === undefined || told.has(line.authorization) || told.has(line.owner)) return []
    return [{ rule: 'an end is not told', about: [follow, end, last] }]
  })
}

export const signalFindings = (history: History): readonly Finding[] => [
  ...inventedFindings(history),
  ...lostFindings(history),
]
