/** `/account/confirm`: a login is some hours old; whoever changes factors shows the password or a passkey anew. */
import type { Answer } from '../../../http/answer.ts'
import { queryOf } from '../../../http/exchange.ts'
import type { HttpRequest } from '../../../http/request.ts'
import { confirmsStrongly } from '../../../model/factor.ts'
import { beginCeremony, openCeremony } from '../../../owners/ceremony.ts'
import { readPresented, requestOptions, usePasskey } from '../../../owners/passkeys.ts'
import { checkPassword, type PasswordParts } from '../../../owners/password-login.ts'
import { passkeyPlaceOf } from '../../../owners/relying-party.ts'
import { canMail } from '../../../owners/ways-in.ts'
import { type ConfirmPage, renderConfirm } from '../../../paper/second-step.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { ServiceParts } from '../../../registries.ts'
import { type FormerRow, page } from '../../../route.ts'
import { traceOf } from '../../../store/trace.ts'
import { findConfirmedPage } from '../../account-pages.ts'
import { readOwnForm } from '../../form.ts'
import { forOwner } from '../../former.ts'
import { guesserIn, type OwnerVisit } from '../../owner-visit.ts'
import { orWait } from '../../throttled.ts'
import { showPage } from '../../visit.ts'
import { answerConfirmedPage, byOwner } from '../confirmed.ts'
import { confirmByUpstream, confirmingUpstreams } from './upstream.ts'

type ConfirmProblem = NonNullable<ConfirmPage['problem']>

const refused: Readonly<
  Record<ConfirmProblem, { readonly reason: string; readonly status: number }>
> = {
  wrong: { reason: 'wrong_confirmation', status: 403 },
  throttled: { reason: 'login_throttled', status: 429 },
}

const show = async (
  visit: OwnerVisit,
  next: string,
  problem: ConfirmProblem | null,
  waitSeconds: number | null,
  parts: ServiceParts,
): Promise<Answer> => {
  const { view, csrf, request, at } = visit
  const { owner } = visit.login
  const factors = await parts.store.findFactors(owner.id)
  const { passkeys } = factors
  const place = passkeyPlaceOf(request, parts)
  const { id, text: ceremony } = beginCeremony('confirm', null, visit, at, parts)
  const passkeyOptions =
    place.is === 'here' && passkeys.length > 0 ? requestOptions(id, passkeys, place.party) : null
  const said = { problem, waitSeconds }
  const isStrong = confirmsStrongly(owner, factors)
  const hasPassword = owner.passwordHash !== '' && !isStrong
  const upstreams = hasPassword || isStrong ? [] : await confirmingUpstreams(visit, parts)
  const hasForgot = canMail(parts) && owner.email !== ''
  const ways = { isStrong, hasPassword, hasForgot, upstreams }
  const form = { view, csrf, ceremony, owner, next, passkeyOptions, ...ways }
  const html = renderConfirm({ ...said, ...form })
  return showPage(visit, html, { ...(problem && refused[problem]), hasScript: true, waitSeconds })
}

/**
 * Whether one of the owner's own passkeys signed in a ceremony that this very login began. One that
 * is finished confirmed this login then: the answer to that may not have come.
 */
const confirmByPasskey = async (
  visit: OwnerVisit,
  form: Parameters,
  parts: Pick<ServiceParts, 'settings' | 'store' | 'keyring' | 'clock' | 'random'>,
): Promise<boolean> => {
  const { request, at } = visit
  const place = passkeyPlaceOf(request, parts)
  const presented = readPresented(form.find('credential') ?? '')
  const opened = await openCeremony('confirm', form.find('ceremony') ?? '', visit, at, parts)
  if (place.is !== 'here' || presented === null || opened === null) return false
  const { passkeys } = await parts.store.findFactors(visit.login.owner.id)
  const passkey = passkeys.find(({ id }) => id === presented.id)
  const used = passkey && (await usePasskey(presented, passkey, opened.ceremony, place.party))
  if (!used) return false
  const trace = traceOf(visit, parts)
  const outcome = await parts.store.confirmSession(byOwner(visit), { passkey: used }, trace)
  return outcome === 'accepted' || outcome === 'finished'
}

const confirmByPassword = async (
  visit: OwnerVisit,
  password: string,
  parts: PasswordParts,
): Promise<boolean> => {
  const { address } = visit
  const { owner } = visit.login
  const typed = { username: owner.username, password, address, guesser: guesserIn(visit) }
  const found = await checkPassword(typed, traceOf(visit, parts), parts)
  if (found?.id !== owner.id) return false
  const login = { passwordHash: found.passwordHash }
  const trace = traceOf(visit, parts)
  return (await parts.store.confirmSession(byOwner(visit), login, trace)) === 'accepted'
}

const confirm = async (
  form: Parameters,
  next: string,
  visit: OwnerVisit,
  parts: ServiceParts,
): Promise<Answer> => {
  const upstream = form.find('upstream')
  if (upstream !== null) return confirmByUpstream(upstream, form, next, visit, parts)
  const again = (problem: ConfirmProblem, waitSeconds: number | null = null): Promise<Answer> =>
    show(visit, next, problem, waitSeconds, parts)
  const attempt = async (): Promise<Answer> => {
    const password = form.find('password')
    const isRight =
      password === null
        ? await confirmByPasskey(visit, form, parts)
        : await confirmByPassword(visit, password, parts)
    return isRight ? answerConfirmedPage(visit, next) : again('wrong')
  }
  return orWait(attempt, (seconds) => again('throttled', seconds))
}

/** `/account/confirm`. @param rows of the pages that it may lead back to */
export const confirmRows = (rows: readonly FormerRow[]): readonly FormerRow[] => {
  const names = rows.flatMap(({ path, isConfirmed }) =>
    isConfirmed ? path.slice('/account/'.length) : [],
  )
  const nextIn = (given: Parameters): string => findConfirmedPage(given.find('next'), names)
  // The proof that it asks for is the login itself.
  const back = (request: HttpRequest): string => nextIn(queryOf(request))
  const showConfirmPage = forOwner((visit, parts) =>
    show(visit, back(visit.request), null, null, parts),
  )
  const takeProof = forOwner(async (visit, parts) => {
    const form = await readOwnForm(visit, parts)
    return confirm(form, nextIn(form), visit, parts)
  })
  return [
    { ...page, method: 'GET', path: '/account/confirm', handler: showConfirmPage, back },
    { ...page, method: 'POST', path: '/account/confirm', handler: takeProof, back },
  ]
}
