/** `/account/confirm`: a login is some hours old; whoever changes factors shows the password or a passkey anew. */
import type { Answer } from '../../../http/answer.ts'
import { type HttpRequest, queryOf } from '../../../http/request.ts'
import { needsStrongProof } from '../../../model/factor.ts'
import { beginCeremony, openCeremony } from '../../../owners/ceremony.ts'
import {
  findPasskeyPlace,
  readPresented,
  requestOptions,
  usePasskey,
} from '../../../owners/passkeys.ts'
import { checkPassword } from '../../../owners/password-login.ts'
import { canMail } from '../../../owners/ways-in.ts'
import { hide } from '../../../paper/fields.ts'
import { renderConfirm } from '../../../paper/second-step.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { invalidRequest } from '../../../protocol/refusal.ts'
import { page, type RouteRow } from '../../../route.ts'
import { traceOf } from '../../../store/trace.ts'
import { isLeading, type Upstream } from '../../../upstreams/index.ts'
import { findConfirmedPage } from '../../account-pages.ts'
import { getGuesser, identify, type OwnerVisit } from '../../owner-visit.ts'
import type { Pages } from '../../pages.ts'
import { tryOrWait } from '../../throttled.ts'
import { confirmPerson, describeUpstream } from '../../upstream-trip.ts'
import { showPage } from '../../visit.ts'
import { answerConfirmedPage } from '../confirmed.ts'
import { pickGiven } from '../frame.ts'
import type { AccountNeeds } from '../needs.ts'
import { type ProofUse, proveUpstream } from '../security/upstream-proof.ts'

const refused = {
  wrong: { reason: 'wrong_confirmation', status: 403 },
  throttled: { reason: 'login_throttled', status: 429 },
} as const

type ConfirmProblem = keyof typeof refused

/** Upstreams that can ask the owner anew. */
const listLinkedUpstreams = async (
  { login }: OwnerVisit,
  { store, upstreams }: AccountNeeds,
): Promise<readonly Upstream[]> => {
  const links = await store.listUpstreamLinks(login.owner.id)
  return upstreams
    .list()
    .filter(({ settings }) => links.some((one) => one.upstream === settings.id))
    .filter((one) => !isLeading(one) || one.open.asksAgain)
}

const show = async (
  visit: OwnerVisit,
  next: string,
  needs: AccountNeeds,
  problem: ConfirmProblem | null = null,
  waitSeconds: number | null = null,
): Promise<Answer> => {
  const { view, request, at } = visit
  const { owner } = visit.login
  const factors = await needs.store.findFactors(owner.id)
  const { passkeys } = factors
  const place = findPasskeyPlace(request, needs)
  const { id, text: ceremony } = beginCeremony('confirm', null, visit, at, needs)
  const isStrong = needsStrongProof(owner, factors)
  const hasPassword = owner.passwordHash !== '' && !isStrong
  const upstreams = hasPassword || isStrong ? [] : await listLinkedUpstreams(visit, needs)
  const html = renderConfirm({
    ...pickGiven(visit),
    problem,
    waitSeconds,
    ceremony,
    next,
    passkeyOptions:
      place.is === 'here' && passkeys.length > 0 ? requestOptions(id, passkeys, place.party) : null,
    isStrong,
    hasPassword,
    hasForgot: canMail(needs) && owner.email !== '',
    upstreams: upstreams.map((one) => describeUpstream(one, view.language)),
  })
  return showPage(visit, html, { ...(problem && refused[problem]), waitSeconds })
}

const openProofs = (needs: AccountNeeds) => {
  const { store } = needs

  /**
   * Whether one of the owner's own passkeys signed in a ceremony that this very login began. A finished
   * ceremony confirmed this login then: the answer to that may not have come.
   */
  const byPasskey = async (visit: OwnerVisit, form: Parameters): Promise<boolean> => {
    const { request, at, login } = visit
    const place = findPasskeyPlace(request, needs)
    const presented = readPresented(form.find('credential') ?? '')
    const opened = await openCeremony('confirm', form.find('ceremony') ?? '', visit, at, needs)
    if (place.is !== 'here' || presented === null || opened === null) return false
    const { passkeys } = await store.findFactors(login.owner.id)
    const known = passkeys.find(({ id }) => id === presented.id)
    const passkey = known && (await usePasskey(presented, known, opened.ceremony, place.party))
    if (!passkey) return false
    const outcome = await store.confirmSession(identify(visit), { passkey }, traceOf(visit, needs))
    return outcome === 'accepted' || outcome === 'finished'
  }

  const byPassword = async (visit: OwnerVisit, password: string): Promise<boolean> => {
    const { address, login, caller } = visit
    const { id, username } = login.owner
    const typed = { username, password, address, guesser: getGuesser(visit), caller }
    const found = await checkPassword(typed, traceOf(visit, needs), needs)
    if (found?.id !== id) return false
    const { passwordHash } = found
    const trace = traceOf(visit, needs)
    return (await store.confirmSession(identify(visit), { passwordHash }, trace)) === 'accepted'
  }

  /** An owner with a password shows that instead: an upstream is never stronger than what it replaces. */
  const byUpstream = async (visit: OwnerVisit, id: string, form: Parameters, next: string) => {
    const { browser, login } = visit
    const linked = await listLinkedUpstreams(visit, needs)
    const upstream = linked.find(({ settings }) => settings.id === id)
    if (upstream === undefined || browser === null || login.owner.passwordHash !== '') {
      throw invalidRequest('bad_upstream', 'this login cannot confirm it')
    }
    const use: ProofUse = {
      purpose: 'confirm',
      action: '/account/confirm',
      fields: hide('next', next),
      trip: { kind: 'confirm upstream', states: { upstream: id, next }, isFresh: true },
      failed: 'confirmFailed',
      accept: (person, ceremony) => confirmPerson(person, ceremony, next, visit, needs),
    }
    return proveUpstream(use, upstream, form, { ...visit, browser }, needs)
  }

  return { byPasskey, byPassword, byUpstream }
}

/** @param rows of the pages that a confirmation may lead back to */
export const openConfirm = (
  rows: readonly RouteRow[],
  needs: AccountNeeds,
  { forOwner, readForm }: Pages,
): readonly RouteRow[] => {
  const { byPasskey, byPassword, byUpstream } = openProofs(needs)
  const names = rows.flatMap(({ path, isConfirmed }) =>
    isConfirmed ? path.slice('/account/'.length) : [],
  )
  const nextIn = (given: Parameters): string => findConfirmedPage(given.find('next'), names)
  // The proof that it asks for is the login itself.
  const back = (request: HttpRequest): string => nextIn(queryOf(request))

  const showFirst = forOwner((visit) => show(visit, back(visit.request), needs))

  const takeProof = forOwner(async (visit) => {
    const form = await readForm(visit)
    const next = nextIn(form)
    const upstream = form.find('upstream')
    if (upstream !== null) return byUpstream(visit, upstream, form, next)
    const attempt = async (): Promise<Answer> => {
      const password = form.find('password')
      const isRight =
        password === null ? await byPasskey(visit, form) : await byPassword(visit, password)
      return isRight ? answerConfirmedPage(visit, next) : show(visit, next, needs, 'wrong')
    }
    return tryOrWait(attempt, (seconds) => show(visit, next, needs, 'throttled', seconds))
  })

  return [
    { ...page, method: 'GET', path: '/account/confirm', handler: showFirst, back },
    { ...page, method: 'POST', path: '/account/confirm', handler: takeProof, back },
  ]
}
