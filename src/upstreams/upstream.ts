/** The contract of upstreams of every type, and what they say of a person, made fit for an owner. */

import type { UpstreamAccount } from '../model/factor.ts'
import type { JsonObject } from '../model/json.ts'
import type { Session } from '../model/session.ts'
import { ownerLimits } from '../owners/limits.ts'
import { type Parameters, parameterLimits } from '../protocol/parameters.ts'
import { parseWebUri } from '../protocol/web-uri.ts'
import type { MappedRights } from './mapped.ts'

/** What an upstream says of a person. Nothing of it opens an account. */
export interface UpstreamClaims {
  /** A name to derive a username from; '' for none. */
  readonly username: string
  /** Whether the username lost no more than capitals and a domain. */
  readonly isWhole: boolean
  readonly name: string
  /** '' for none, or for one that is malformed. */
  readonly email: string
  readonly emailVerified: boolean
  /** The URL of a web page; '' for none. */
  readonly picture: string
}

/** Somebody whom an upstream has logged in. */
export interface UpstreamPerson {
  readonly account: UpstreamAccount
  /** As far as the operator trusts the upstream; empty otherwise. */
  readonly methods: Session['methods']
  /** Whether the operator trusts the upstream, and it asked for two factors. */
  readonly isStrong: boolean
  /** Unix seconds, where the operator trusts it; null otherwise. */
  readonly authTime: number | null
  /** Whether it says that the person logged in there in this very trip. */
  readonly isFresh: boolean
  /** The URL of a picture, as far as it is known without a further question; '' for none. */
  readonly picture: string
  /** Groups and roles, as the operator mapped the answer of the upstream. */
  readonly mapped: MappedRights
  /** May ask the upstream once more. */
  readonly findClaims: () => Promise<UpstreamClaims>
}

export type UpstreamFaultKind =
  /** The upstream did not answer in time, or not at all. */
  | 'unreachable'
  /** Its answer is malformed, or not for this login. */
  | 'wrong'
  /** The upstream refused the login, or the person went back. */
  | 'refused'
  /** The upstream did not ask the person anew. */
  | 'stale'

/** Why nobody is logged in. A class of its own, so that no answer of an upstream looks like one. */
export class UpstreamFault {
  readonly kind: UpstreamFaultKind
  /** For the log: never anything secret. */
  readonly detail: string

  constructor(kind: UpstreamFaultKind, detail: string) {
    this.kind = kind
    this.detail = detail
  }
}

/** One trip to an upstream. Everything is bound to the browser that makes it. */
export interface UpstreamTrip {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  /** PKCE (RFC 7636). */
  readonly verifier: string
  /** Whether the person has to log in there anew. */
  readonly isFresh: boolean
  /** Unix seconds. */
  readonly begunAt: number
  /** Unix seconds. */
  readonly at: number
}

/** An upstream with a login page of its own. */
export interface RedirectUpstream {
  readonly by: 'redirect'
  /** Whether it can ask for a new login where one was made before, and say so. */
  readonly asksAgain: boolean
  /** The URL of its login page. */
  begin(
    trip: UpstreamTrip,
    hints: { readonly loginHint: string; readonly locales: string },
  ): Promise<string | UpstreamFault>
  /** @param answer the query of the redirect back */
  finish(answer: Parameters, trip: UpstreamTrip): Promise<UpstreamPerson | UpstreamFault>
}

/** What a directory tells of some subjects. In lower case. */
export interface SubjectsThere {
  /** The directory has them, and has not disabled them. */
  readonly active: ReadonlySet<string>
  /** An entry with several ids has them, or an entry does not tell its id. */
  readonly undecided: ReadonlySet<string>
}

/** An upstream that checks a name and a password, typed into our own form. */
export interface PasswordUpstream {
  readonly by: 'password'
  /** The account of a name; null for none. The account proves nothing. */
  find(username: string): Promise<UpstreamAccount | null | UpstreamFault>
  /** Null for a wrong name or a wrong password, without a difference. */
  check(username: string, password: string): Promise<UpstreamPerson | null | UpstreamFault>
  /**
   * Which of these subjects are still there. A part of an answer is a fault. Null without `disable_owners`.
   *
   * @param at unix seconds
   */
  readonly findActive:
    | ((subjects: readonly string[], at: number) => Promise<SubjectsThere | UpstreamFault>)
    | null
  /** Ends what is under way. */
  close(): void
}

/** Without characters that are not seen. */
const normalizeText = (value: unknown, most: number): string => {
  if (typeof value !== 'string') return ''
  const text = value.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '')
  return [...text].slice(0, most).join('').trim()
}

/** The part of a username that can be typed everywhere. */
const tidyName = (value: string): string =>
  value
    .replace(/@.*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]/g, '')
    .slice(0, 40)

const emailForm = /^[^\s@\uff20\ufe6b\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\uff20\ufe6b\p{Cc}\p{Cf}\p{Cs}]+$/u

const parsePicture = (given: unknown): string => {
  const isShort = typeof given === 'string' && given.length <= parameterLimits.textCharacters
  return isShort && parseWebUri(given) !== null ? given : ''
}

/** Claims of OpenID Connect (Core section 5.1). */
export const mapClaims = (said: JsonObject): UpstreamClaims => {
  const { email: given, preferred_username: preferred, name, email_verified: verified } = said
  const picture = parsePicture(said.picture)
  const isEmail = typeof given === 'string' && given.length <= parameterLimits.emailCharacters
  const email = isEmail && emailForm.test(given) ? given : ''
  const preferredName = typeof preferred === 'string' ? preferred : ''
  const whole = tidyName(preferredName) === '' ? email : preferredName
  const username = tidyName(whole)
  return {
    username,
    isWhole: /^[a-z0-9._-]{1,40}(@.*)?$/is.test(whole),
    name: normalizeText(name, ownerLimits.personNameCharacters),
    email,
    emailVerified: email !== '' && verified === true,
    picture,
  }
}
