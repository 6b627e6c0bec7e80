/** The login page. A failed login shows it again, with any factor. */

import type { Answer } from '../../http/answer.ts'
import type { Journey } from '../../journey/journey.ts'
import { situate } from '../../journey/situation.ts'
import { documentHost } from '../../model/client.ts'
import { beginCeremony } from '../../owners/ceremony.ts'
import { ownerLimits } from '../../owners/limits.ts'
import { requestOptions } from '../../owners/passkeys.ts'
import { passkeyPlaceOf } from '../../owners/relying-party.ts'
import { canMail, signUpMode } from '../../owners/ways-in.ts'
import {
  type LoginPage,
  type LoginProblem,
  type LoginWay,
  loginWords,
  renderLogin,
} from '../../paper/login.ts'
import type { ServiceParts } from '../../registries.ts'
import { upstreamRefused } from '../directory-try.ts'
import { doneOf, noticeOf } from '../owner-visit.ts'
import { findTypedName } from '../typed-name.ts'
import { upstreamsShown } from '../upstream-trip.ts'
import { showPage } from '../visit.ts'
import { loginElsewhere } from './elsewhere.ts'
import type { LoginVisit } from './entered.ts'

export interface LoginShown {
  readonly username?: string
  readonly problem?: LoginProblem
  readonly waitSeconds?: number
}

const refused: Readonly<
  Record<LoginProblem, { readonly reason: string; readonly status: number }>
> = {
  wrong: { reason: 'wrong_password', status: 403 },
  throttled: { reason: 'login_throttled', status: 429 },
  passkey: { reason: 'wrong_passkey', status: 403 },
  begin: { reason: 'login_not_begun', status: 403 },
  finished: { reason: 'login_finished', status: 403 },
  addressTaken: { reason: 'address_taken', status: 409 },
  ...upstreamRefused,
}

/** The challenge for a passkey; null if passkeys do not work here. */
const passkeyFormOf = (
  { request, at, stranger }: LoginVisit,
  parts: Pick<ServiceParts, 'settings' | 'keyring' | 'random'>,
): NonNullable<LoginPage['passkey']> | null => {
  const place = passkeyPlaceOf(request, parts)
  if (place.is !== 'here') return null
  const { id, text } = beginCeremony('log in', null, stranger, at, parts)
  return { ceremony: text, options: requestOptions(id, [], place.party) }
}

/** `login_hint` only fills in the field: nothing is looked up for it. */
export const hintedName = (resumed: Journey | null): string => {
  const hint = new URLSearchParams(resumed?.parameters ?? '').get('login_hint') ?? ''
  const isTypeable =
    hint.length <= ownerLimits.usernameCharacters && /^[^\p{Cc}\p{Cs}]*$/u.test(hint)
  return isTypeable ? hint : ''
}

/** Of the password that was just chosen behind a link. */
const chosenName = (visit: LoginVisit, parts: Pick<ServiceParts, 'settings'>): string =>
  doneOf(visit)?.what.startsWith('passwordChosen') ? findTypedName(visit, parts) : ''

const waysOf = (parts: Pick<ServiceParts, 'settings'>): readonly LoginWay[] => [
  ...(canMail(parts) ? ['forgot' as const] : []),
  ...(signUpMode(parts) === 'off' ? [] : ['signUp' as const]),
]

export const showLogin = async (
  visit: LoginVisit,
  said: LoginShown,
  parts: ServiceParts,
): Promise<Answer> => {
  const { view, csrf, journey, next, resumed, at } = visit
  const client = resumed && (await situate(resumed, visit, at, parts)).target.client
  const passkey = passkeyFormOf(visit, parts)
  const html = renderLogin({
    username: chosenName(visit, parts) || hintedName(resumed),
    ...said,
    view,
    csrf,
    journey,
    next,
    notice: noticeOf(visit, loginWords(view.language).done),
    passkey,
    upstreams: upstreamsShown(view.language, parts),
    elsewhere: loginElsewhere(visit, parts),
    ways: waysOf(parts),
    clientName: client?.name ?? null,
    clientRegisteredBy: client?.registeredBy ?? null,
    documentHost: client === null ? null : documentHost(client),
  })
  const { problem, waitSeconds = null } = said
  return showPage(visit, html, { ...(problem && refused[problem]), hasScript: true, waitSeconds })
}
