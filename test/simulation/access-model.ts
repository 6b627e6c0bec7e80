/** The access of a client that an issuer may open for an owner, as a sequential machine. */
import type { Deed, Operation } from './history.ts'
import type { Specification } from './linear.ts'

interface AccessState {
  /** An ended one is not opened again, unless its owner allows it. */
  readonly phase: 'free' | 'open' | 'ended'
  readonly isTrusted: boolean
}

/** Whether a deed other than an assertion bears upon an access. */
export const bearsUponAccess = (deed: Deed, access: string): boolean => {
  switch (deed.kind) {
    case 'end authorization':
      return deed.authorization === access
    case 'allow again':
      return deed.access === access
    case 'end issuer':
      return access.startsWith(`${deed.issuer}/`)
    default:
      return false
  }
}

const open = (state: AccessState, { result, error }: Operation): readonly AccessState[] => {
  if (result === 'yes') {
    return state.isTrusted && state.phase !== 'ended' ? [{ ...state, phase: 'open' }] : []
  }
  const isRight = error === 'ended' ? state.phase === 'ended' : !state.isTrusted
  return isRight ? [state] : []
}

const decide = (state: AccessState, operation: Operation): readonly AccessState[] => {
  const { phase } = state
  switch (operation.deed.kind) {
    case 'open':
      return open(state, operation)
    case 'end authorization':
      return [{ ...state, phase: phase === 'open' ? 'ended' : phase }]
    case 'allow again':
      return [{ ...state, phase: phase === 'ended' ? 'free' : phase }]
    case 'end issuer':
      return [{ phase: phase === 'open' ? 'free' : phase, isTrusted: false }]
    default:
      return [state]
  }
}

export const accessSpecification: Specification<Operation, AccessState> = {
  initial: { phase: 'free', isTrusted: true },
  model: (state, operation) =>
    operation.result === 'unknown'
      ? [state, ...decide(state, { ...operation, result: 'yes' })]
      : decide(state, operation),
  isRead: ({ deed, result }) => deed.kind === 'open' && result === 'no',
  nameOf: ({ phase, isTrusted }) => `${phase} ${isTrusted}`,
}
