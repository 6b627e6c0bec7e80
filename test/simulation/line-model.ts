/**
 * A line as a sequential machine. A code is fresh, then redeemed, then gone with all of its tokens. Before that, a
 * request was asked: its owner makes it a fresh code, or denies it.
 * Meanwhile its client and its owner may be suspended, and single access tokens revoked.
 */
import type { Line, Operation } from './history.ts'
import type { Specification, Step } from './linear.ts'

interface LineState {
  readonly phase: 'asked' | 'denied' | 'fresh' | 'redeemed' | 'gone'
  readonly generation: number
  /** `client` or `owner`, where they are suspended, and `paused`. */
  readonly suspended: readonly string[]
  /** Access tokens that were revoked singly. */
  readonly revoked: readonly string[]
}

interface LineAct {
  readonly operation: Operation
  /** Whether it may be refused for a reason of its own, such as that it came too late. */
  readonly excused: boolean
  /** Whether nobody knows that it concerns this line. */
  readonly optional: boolean
  /** Whether the login session that the line may end with ends by it. */
  readonly endsVisit: 'yes' | 'no' | 'maybe'
  /** For an exchanged token: whether it ends by this act on the line of its subject token. */
  readonly endsBelow: 'yes' | 'no' | 'maybe'
}

export type LineStep = Step<LineAct>

/** Before an approval, nothing can end. */
const gone = (state: LineState): LineState =>
  state.phase === 'asked' || state.phase === 'denied' ? state : { ...state, phase: 'gone' }

/** Whether whoever stands behind the line can act. */
const acts = ({ suspended }: LineState): boolean => suspended.length === 0

const lives = (state: LineState): boolean => state.phase === 'redeemed' && acts(state)

/** A refused code was not fresh any more, and its tokens end. */
const refuseCode = (state: LineState, excused: boolean): readonly LineState[] => {
  const spared = excused || !acts(state)
  switch (state.phase) {
    case 'fresh':
      return spared ? [state] : []
    case 'redeemed':
      return spared ? [gone(state), state] : [gone(state)]
    case 'gone':
    case 'asked':
    case 'denied':
      return [state]
  }
}

const redeem = (state: LineState, yes: boolean, excused: boolean): readonly LineState[] => {
  if (!yes) return refuseCode(state, excused)
  return state.phase === 'fresh' && acts(state)
    ? [{ ...state, phase: 'redeemed', generation: 0 }]
    : []
}

/** The owner decides once, while the request waits. */
const decideRequest = (state: LineState, allows: boolean, { operation, excused }: LineAct) => {
  const waits = state.phase === 'asked'
  if (operation.result === 'no') return waits && acts(state) && !excused ? [] : [state]
  const phase = allows ? ('fresh' as const) : ('denied' as const)
  return waits && acts(state) ? [{ ...state, phase }] : []
}

/** Whether the error of a poll says how it stands with its request. */
const tellsTruth = ({ phase, ...state }: LineState, { operation, excused }: LineAct): boolean => {
  switch (operation.error) {
    case 'authorization_pending':
    case 'slow_down':
      return phase === 'asked'
    case 'access_denied':
      return phase === 'denied'
    case 'expired_token':
      return excused
    default:
      return phase === 'redeemed' || phase === 'gone' || excused || state.suspended.length > 0
  }
}

const poll = (state: LineState, act: LineAct): readonly LineState[] => {
  if (act.operation.result === 'yes') return redeem(state, true, act.excused)
  const tells = act.operation.error !== null
  return !tells || tellsTruth(state, act) ? [state] : []
}

/** A wrong verifier uses the code up, unless something else was wrong before it. */
const burn = (state: LineState, excused: boolean): readonly LineState[] =>
  excused || !acts(state) ? [gone(state), state] : [gone(state)]

const refresh = (
  state: LineState,
  presented: number,
  { operation: { result, brought }, excused }: LineAct,
): readonly LineState[] => {
  const behind = state.generation - presented
  if (result === 'yes') {
    if (!lives(state) || brought !== presented + 1) return []
    if (behind === 0) return [{ ...state, generation: presented + 1 }]
    return behind === 1 ? [state] : []
  }
  if (state.phase === 'gone') return [state]
  const spared = excused || !acts(state)
  const stays = spared ? [state] : []
  // An old refresh token is taken for theft.
  return behind > 0 && state.phase === 'redeemed' ? [...stays, gone(state)] : stays
}

const revoke = (state: LineState, token: string | null): LineState => {
  if (token === null) return state.phase === 'fresh' ? state : gone(state)
  return { ...state, revoked: [...new Set([...state.revoked, token])].sort() }
}

const suspend = (state: LineState, whom: string, { endsVisit }: LineAct): readonly LineState[] => {
  const after = { ...state, suspended: [...new Set([...state.suspended, whom])].sort() }
  return {
    yes: [gone(after)],
    no: [after],
    maybe: [gone(after), after],
  }[endsVisit]
}

/** The next state of a line after a positive answer, which has one meaning for these deeds. */
const agree = (state: LineState, act: LineAct): readonly LineState[] => {
  const { deed } = act.operation
  switch (deed.kind) {
    case 'use':
    case 'exchange':
      return lives(state) && !state.revoked.includes(deed.token) ? [state] : []
    case 'hold':
      return lives(state) && state.generation === deed.generation ? [state] : []
    case 'revoke':
      return [revoke(state, deed.token)]
    case 'end authorization':
    case 'end issuer':
    case 'change grant':
    case 'end session':
    case 'set password':
      return [gone(state)]
    case 'cut branch':
      return [deed.kept.length === 0 ? gone(state) : state]
    case 'pause':
      return [{ ...state, suspended: [...new Set([...state.suspended, 'paused'])].sort() }]
    case 'unpause':
      return [{ ...state, suspended: state.suspended.filter((one) => one !== 'paused') }]
    case 'suspend':
      return suspend(state, 'client' in deed ? 'client' : 'owner', act)
    case 'resume': {
      const whom = 'client' in deed ? 'client' : 'owner'
      return [{ ...state, suspended: state.suspended.filter((one) => one !== whom) }]
    }
    default:
      return [state]
  }
}

const refuse = (state: LineState, { operation: { deed }, excused }: LineAct) => {
  const isDead = excused || !lives(state)
  switch (deed.kind) {
    case 'use':
    case 'exchange':
      return isDead || state.revoked.includes(deed.token) ? [state] : []
    case 'hold':
      return isDead || state.generation !== deed.generation ? [state] : []
    default:
      return [state]
  }
}

const decide = (state: LineState, act: LineAct): readonly LineState[] => {
  const { operation, excused } = act
  const { deed, result } = operation
  if (deed.kind === 'redeem') return redeem(state, result === 'yes', excused)
  if (deed.kind === 'poll') return poll(state, act)
  if (deed.kind === 'decide') return decideRequest(state, deed.allows, act)
  if (deed.kind === 'burn') return result === 'yes' ? [] : burn(state, excused)
  if (deed.kind === 'refresh') return refresh(state, deed.generation, act)
  return result === 'yes' ? agree(state, act) : refuse(state, act)
}

/** Without an answer anything may have happened, or nothing. */
const wonder = (state: LineState, act: LineAct): readonly LineState[] => {
  const { deed } = act.operation
  const brought = deed.kind === 'refresh' ? deed.generation + 1 : null
  const yes = { ...act, operation: { ...act.operation, result: 'yes' as const, brought } }
  const no = { ...act, operation: { ...act.operation, result: 'no' as const } }
  return [...decide(state, yes), ...decide(state, no)]
}

export const specifyLine = ({ begins }: Line): Specification<LineAct, LineState> => ({
  initial: { phase: begins ?? 'fresh', generation: 0, suspended: [], revoked: [] },
  model: (state, act) => {
    if (act.endsBelow === 'yes' && act.operation.result === 'yes') return [gone(state)]
    if (act.endsBelow !== 'no') return [gone(state), state]
    if (act.operation.result === 'unknown') return wonder(state, act)
    return act.optional ? [state, ...decide(state, act)] : decide(state, act)
  },
  isRead: ({ operation: { deed, result } }) =>
    deed.kind === 'use' ||
    deed.kind === 'exchange' ||
    deed.kind === 'hold' ||
    (deed.kind === 'poll' && result === 'no'),
  nameOf: ({ phase, generation, suspended, revoked }) =>
    `${phase} ${generation} ${suspended.join('+')} ${revoked.join('+')}`,
})
