/** Uses of an owner's authorizations by applications; equal ones are counted together. */
import type { AuthorizationId } from './ids.ts'
import { cutLine, normalizeLine } from './plain/line.ts'
import type { Action } from './resource.ts'

/** `check`: another API asked what a token of the application allows (RFC 7662). */
export type UseAction = Action | 'check'

/** The object of a use: a permission, or a check by the API with this client id. */
export type Used = `${string}:${UseAction}`

/** Uses alike within one minute, or of a busy day within one hour or day: a line of the ledger. */
export interface Use {
  /** Minutes since 1970; where the line covers more than one, the first of them. */
  readonly minute: number
  /** How many minutes the line covers. */
  readonly minutes: 1 | 60 | 1440
  /** The name of a resource; of a check, the client id of the API that asked. */
  readonly resource: string
  readonly action: UseAction
  /** False where the token was alive but did not allow it. */
  readonly allowed: boolean
  /** The network, as `getNetwork` writes it; '' if not known, or one of too many. */
  readonly network: string
  /**
   * The id of the one item that was used; of a check, a name by the API. Absent for none, or one of too
   * many.
   */
  readonly target?: string
  /** How many they are. */
  readonly uses: number
  /** Unix seconds of the latest of them. */
  readonly lastAt: number
}

/** Uses that were noted, on their way to the store; several may be alike. */
export interface NotedUse extends Pick<Use, 'allowed' | 'network' | 'target' | 'uses'> {
  readonly authorizationId: AuthorizationId
  readonly used: Used
  /** Unix seconds of the latest of them, all being of the same minute. */
  readonly lastAt: number
}

/** How often an authorization was used on one day (UTC). */
export interface UseDay {
  /** Days since 1970. */
  readonly day: number
  readonly reads: number
  readonly writes: number
  readonly checks: number
  /** Of whichever kind; they are in none of the other numbers. */
  readonly refused: number
}

/** The day (since 1970, UTC) of a moment in unix seconds. */
export const computeDay = (at: number): number => Math.floor(at / 86_400)

/** How long seconds are in whole days, as pages say it. */
export const countWholeDays = (seconds: number): number => Math.max(1, computeDay(seconds))

/** How many days an access log has that is kept for so many seconds: today and the day it begins on included. */
export const countLoggedDays = (seconds: number, now: number): number =>
  computeDay(now) - computeDay(now - seconds) + 1

/** The target of a check: an API chose it, so it is short plain text. */
export const targetCharacters = 64

/** More of a text than this is not looked at. */
const readCharacters = 16 * targetCharacters

/** A target as it is sent and kept: one short line, nothing invisible. '' for whatever is no text. */
export const shortenTarget = (given: unknown): string =>
  typeof given === 'string'
    ? cutLine(normalizeLine(given.slice(0, readCharacters)), targetCharacters)
    : ''
