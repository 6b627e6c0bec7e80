/**
 * Judges a history against the promises. It knows nothing about the run behind it, so it judges
 * simulated and real ones alike.
 *
 * I1: an acknowledged change is never undone. I2: a code and a refresh token earn once. I3: after
 * an end, every answer says so. I4: an operation without an answer happened completely or not at
 * all. I5: without a promise there is no answer. I1 to I4 are one question for each line: does some
 * order of its operations explain all answers?
 */
import { clockSkewSeconds } from '../../src/clock.ts'
import { accessSpecification, bearsUponAccess } from './access-model.ts'
import {
  detailFindings,
  exchangeFindings,
  type Finding,
  grantFindings,
  narrowingFindings,
} from './granted.ts'
import { signalFindings } from './heard.ts'
import { type Deed, describe, type History, type Line, lineOf, type Operation } from './history.ts'
import { type LineStep, specifyLine } from './line-model.ts'
import { checkLinearizable, type Specification, type Step } from './linear.ts'

/** The allowed difference of node clocks, and a second for rounding down. */
const slackSeconds = clockSkewSeconds + 1

const isWrite = ({ deed: { kind } }: Operation): boolean =>
  ![
    'use',
    'exchange',
    'hold',
    'get',
    'log in',
    'visit',
    'trespass',
    'nonce',
    'see grant',
    'follow',
    'hear',
  ].includes(kind)

/** Where there was no answer the effect of an operation may come at any time, or never. */
const spanOf = ({ invoked, answered, result }: Operation) => ({
  invoked,
  answered: result === 'unknown' ? null : answered,
})

const isConnected = (poll: Operation, operations: readonly Operation[]): boolean =>
  operations.some(
    ({ deed, invoked }) =>
      (deed.kind === 'connect' || (deed.kind === 'decide' && deed.allows)) &&
      deed.line === lineOf(poll.deed) &&
      invoked < (poll.answered ?? Number.POSITIVE_INFINITY),
  )

const outrightFindings = ({ operations, faults }: History): readonly Finding[] => [
  ...faults.map((fault) => ({ rule: `a fault of the program: ${fault}`, about: [] })),
  ...operations.flatMap((operation) => {
    const { status, deed, result } = operation
    const found = (rule: string): readonly Finding[] => [{ rule, about: [operation] }]
    if (status !== null && status >= 500 && status !== 503) return found(`answered ${status}`)
    if (deed.kind === 'trespass' && result === 'yes') return found('let in without a right')
    if (deed.kind === 'poll' && result === 'yes' && !isConnected(operation, operations)) {
      return found('tokens for a poll without the owner')
    }
    if (deed.kind === 'nonce' && result === 'no') return found('a fresh nonce is refused')
    const late = 'expiresAt' in deed && deed.expiresAt !== null && isLate(operation, deed.expiresAt)
    return late ? found('let in after its end') : []
  }),
]

const isLate = ({ deed, result, invokedAt }: Operation, expiresAt: number): boolean =>
  deed.kind !== 'revoke' && result === 'yes' && invokedAt > expiresAt

/** Whether an operation other than on the line's own code and tokens bears upon it. */
const bearsUpon = ({ deed }: Operation, line: Line): boolean => {
  switch (deed.kind) {
    case 'end authorization':
    case 'change grant':
      return deed.authorization === line.authorization
    case 'end issuer':
      return line.authorization.startsWith(`${deed.issuer}/`)
    case 'end session':
      return deed.session === line.visit?.session
    case 'suspend':
    case 'resume':
      return 'client' in deed ? deed.client === line.client : deed.owner === line.owner
    case 'set password':
      return deed.owner === line.owner
    case 'pause':
    case 'unpause':
      return deed.client === line.client && deed.owner === line.owner
    case 'cut branch':
      return line.under !== undefined && deed.authorization === line.authorization
    default:
      return endsBelow(deed, line) !== 'no'
  }
}

/** Whether an exchanged token ends by a deed on the line of its subject token. */
const endsBelow = (deed: Deed, { under }: Line): 'yes' | 'no' | 'maybe' => {
  if (under === undefined || lineOf(deed) !== under.line) return 'no'
  if (deed.kind === 'revoke') return [null, under.token].includes(deed.token) ? 'yes' : 'no'
  // Its code or a refresh token may have come again, which ends the line.
  return ['redeem', 'burn', 'poll', 'refresh'].includes(deed.kind) ? 'maybe' : 'no'
}

/** Whether some of what the line was granted, or all of it and so the line, may have been taken away. */
const mayBeNarrowed = (line: Line, at: Operation, operations: readonly Operation[]): boolean =>
  operations.some(({ deed, invoked, result }) => {
    if (invoked > (at.answered ?? 0) || result === 'no') return false
    if (deed.kind === 'narrow') return deed.authorization === line.authorization
    if (deed.kind === 'cut branch') {
      const isBranch = line.under !== undefined || at.deed.kind === 'exchange'
      return isBranch && deed.client === line.client && deed.owner === line.owner
    }
    return (
      deed.kind === 'approve' &&
      deed.client === line.client &&
      deed.owner === line.owner &&
      deed.allowed.length < deed.asked.length
    )
  })

/** Whether the login sessions of an owner may have ended before the answer. */
const mayBeLoggedOut = (owner: string, at: Operation, operations: readonly Operation[]): boolean =>
  operations.some(
    ({ deed, invoked }) =>
      (deed.kind === 'set password' || deed.kind === 'suspend') &&
      'owner' in deed &&
      deed.owner === owner &&
      invoked < (at.answered ?? Number.POSITIVE_INFINITY),
  )

const isExcused = (line: Line, at: Operation, operations: readonly Operation[]): boolean => {
  const { deed, answeredAt } = at
  const end = 'expiresAt' in deed ? (deed.endsFrom ?? deed.expiresAt) : null
  if (end !== null && answeredAt + slackSeconds >= end) return true
  if (deed.kind === 'use' && deed.permission !== null && line.under !== undefined) {
    if (!line.under.rights.includes(deed.permission)) return true
  }
  if (deed.kind === 'decide') return mayBeLoggedOut(line.owner, at, operations)
  return deed.kind !== 'poll' && mayBeNarrowed(line, at, operations)
}

/** Whether a line was there already when an operation happened. */
const wasThere = (
  line: Line,
  { invoked, answered }: Operation,
  operations: readonly Operation[],
): 'yes' | 'no' | 'maybe' => {
  const issue = operations[line.issue]
  if ((issue?.answered ?? Number.POSITIVE_INFINITY) < invoked) return 'yes'
  return (issue?.invoked ?? 0) > (answered ?? Number.POSITIVE_INFINITY) ? 'no' : 'maybe'
}

/** A new password ends earlier approvals; a concurrent one may go either way. */
const stepOf = (line: Line, operation: Operation, { operations }: History): readonly LineStep[] => {
  const { deed, answered, result } = operation
  const begun = operations[line.since ?? -1]
  const isEarlier = (answered ?? Number.POSITIVE_INFINITY) < (begun?.invoked ?? 0)
  if (isEarlier && result !== 'unknown') return []
  const there = wasThere(line, operation, operations)
  const isOfStanding = ['set password', 'pause', 'unpause', 'change grant'].includes(deed.kind)
  if (isOfStanding && there === 'no') return []
  const visits = deed.kind === 'suspend' && 'owner' in deed && line.visit !== null
  const endsVisit = !visits ? 'no' : there === 'yes' && !line.visit.sure ? 'maybe' : there
  const optional =
    (isOfStanding && there === 'maybe') ||
    (deed.kind === 'end session' && line.visit?.sure !== true)
  const excused = isExcused(line, operation, operations)
  const below = endsBelow(deed, line)
  return [
    { ...spanOf(operation), act: { operation, excused, optional, endsVisit, endsBelow: below } },
  ]
}

const lineFindings = (history: History): readonly Finding[] =>
  history.lines.flatMap((line): readonly Finding[] => {
    const concerned = history.operations.filter(
      (operation) =>
        (lineOf(operation.deed) === line.id || bearsUpon(operation, line)) &&
        (operation.result !== 'unknown' || isWrite(operation)) &&
        (operation.result !== 'no' ||
          lineOf(operation.deed) === line.id ||
          endsBelow(operation.deed, line) === 'maybe'),
    )
    const steps = concerned.flatMap((operation) => stepOf(line, operation, history))
    const verdict = checkLinearizable(steps, specifyLine(line))
    if (verdict === 'linearizable') return []
    return [{ rule: `no order explains the answers about one code (${verdict})`, about: concerned }]
  })

/** What a `jti` or a pushed request was: used up or not. */
const spendSpecification: Specification<Operation, boolean> = {
  initial: false,
  model: (isSpent, { result }) => {
    if (result === 'unknown') return [isSpent, true]
    return isSpent === (result === 'no') ? [true] : []
  },
  isRead: () => false,
  nameOf: String,
}

const spendingFindings = ({ operations }: History): readonly Finding[] => {
  const spending = operations.filter(({ deed }) => deed.kind === 'spend')
  const byId = Map.groupBy(spending, ({ deed }) => ('id' in deed ? deed.id : ''))
  return [...byId.values()].flatMap((about): readonly Finding[] => {
    const steps = about.map((act) => ({ ...spanOf(act), act }))
    const verdict = checkLinearizable(steps, spendSpecification)
    if (verdict === 'linearizable') return []
    return [{ rule: `no order explains the answers about one use (${verdict})`, about }]
  })
}

const accessFindings = ({ operations }: History): readonly Finding[] => {
  const names = new Set(
    operations.flatMap(({ deed }) => (deed.kind === 'open' ? [deed.access] : [])),
  )
  return [...names].flatMap((access): readonly Finding[] => {
    const about = operations.filter(
      ({ deed, result }) =>
        (deed.kind === 'open' && deed.access === access) ||
        (result !== 'no' && bearsUponAccess(deed, access)),
    )
    const steps = about.map((act) => ({ ...spanOf(act), act }))
    const verdict = checkLinearizable(steps, accessSpecification)
    if (verdict === 'linearizable') return []
    return [{ rule: `no order explains the answers about one issuer (${verdict})`, about }]
  })
}

interface Register {
  readonly value: string | number | null
}

/** An item, or a password: a read gives the last write. */
const registerSpecification = (initial: Register): Specification<Operation, Register> => ({
  initial,
  model: (state, { deed, result, brought }) => {
    const yes = result !== 'no'
    switch (deed.kind) {
      case 'put':
        if (deed.onlyNew && yes) {
          if (state.value !== null) return result === 'unknown' ? [state] : []
          return [{ value: deed.value }]
        }
        if (deed.onlyNew) return state.value === null ? [] : [state]
        return [yes ? { value: deed.value } : state]
      case 'get':
        return state.value === brought ? [state] : []
      case 'set password':
        return [yes ? { value: deed.password } : state]
      case 'log in':
        return (state.value === deed.password) === yes ? [state] : []
      default:
        return [state]
    }
  },
  isRead: ({ deed: { kind } }) => kind === 'get' || kind === 'log in',
  nameOf: ({ value }) => String(value),
})

const registerFindings = (
  rule: string,
  operations: readonly Operation[],
  initial: Register,
): readonly Finding[] => {
  const known = operations.filter((one) => one.result !== 'unknown' || isWrite(one))
  const steps: Step<Operation>[] = known.map((act) => ({ ...spanOf(act), act }))
  const verdict = checkLinearizable(steps, registerSpecification(initial))
  return verdict === 'linearizable' ? [] : [{ rule: `${rule} (${verdict})`, about: known }]
}

const itemFindings = ({ operations }: History): readonly Finding[] => {
  const touched = operations.filter(({ deed, result }) => {
    if (deed.kind === 'put') return deed.onlyNew || result !== 'no'
    return deed.kind === 'get' && result === 'yes'
  })
  const byItem = Map.groupBy(touched, ({ deed }) => ('item' in deed ? deed.item : ''))
  return [...byItem.values()].flatMap((of) =>
    registerFindings('no order explains the answers about one item', of, { value: null }),
  )
}

/** @param passwords what each owner's password is at first */
const passwordFindings = (
  { operations }: History,
  passwords: ReadonlyMap<string, string>,
): readonly Finding[] =>
  [...passwords].flatMap(([owner, password]) => {
    const about = operations.filter(({ deed }) => 'password' in deed && deed.owner === owner)
    // An owner who may be suspended is refused with the right password, too.
    const mayBeOut = (at: Operation): boolean =>
      operations.some(
        ({ deed, invoked }) =>
          deed.kind === 'suspend' &&
          'owner' in deed &&
          deed.owner === owner &&
          invoked < (at.answered ?? 0),
      )
    const telling = about.filter(
      (one) => one.deed.kind !== 'log in' || one.result === 'yes' || !mayBeOut(one),
    )
    const rule = 'no order explains the answers about one password'
    return registerFindings(rule, telling, { value: password })
  })

export const audit = (
  history: History,
  passwords: ReadonlyMap<string, string>,
): readonly Finding[] => [
  ...outrightFindings(history),
  ...lineFindings(history),
  ...narrowingFindings(history),
  ...exchangeFindings(history),
  ...grantFindings(history),
  ...signalFindings(history),
  ...detailFindings(history),
  ...spendingFindings(history),
  ...accessFindings(history),
  ...itemFindings(history),
  ...passwordFindings(history, passwords),
]

export type { Finding } from './granted.ts'

export const explain = ({ rule, about }: Finding): string =>
  [rule, ...about.map((operation) => `  ${describe(operation)}`)].join('\n')
