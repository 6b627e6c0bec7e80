/** `/login/second`: an owner with a second factor shows it after the password. */
import type { Answer } from '../../http/answer.ts'
import { requestOptions } from '../../owners/passkeys.ts'
import { passkeyPlaceOf } from '../../owners/relying-party.ts'
import {
  findPending,
  logInWithFactor,
  type Pending,
  type ShownFactor,
} from '../../owners/second-factor.ts'
import { renderSecondStep, type SecondStepPage } from '../../paper/second-step.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Endpoint } from '../../route.ts'
import type { PageEndpoint } from '../former.ts'
import { orWait } from '../throttled.ts'
import { showPage } from '../visit.ts'
import { loginElsewhere } from './elsewhere.ts'
import { answerEntered, forLogin, type LoginVisit } from './entered.ts'
import { showLogin } from './login-page.ts'

type SecondStepProblem = NonNullable<SecondStepPage['problem']>

const refused: Readonly<
  Record<SecondStepProblem, { readonly reason: string; readonly status: number }>
> = {
  wrong: { reason: 'wrong_second_factor', status: 403 },
  used: { reason: 'used_code', status: 403 },
  throttled: { reason: 'login_throttled', status: 429 },
}

/** A visit after a right password. */
interface PendingVisit extends LoginVisit {
  readonly pending: Pending
  /** The sealed proof of it, as the page carries it. */
  readonly ceremony: string
}

/**
 * The same browser has taken the step before, and its answer may have got lost. If it is logged in,
 * it goes on. Nobody else is let in by a step that counts once.
 */
const answerFinished = (
  visit: LoginVisit,
  { owner }: Pending,
  parts: ServiceParts,
): Promise<Answer> | Answer =>
  visit.login?.owner.id === owner.id
    ? answerEntered(visit, [], parts)
    : showLogin(visit, { problem: 'finished' }, parts)

/** Without a right password, or after too long, the login begins anew. */
const forPending = (endpoint: PageEndpoint<PendingVisit>): Endpoint =>
  forLogin(async (visit, parts) => {
    const ceremony = visit.given.find('ceremony') ?? ''
    const pending = await findPending(ceremony, visit.stranger, visit.at, parts)
    if (pending === null) return showLogin(visit, { problem: 'begin' }, parts)
    if (pending.isFinished) return answerFinished(visit, pending, parts)
    return endpoint({ ...visit, pending, ceremony }, parts)
  })

const show = (
  visit: PendingVisit,
  problem: SecondStepProblem | null,
  waitSeconds: number | null,
  tried: SecondStepPage['tried'],
  parts: Pick<ServiceParts, 'settings'>,
): Answer => {
  const { pending, request, view, csrf, ceremony, journey, next } = visit
  const { passkeys, oneTimeCodes, recoveryCodes } = pending.factors
  const place = passkeyPlaceOf(request, parts)
  const passkeyOptions =
    place.is === 'here' && passkeys.length > 0
      ? requestOptions(pending.ceremony.id, passkeys, place.party)
      : null
  const html = renderSecondStep({
    view,
    csrf,
    problem,
    tried,
    waitSeconds,
    ceremony,
    journey,
    next,
    hasCodes: oneTimeCodes !== null,
    hasRecoveryCodes: recoveryCodes > 0,
    passkeyOptions,
    elsewhere: passkeys.length > 0 ? loginElsewhere(visit, parts) : null,
  })
  const hasScript = passkeyOptions !== null
  return showPage(visit, html, { ...(problem && refused[problem]), hasScript, waitSeconds })
}

/** `GET /login/second` */
export const showSecondStep = forPending((visit, parts) => show(visit, null, null, null, parts))

const shownIn = (form: Parameters): ShownFactor => {
  const credential = form.find('credential')
  if (credential !== null) return { factor: 'passkey', text: credential }
  const recoveryCode = form.find('recovery_code')
  if (recoveryCode !== null) return { factor: 'recovery code', text: recoveryCode }
  return { factor: 'one-time code', text: form.find('code') ?? '' }
}

/** `POST /login/second` */
export const takeSecondStep = forPending((visit, parts) => {
  const { pending, given, request } = visit
  const place = passkeyPlaceOf(request, parts)
  const party = place.is === 'here' ? place.party : null
  const shown = shownIn(given)
  const attempt = async (): Promise<Answer> => {
    const started = await logInWithFactor({ shown, pending, party, visit }, parts)
    switch (started?.outcome) {
      case 'accepted':
        return answerEntered(visit, started.cookies, parts)
      case 'finished':
        return answerFinished(visit, pending, parts)
      case 'refused':
        return showLogin(visit, { problem: 'begin' }, parts)
      case 'used':
        return show(
          visit,
          shown.factor === 'one-time code' ? 'used' : 'wrong',
          null,
          shown.factor,
          parts,
        )
      default:
        return show(visit, 'wrong', null, shown.factor, parts)
    }
  }
  return orWait(attempt, (seconds) => show(visit, 'throttled', seconds, shown.factor, parts))
})
