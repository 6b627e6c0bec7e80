/** `/account/confirm`: a login is some hours old; whoever changes factors shows the password or a passkey anew. */
import { type Answer, scriptPolicy } from '../../http/answer.ts'
import { type Exchange, queryOf } from '../../http/exchange.ts'
import { beginCeremony, openCeremony } from '../../owners/ceremony.ts'
import { readPresented, requestOptions, usePasskey } from '../../owners/passkeys.ts'
import { checkPassword } from '../../owners/password-login.ts'
import { passkeyPlaceOf } from '../../owners/relying-party.ts'
import { csrfToken } from '../../owners/session.ts'
import { type ConfirmPage, renderConfirm } from '../../pages/second-step.ts'
import { type Parts, traceOf } from '../../parts.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { type ConfirmedPage, confirmedPageIn } from '../door/account-pages.ts'
import { readOwnForm } from '../door/forms.ts'
import { refusedBy } from '../door/refused.ts'
import { forOwner, guesserIn, type SignedIn } from '../door/signed-in.ts'
import { orWait } from '../door/throttled.ts'
import { showPage, viewOf } from '../door/view.ts'
import { answerConfirmedPage, byOwner } from './confirmed.ts'

type Problem = NonNullable<ConfirmPage['problem']>

const reasons: Readonly<Record<Problem, string>> = {
  wrong: 'wrong_confirmation',
  throttled: 'login_throttled',
}

const show = async (
  next: ConfirmedPage,
  said: Pick<ConfirmPage, 'problem' | 'waitSeconds'>,
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
  status: number,
): Promise<Answer> => {
  const { owner } = visitor.login
  const { passkeys } = await parts.store.findFactors(owner.id)
  const place = passkeyPlaceOf(exchange.request, parts)
  const { id, text } = beginCeremony('confirm', null, visitor, exchange.at, parts)
  const passkeyOptions =
    place.is === 'here' && passkeys.length > 0 ? requestOptions(id, passkeys, place.party) : null
  const view = viewOf(exchange, parts)
  const csrf = csrfToken(visitor)
  const html = renderConfirm({ ...said, view, csrf, ceremony: text, owner, next, passkeyOptions })
  const page = showPage(view, html, status, [], {
    ...(passkeyOptions === null ? {} : scriptPolicy),
    ...(said.waitSeconds === null ? {} : { 'Retry-After': String(said.waitSeconds) }),
  })
  return refusedBy(said.problem && reasons[said.problem], page)
}

/** `GET /account/confirm` */
export const showConfirmPage = forOwner(async (visitor, exchange, parts) => {
  const said = { problem: null, waitSeconds: null }
  return show(confirmedPageIn(queryOf(exchange.request)), said, visitor, exchange, parts, 200)
})

/**
 * Whether one of the owner's own passkeys signed in a ceremony that this very login began. One that
 * is finished confirmed this login then: the answer to that may not have come.
 */
const confirmByPasskey = async (
  form: Parameters,
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
): Promise<boolean> => {
  const { request, at } = exchange
  const place = passkeyPlaceOf(request, parts)
  const presented = readPresented(form.find('credential') ?? '')
  const opened = await openCeremony('confirm', form.find('ceremony') ?? '', visitor, at, parts)
  if (place.is !== 'here' || presented === null || opened === null) return false
  const { passkeys } = await parts.store.findFactors(visitor.login.owner.id)
  const passkey = passkeys.find(({ id }) => id === presented.id)
  const used = passkey && (await usePasskey(presented, passkey, opened.ceremony, place.party))
  if (!used) return false
  const trace = traceOf(exchange, parts)
  const outcome = await parts.store.confirmSession(byOwner(visitor), { passkey: used }, trace)
  return outcome === 'accepted' || outcome === 'finished'
}

const confirmByPassword = async (
  password: string,
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
): Promise<boolean> => {
  const { address } = exchange
  const { owner } = visitor.login
  const typed = { username: owner.username, password, address, guesser: guesserIn(visitor) }
  const found = await checkPassword(typed, traceOf(exchange, parts), parts)
  if (found?.id !== owner.id) return false
  const login = { passwordHash: found.passwordHash }
  const trace = traceOf(exchange, parts)
  return (await parts.store.confirmSession(byOwner(visitor), login, trace)) === 'accepted'
}

/** `POST /account/confirm` */
export const confirm = forOwner(async (visitor, exchange, parts) => {
  const form = await readOwnForm(exchange.request, visitor, parts)
  const next = confirmedPageIn(form)
  const again = (problem: Problem, waitSeconds: number | null, status: number): Promise<Answer> =>
    show(next, { problem, waitSeconds }, visitor, exchange, parts, status)
  const attempt = async (): Promise<Answer> => {
    const password = form.find('password')
    const isRight =
      password === null
        ? await confirmByPasskey(form, visitor, exchange, parts)
        : await confirmByPassword(password, visitor, exchange, parts)
    return isRight ? answerConfirmedPage(next, exchange, parts) : again('wrong', null, 403)
  }
  return orWait(attempt, (seconds) => again('throttled', seconds, 429))
})
