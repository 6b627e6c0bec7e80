/** The login page and its forms: a password, or a passkey alone. */

import type { Answer } from '../../http/answer.ts'
import { type Factors, needsSecondFactor } from '../../model/factor.ts'
import type { OwnerId } from '../../model/ids.ts'
import type { Owner } from '../../model/owner.ts'
import { openCeremony } from '../../owners/ceremony.ts'
import { makeOfferCounter } from '../../owners/counters.ts'
import { openKnownBrowsers } from '../../owners/known-browser.ts'
import { findPasskeyPlace, isOfOwner, readPresented, usePasskey } from '../../owners/passkeys.ts'
import { checkPassword } from '../../owners/password-login.ts'
import { listPasskeyMethods, openSecondFactor } from '../../owners/second-factor.ts'
import type { Started } from '../../owners/session.ts'
import { makeRows, page, type RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'
import { tryOrWait } from '../throttled.ts'
import { answerSeeOther } from '../visit.ts'
import { openWaiting } from '../waiting.ts'
import type { Entrance, LoginNeeds, LoginShown, LoginVisit } from './entrance.ts'

export const openPasswordLogin = (
  needs: LoginNeeds,
  { forLogin, answerEntered, showLogin, startSession }: Entrance,
): readonly RouteRow[] => {
  const { guesserOf } = openKnownBrowsers(needs)
  const { begin } = openSecondFactor(needs, startSession)
  const { findParked } = openWaiting(needs)

  /** Whether a passkey is offered now: once, and never on the way to something else. */
  const isOfferDue = async (
    visit: LoginVisit,
    owner: Owner,
    { passkeys }: Pick<Factors, 'passkeys'>,
  ): Promise<boolean> => {
    const { resumed, next, request } = visit
    if (resumed !== null || next !== '' || passkeys.length > 0) return false
    if (findPasskeyPlace(request, needs).is !== 'here') return false
    const counter = makeOfferCounter(owner.id)
    const admitted = await needs.store.admitAttempt([counter], traceOf(visit, needs))
    return admitted.outcome === 'admitted'
  }

  /** `GET /login`: for a journey, or on the way to a page of one's account. */
  const showLoginPage = forLogin(async (visit) => {
    const { given, resumed, login, leaving } = visit
    if (leaving && given.find('switch') === null) return answerSeeOther(visit, '/account/deletion')
    // The link of a mail about an account that is there already.
    const parked =
      given.find('waits') === null ? null : await findParked(visit, login?.owner.id ?? null)
    if (parked !== null) {
      return answerSeeOther(visit, '/login', { journey: parked.journey }, parked.cookies)
    }
    const isHere = resumed === null && login !== null && given.find('switch') === null
    return isHere ? answerEntered(visit) : showLogin(visit)
  })

  /**
   * `POST /login`: the same words, status and work for an unknown name and a wrong password. An owner
   * with a second factor is not logged in yet, but led on to it.
   */
  const logIn = forLogin((visit) => {
    const { given, journey, next, stranger, at, address, caller } = visit
    // Keyboards of telephones add a blank after a word that they complete.
    const username = (given.find('username') ?? '').trim()
    const again = (said: LoginShown): Promise<Answer> => showLogin(visit, { username, ...said })
    const attempt = async (): Promise<Answer> => {
      const password = given.find('password') ?? ''
      const guesser = await guesserOf(username, visit)
      const userAgent = visit.request.headers.get('user-agent')
      const login = { username, password, address, userAgent, guesser, caller }
      const owner = await checkPassword(login, traceOf(visit, needs), needs)
      if (owner === null) return again({ problem: 'wrong' })
      const { passwordHash } = owner
      const factors = await needs.store.findFactors(owner.id)
      if (needsSecondFactor(factors)) {
        const ceremony = begin(owner, stranger, at)
        return answerSeeOther(visit, '/login/second', { ceremony, journey, next })
      }
      const started = await startSession(
        owner,
        { login: { passwordHash }, methods: ['pwd'] },
        visit,
      )
      if (started.outcome !== 'accepted') return again({ problem: 'wrong' })
      return (await isOfferDue(visit, owner, factors))
        ? answerSeeOther(visit, '/account/passkey', {}, started.cookies)
        : answerEntered(visit, started.cookies)
    }
    return tryOrWait(attempt, (waitSeconds) => again({ problem: 'throttled', waitSeconds }))
  })

  return makeRows('/login', showLoginPage, logIn)
}

/** A passkey alone logs in, since it is two factors: a device, and a finger, face or PIN. */
export const openPasskeyLogin = (
  needs: LoginNeeds,
  { forLogin, answerEntered, showLogin, startSession }: Entrance,
): readonly RouteRow[] => {
  /** The owner of the passkey, and the outcome of the login; null if the credential proves nothing. */
  const enter = async (
    visit: LoginVisit,
  ): Promise<{ readonly ownerId: OwnerId; readonly started: Started } | null> => {
    const { request, at, given, stranger } = visit
    const place = findPasskeyPlace(request, needs)
    const presented = readPresented(given.find('credential') ?? '')
    const opened = await openCeremony('log in', given.find('ceremony') ?? '', stranger, at, needs)
    if (place.is !== 'here' || presented === null || opened === null) return null
    const found = await needs.store.findPasskey(presented.id)
    if (found === null || !isOfOwner(presented, found.owner.id)) return null
    const used = await usePasskey(presented, found.passkey, opened.ceremony, place.party)
    if (used === null) return null
    const entry = { login: { passkey: used }, methods: listPasskeyMethods(found.passkey) }
    const { owner } = found
    return { ownerId: owner.id, started: await startSession(owner, entry, visit) }
  }

  /**
   * One answer to every fault: a stranger does not learn which passkeys exist. A repeated request of the
   * same page was right before, and its answer may have got lost.
   */
  const logIn = forLogin(async (visit) => {
    const entered = await enter(visit)
    switch (entered?.started.outcome) {
      case 'accepted':
        return answerEntered(visit, entered.started.cookies)
      case 'finished':
        return visit.login?.owner.id === entered.ownerId
          ? answerEntered(visit)
          : showLogin(visit, { problem: 'finished' })
      default:
        return showLogin(visit, { problem: 'passkey' })
    }
  })

  return [{ ...page, method: 'POST', path: '/login/passkey', handler: logIn }]
}
