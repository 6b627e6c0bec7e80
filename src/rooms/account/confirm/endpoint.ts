/** `/account/confirm`: a login is some hours old; whoever changes factors shows the password or a passkey anew. */
import type { Answer } from '../../../http/answer.ts'
import { queryOf } from '../../../http/exchange.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { confirmsStrongly } from '../../../model/factor.ts'
import { beginCeremony, openCeremony } from '../../../owners/ceremony.ts'
import { readPresented, requestOptions, usePasskey } from '../../../owners/passkeys.ts'
import { checkPassword } from '../../../owners/password-login.ts'
import { passkeyPlaceOf } from '../../../owners/relying-party.ts'
import { canMail } from '../../../owners/ways-in.ts'
import { hidden } from '../../../paper/fields.ts'
import { renderConfirm } from '../../../paper/second-step.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import { page, type RouteRow } from '../../../route.ts'
import { traceOf } from '../../../store/trace.ts'
import { leads, type Upstream } from '../../../upstreams/index.ts'
import { findConfirmedPage } from '../../account-pages.ts'
import { guesserIn, type OwnerVisit } from '../../owner-visit.ts'
import type { Pages } from '../../pages.ts'
import { orWait } from '../../throttled.ts'
import { confirmPerson } from '../../upstream-link.ts'
import { upstreamShown } from '../../upstream-trip.ts'
import { showPage } from '../../visit.ts'
import { answerConfirmedPage, byOwner } from '../confirmed.ts'
import type { AccountNeeds } from '../needs.ts'
import { proveUpstream } from '../security/upstream-proof.ts'

const refused = {
  wrong: { reason: 'wrong_confirmation', status: 403 },
  throttled: { reason: 'login_throttled', status: 429 },
} as const

type ConfirmProblem = keyof typeof refused

/** Upstreams that can ask the owner anew. */
const linkedUpstreams = async (
  { login }: OwnerVisit,
  { store, upstreams }: AccountNeeds,
): Promise<readonly Upstream[]> => {
  const links = await store.listUpstreamLinks(login.owner.id)
  return upstreams
    .list()
    .filter(({ settings }) => links.some((one) => one.upstream === settings.id))
    .filter((one) => !leads(one) || one.open.asksAgain)
}

const show = async (
  visit: OwnerVisit,
  next: string,
  needs: AccountNeeds,
  problem: ConfirmProblem | null = null,
  waitSeconds: number | null = null,
): Promise<Answer> => {
  const { view, csrf, request, at } = visit
  const { owner } = visit.login
  const factors = await needs.store.findFactors(owner.id)
  const { passkeys } = factors
  const place = passkeyPlaceOf(request, needs)
  const { id, text: ceremony } = beginCeremony('confirm', null, visit, at, needs)
  const isStrong = confirmsStrongly(owner, factors)
  const hasPassword = owner.passwordHash !== '' && !isStrong
  const upstreams = hasPassword || isStrong ? [] : await linkedUpstreams(visit, needs)
  const html = renderConfirm({
    problem,
    waitSeconds,
    view,
    csrf,
    ceremony,
    owner,
    next,
    passkeyOptions:
      place.is === 'here' && passkeys.length > 0 ? requestOptions(id, passkeys, place.party) : null,
    isStrong,
    hasPassword,
    hasForgot: canMail(needs) && owner.email !== '',
    upstreams: upstreams.map((one) => upstreamShown(one, view.language)),
  })
  return showPage(visit, html, { ...(problem && refused[problem]), hasScript: true, waitSeconds })
}

/**
 * Whether one of the owner's own passkeys signed in a ceremony that this very login began. One that
 * is finished confirmed this login then: the answer to that may not have come.
 */
const confirmByPasskey = async (
  visit: OwnerVisit,
  form: Parameters,
  needs: AccountNeeds,
): Promise<boolean> => {
  const { request, at } = visit
  const place = passkeyPlaceOf(request, needs)
  const presented = readPresented(form.find('credential') ?? '')
  const opened = await openCeremony('confirm', form.find('ceremony') ?? '', visit, at, needs)
  if (place.is !== 'here' || presented === null || opened === null) return false
  const { passkeys } = await needs.store.findFactors(visit.login.owner.id)
  const passkey = passkeys.find(({ id }) => id === presented.id)
  const used = passkey && (await usePasskey(presented, passkey, opened.ceremony, place.party))
  if (!used) return false
  const trace = traceOf(visit, needs)
  const outcome = await needs.store.confirmSession(byOwner(visit), { passkey: used }, trace)
  return outcome === 'accepted' || outcome === 'finished'
}

const confirmByPassword = async (
  visit: OwnerVisit,
  password: string,
  needs: AccountNeeds,
): Promise<boolean> => {
  const { address } = visit
  const { owner } = visit.login
  const typed = { username: owner.username, password, address, guesser: guesserIn(visit) }
  const found = await checkPassword(typed, traceOf(visit, needs), needs)
  if (found?.id !== owner.id) return false
  const login = { passwordHash: found.passwordHash }
  const trace = traceOf(visit, needs)
  return (await needs.store.confirmSession(byOwner(visit), login, trace)) === 'accepted'
}

/** An owner with a password shows that instead: an upstream is never stronger than what it replaces. */
const confirmByUpstream = async (
  id: string,
  form: Parameters,
  next: string,
  visit: OwnerVisit,
  needs: AccountNeeds,
): Promise<Answer> => {
  const { browser, login } = visit
  const linked = await linkedUpstreams(visit, needs)
  const upstream = linked.find(({ settings }) => settings.id === id)
  if (upstream === undefined || browser === null || login.owner.passwordHash !== '') {
    throw new Refusal('invalid_request', 'bad_upstream', 'this login cannot confirm it')
  }
  return proveUpstream(
    {
      purpose: 'confirm',
      action: '/account/confirm',
      fields: hidden('next', next),
      trip: { kind: 'confirm upstream', states: { upstream: id, next }, isFresh: true },
      failed: 'confirmFailed',
      accept: (person, ceremony) => confirmPerson(person, ceremony, next, visit, needs),
    },
    upstream,
    form,
    { ...visit, browser },
    needs,
  )
}

/** @param rows of the pages that a confirmation may lead back to */
export const openConfirm = (
  rows: readonly RouteRow[],
  needs: AccountNeeds,
  { forOwner, readForm }: Pages,
): readonly RouteRow[] => {
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
    if (upstream !== null) return confirmByUpstream(upstream, form, next, visit, needs)
    const attempt = async (): Promise<Answer> => {
      const password = form.find('password')
      const isRight =
        password === null
          ? await confirmByPasskey(visit, form, needs)
          : await confirmByPassword(visit, password, needs)
      return isRight ? answerConfirmedPage(visit, next) : show(visit, next, needs, 'wrong')
    }
    return orWait(attempt, (seconds) => show(visit, next, needs, 'throttled', seconds))
  })

  return [
    { ...page, method: 'GET', path: '/account/confirm', handler: showFirst, back },
    { ...page, method: 'POST', path: '/account/confirm', handler: takeProof, back },
  ]
}
