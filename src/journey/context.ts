/** The `acr` of a login against the one that a request asks for (OpenID Connect Core section 5.5.1.1). */
import { type AuthenticationContext, contextsWithin } from '../model/session.ts'
import type { AskedLogin } from '../requests/asked-login.ts'

type AskedContexts = Pick<AskedLogin, 'contexts' | 'needsContext'>

const higherContext = (
  one: AuthenticationContext,
  other: AuthenticationContext,
): AuthenticationContext => (contextsWithin(one).includes(other) ? one : other)

/** The first of the requested values that a login of this context satisfies. */
const firstReached = (
  { contexts }: AskedContexts,
  context: AuthenticationContext,
): AuthenticationContext | null => {
  const reached = contextsWithin(context)
  for (const asked of contexts) {
    const found = reached.find((one) => one === asked)
    if (found !== undefined) return found
  }
  return null
}

/** The `acr` to tell: the requested value that the login satisfies. Null: its own. */
export const toldContext = (
  asked: AskedContexts,
  context: AuthenticationContext,
): AuthenticationContext | null => {
  const reached = firstReached(asked, context)
  return reached === context ? null : reached
}

/** Whether the login satisfies the request as well as any login could. */
export const isFirstOf = (asked: AskedContexts, context: AuthenticationContext): boolean =>
  asked.contexts.length === 0 || firstReached(asked, context) === asked.contexts[0]

export type ContextJudgement = 'suffices' | 'log_in' | 'unmet'

/**
 * Whether the login suffices, another one of the same owner may be better, or none can be.
 *
 * @param now the `acr` of the login
 * @param reachable the highest one that the owner can log in with
 * @param is `fresh`: the login was made for this request. `silent`: no page may be shown.
 */
export const judgeContext = (
  asked: AskedContexts,
  now: AuthenticationContext,
  reachable: AuthenticationContext,
  is: { readonly fresh: boolean; readonly silent: boolean },
): ContextJudgement => {
  const reached = firstReached(asked, now)
  const isMet = reached !== null || !asked.needsContext
  const isFinal =
    reached === firstReached(asked, higherContext(now, reachable)) ||
    is.fresh ||
    (is.silent && isMet)
  if (!isFinal) return 'log_in'
  return isMet ? 'suffices' : 'unmet'
}
