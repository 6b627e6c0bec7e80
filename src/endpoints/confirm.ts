/** `/account/confirm`: a login is some hours old; whoever changes factors shows the password or a passkey anew. */
import { type Answer, answerRedirect, scriptPolicy } from '../http/answer.ts'
import { type Exchange, queryOf } from '../http/exchange.ts'
import { beginCeremony, openCeremony } from '../owners/ceremony.ts'
import { readPresented, requestOptions, usePasskey } from '../owners/passkeys.ts'
import { checkPassword } from '../owners/password-login.ts'
import { passkeyPlaceOf } from '../owners/relying-party.ts'
import { csrfToken } from '../owners/session.ts'
import { type ConfirmPage, renderConfirm } from '../pages/second-step.ts'
import { type Parts, traceOf } from '../parts.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { readOwnForm } from './forms.ts'
import {
  findPresent,
  isSecurityPage,
  type Present,
  type SecurityPage,
  securityPath,
} from './present.ts'
import { showPage, viewOf } from './view.ts'

const show = async (
  next: SecurityPage,
  said: Pick<ConfirmPage, 'problem' | 'waitSeconds'>,
  { visitor, owner }: Present,
  exchange: Exchange,
  parts: Parts,
  status: number,
): Promise<Answer> => {
  const { passkeys } = await parts.store.findFactors(owner.id)
  const place = passkeyPlaceOf(exchange.request, parts)
  const { id, text } = beginCeremony('confirm', null, visitor, exchange.at, parts)
  const passkeyOptions =
    place.is === 'here' && passkeys.length > 0 ? requestOptions(id, passkeys, place.party) : null
  const view = viewOf(exchange, parts)
  const csrf = csrfToken(visitor)
  const html = renderConfirm({ ...said, view, csrf, ceremony: text, owner, next, passkeyOptions })
  return showPage(view, html, status, [], {
    ...(passkeyOptions === null ? {} : scriptPolicy),
    ...(said.waitSeconds === null ? {} : { 'Retry-After': String(said.waitSeconds) }),
  })
}

const nextIn = (parameters: Parameters): SecurityPage => {
  const next = parameters.find('next') ?? ''
  return isSecurityPage(next) ? next : 'security'
}

/** `GET /account/confirm` */
export const showConfirmPage = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const present = await findPresent(exchange, parts)
  if ('instead' in present) return present.instead
  const said = { problem: null, waitSeconds: null }
  return show(nextIn(queryOf(exchange.request)), said, present, exchange, parts, 200)
}

/** Whether one of the owner's own passkeys signed in a ceremony that this very login began. */
const confirmByPasskey = async (
  form: Parameters,
  { visitor, session, owner }: Present,
  exchange: Exchange,
  parts: Parts,
): Promise<boolean> => {
  const { request, at } = exchange
  const place = passkeyPlaceOf(request, parts)
  const presented = readPresented(form.find('credential') ?? '')
  const opened = await openCeremony('confirm', form.find('ceremony') ?? '', visitor, at, parts)
  if (place.is !== 'here' || presented === null || opened === null) return false
  const { passkeys } = await parts.store.findFactors(owner.id)
  const passkey = passkeys.find(({ id }) => id === presented.id)
  const used = passkey && (await usePasskey(presented, passkey, opened.ceremony, place.party))
  if (!used) return false
  const by = { ownerId: owner.id, session: session.id }
  const trace = traceOf(exchange, parts)
  return (await parts.store.confirmSession(by, { passkey: used }, trace)) === 'accepted'
}

const confirmByPassword = async (
  password: string,
  { session, owner }: Present,
  exchange: Exchange,
  parts: Parts,
): Promise<boolean> => {
  const { address } = exchange
  const typed = { username: owner.username, password, address, countsAddress: true }
  const found = await checkPassword(typed, traceOf(exchange, parts), parts)
  if (found?.id !== owner.id) return false
  const by = { ownerId: owner.id, session: session.id }
  const login = { passwordHash: found.passwordHash }
  const trace = traceOf(exchange, parts)
  return (await parts.store.confirmSession(by, login, trace)) === 'accepted'
}

/** `POST /account/confirm` */
export const confirm = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const present = await findPresent(exchange, parts)
  if ('instead' in present) return present.instead
  const form = await readOwnForm(exchange.request, present.visitor, parts)
  const next = nextIn(form)
  try {
    const password = form.find('password')
    const isRight =
      password === null
        ? await confirmByPasskey(form, present, exchange, parts)
        : await confirmByPassword(password, present, exchange, parts)
    if (isRight) return answerRedirect(securityPath(next, parts), 303)
    const said = { problem: 'wrong', waitSeconds: null } as const
    return await show(next, said, present, exchange, parts, 403)
  } catch (fault) {
    if (!(fault instanceof Refusal) || fault.reason !== 'login_throttled') throw fault
    const waitSeconds = Number(fault.headers['Retry-After'])
    return show(next, { problem: 'throttled', waitSeconds }, present, exchange, parts, 429)
  }
}
