/** A login session of an owner in one browser. */
import type { OwnerId, SessionHandle, SessionId } from './ids.ts'

/** Codes and tokens name one by its place here: further ones go to the end. */
export const authenticationMethods = ['pwd', 'otp', 'pop', 'swk', 'user', 'mfa'] as const

/**
 * Authentication methods (RFC 8176 section 2): a password; a one-time code; a key; a person's
 * presence; more than one factor. A key is `swk` if its owner may copy it, else `pop`, since the
 * service checks no attestation.
 */
export type AuthenticationMethodReference = (typeof authenticationMethods)[number]

/** How a browser keeps that its latest login was by an upstream; others are `password` and `passkey`. */
export const makeUpstreamWay = (upstream: string): string => `with.${upstream}`

/** The weakest first. */
export const authenticationContexts = ['1', '2', 'phr'] as const

/** How sure a login is: one factor, two, or two that nobody can be talked out of. */
export type AuthenticationContext = (typeof authenticationContexts)[number]

/** A login session of one browser. */
export interface Session {
  readonly id: SessionId
  readonly ownerId: OwnerId
  /** Unix seconds of the login: `auth_time`. */
  readonly startedAt: number
  readonly expiresAt: number
  /** What pages call it; it begins with the time of the login. */
  readonly handle: SessionHandle
  /** The browser's `User-Agent`, cut short; '' without one. */
  readonly userAgent: string
  /** The network that the login came from. */
  readonly network: string
  /** `amr`. */
  readonly methods: readonly AuthenticationMethodReference[]
  /** Unix seconds of when the owner last proved to be there, at the login or since. */
  readonly confirmedAt: number
  /** Unix seconds of its latest request, to within an hour. */
  readonly seenAt: number
}

/** No session has this id. */
export const noSession = '' as SessionId

/** `acr`: it follows from how the login was made, and so cannot contradict it. */
export const deriveContext = ({ methods }: Pick<Session, 'methods'>): AuthenticationContext => {
  if (!methods.includes('mfa')) return '1'
  return methods.includes('pop') || methods.includes('swk') ? 'phr' : '2'
}

/** All values of `acr` that a login satisfies, with the lower ones. */
export const listContexts = (context: AuthenticationContext): readonly AuthenticationContext[] =>
  authenticationContexts.slice(0, authenticationContexts.indexOf(context) + 1)

/** Whether a login of this `acr` satisfies one of the wanted values. An unknown one satisfies itself alone. */
export const isContextReached = (acr: string, wanted: readonly string[]): boolean => {
  const known = authenticationContexts.find((one) => one === acr)
  const reached: readonly string[] = known === undefined ? [acr] : listContexts(known)
  return wanted.some((one) => reached.includes(one))
}
