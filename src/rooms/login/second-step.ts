/** `/login/second`: an owner with a second factor shows it after the password. */
import type { Answer } from '../../http/answer.ts'
import { findPasskeyPlace, requestOptions } from '../../owners/passkeys.ts'
import { openSecondFactor, type Pending, type ShownFactor } from '../../owners/second-factor.ts'
import { renderSecondStep, type SecondStepPage } from '../../paper/second-step.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { makeRows, type RouteRow } from '../../route.ts'
import { noRights } from '../../upstreams/mapped.ts'
import type { PageHandler } from '../pages.ts'
import { tryOrWait } from '../throttled.ts'
import { showPage } from '../visit.ts'
import { type Entrance, findLoginElsewhere, type LoginNeeds, type LoginVisit } from './entrance.ts'
import { applyRights } from './rights.ts'

const refused = {
  wrong: { reason: 'wrong_second_factor', status: 403 },
  used: { reason: 'used_code', status: 403 },
  throttled: { reason: 'login_throttled', status: 429 },
} as const

/** A visit after a right password. */
interface PendingVisit extends LoginVisit {
  readonly pending: Pending
  /** The sealed proof of it, as the page carries it. */
  readonly ceremony: string
}

/** What the page says of the last try. */
type SecondStepShown = Partial<Pick<SecondStepPage, 'problem' | 'digits' | 'tried' | 'waitSeconds'>>

const show = (
  visit: PendingVisit,
  needs: Pick<LoginNeeds, 'settings'>,
  said: SecondStepShown = {},
): Answer => {
  const { pending, request } = visit
  const { passkeys, oneTimeCodes, recoveryCodes } = pending.factors
  const { problem = null, digits = null, tried = null, waitSeconds = null } = said
  const place = findPasskeyPlace(request, needs)
  const passkeyOptions =
    place.is === 'here' && passkeys.length > 0
      ? requestOptions(pending.ceremony.id, passkeys, place.party)
      : null
  const html = renderSecondStep({
    ...visit,
    problem,
    digits,
    tried,
    waitSeconds,
    hasCodes: oneTimeCodes !== null,
    hasRecoveryCodes: recoveryCodes > 0,
    passkeyOptions,
    elsewhere: passkeys.length > 0 ? findLoginElsewhere(visit, needs) : null,
  })
  return showPage(visit, html, { ...(problem && refused[problem]), waitSeconds })
}

const readFactor = (form: Parameters): ShownFactor => {
  const credential = form.find('credential')
  if (credential !== null) return { factor: 'passkey', text: credential }
  const recoveryCode = form.find('recovery_code')
  if (recoveryCode !== null) return { factor: 'recovery code', text: recoveryCode }
  return { factor: 'one-time code', text: form.find('code') ?? '' }
}

export const openSecondStep = (
  needs: LoginNeeds,
  { forLogin, answerEntered, showLogin, startSession }: Entrance,
): readonly RouteRow[] => {
  const { findPending, logIn } = openSecondFactor(needs, startSession)

  /**
   * The same browser has taken the step before, and its answer may have got lost. If it is logged in,
   * it goes on. Nobody else is let in by a step that counts once.
   */
  const answerFinished = (visit: LoginVisit, { owner }: Pending): Promise<Answer> | Answer =>
    visit.login?.owner.id === owner.id
      ? answerEntered(visit)
      : showLogin(visit, { problem: 'finished' })

  /** Without a right password, or after too long, the login begins anew. */
  const forPending = (handle: PageHandler<PendingVisit>) =>
    forLogin(async (visit) => {
      const ceremony = visit.given.find('ceremony') ?? ''
      const pending = await findPending(ceremony, visit.stranger, visit.at)
      if (pending === null) return showLogin(visit, { problem: 'begin' })
      if (pending.isFinished) return answerFinished(visit, pending)
      return handle({ ...visit, pending, ceremony })
    })

  const takeStep = forPending((visit) => {
    const { pending, given, request } = visit
    const place = findPasskeyPlace(request, needs)
    const party = place.is === 'here' ? place.party : null
    const shown = readFactor(given)
    const tried = shown.factor
    const attempt = async (): Promise<Answer> => {
      const started = await logIn({ shown, pending, party, visit })
      switch (started?.outcome) {
        case 'accepted':
          if (pending.upstream !== null) {
            const { account, picture = '', mapped = noRights } = pending.upstream
            const { upstream } = account
            const { owner } = pending
            const isSet = await applyRights(owner, mapped, upstream, started.session, visit, needs)
            if (!isSet) return showLogin(visit, { problem: 'begin' })
            needs.faces.want(owner, account, picture)
          }
          return answerEntered(visit, started.cookies)
        case 'finished':
          return answerFinished(visit, pending)
        case 'refused':
          return showLogin(visit, { problem: 'begin' })
        case 'used':
          return show(visit, needs, {
            problem: tried === 'one-time code' ? 'used' : 'wrong',
            tried,
          })
        default: {
          const digits = tried === 'one-time code' ? shown.text.replace(/\D/g, '').length : null
          return show(visit, needs, { problem: 'wrong', tried, digits })
        }
      }
    }
    return tryOrWait(attempt, (waitSeconds) =>
      show(visit, needs, { problem: 'throttled', tried, waitSeconds }),
    )
  })

  const showStep = forPending((visit) => show(visit, needs))
  return makeRows('/login/second', showStep, takeStep)
}
