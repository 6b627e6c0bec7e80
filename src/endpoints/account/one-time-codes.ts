/** `/account/security/codes`: one-time codes are set up, and count once the first of them was right. */
import type { Answer } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { beginCeremony, openCeremony } from '../../owners/ceremony.ts'
import { rememberBrowser } from '../../owners/known-browser.ts'
import {
  areCodesOf,
  newCodeSecret,
  secretText,
  setupUri,
  stepOfSecret,
  wrapSecret,
} from '../../owners/one-time-codes.ts'
import { csrfToken } from '../../owners/session.ts'
import { type CodesPage, renderCodesSetup } from '../../pages/security-setup.ts'
import { type Parts, traceOf } from '../../parts.ts'
import { readOwnForm } from '../door/forms.ts'
import { refusedBy } from '../door/refused.ts'
import { forOwner, type SignedIn } from '../door/signed-in.ts'
import { showPage, viewOf } from '../door/view.ts'
import { answerAdded, answerUnconfirmed, byOwner, isConfirmed } from './confirmed.ts'

const reasons: Readonly<Record<NonNullable<CodesPage['problem']>, string>> = {
  setupWrong: 'wrong_code',
  setupLate: 'setup_too_late',
}

const show = (
  secret: string,
  ceremony: string,
  problem: CodesPage['problem'],
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
  status: number,
): Answer => {
  const view = viewOf(exchange, parts)
  const html = renderCodesSetup({
    view,
    csrf: csrfToken(visitor),
    ceremony,
    secret: secretText(secret),
    uri: setupUri(secret, visitor.login.owner, view.brand.name),
    problem,
  })
  return refusedBy(problem && reasons[problem], showPage(view, html, status))
}

/** Nothing is kept of the secret but in the page itself, until a code of it has come. */
const begin = (
  problem: CodesPage['problem'],
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
  status: number,
): Answer => {
  const secret = newCodeSecret(parts)
  const { text } = beginCeremony('set one-time codes', secret, visitor, exchange.at, parts)
  return show(secret, text, problem, visitor, exchange, parts, status)
}

/** `GET /account/security/codes` */
export const showCodesSetup = forOwner(async (visitor, exchange, parts) =>
  isConfirmed(visitor, exchange)
    ? begin(null, visitor, exchange, parts, 200)
    : answerUnconfirmed('codes', exchange, parts),
)

/** Another secret, for whoever still may set one up. */
const beginLate = (visitor: SignedIn, exchange: Exchange, parts: Parts): Answer =>
  isConfirmed(visitor, exchange)
    ? begin('setupLate', visitor, exchange, parts, 400)
    : answerUnconfirmed('codes', exchange, parts)

/** Whether the owner has codes of this very secret, as after an answer that got lost. */
const areSet = async (secret: string, { login }: SignedIn, parts: Parts): Promise<boolean> => {
  const { id } = login.owner
  const { oneTimeCodes } = await parts.store.findFactors(id)
  return oneTimeCodes !== null && areCodesOf(oneTimeCodes, secret, id, parts)
}

/** `POST /account/security/codes` */
export const setUpCodes = forOwner(async (visitor, exchange, parts) => {
  const { request, at } = exchange
  const form = await readOwnForm(request, visitor, parts)
  const text = form.find('ceremony') ?? ''
  const opened = await openCeremony('set one-time codes', text, visitor, at, parts)
  if (opened === null) return beginLate(visitor, exchange, parts)
  const secret = opened.states
  const lastStep = stepOfSecret(secret, form.find('code') ?? '', at)
  if (lastStep === null) return show(secret, text, 'setupWrong', visitor, exchange, parts, 400)
  const codes = { secret: wrapSecret(secret, visitor.login.owner.id, parts), lastStep }
  const by = byOwner(visitor)
  const trace = traceOf(exchange, parts)
  const outcome = await parts.store.setOneTimeCodes(codes, opened.ceremony, by, trace)
  if (outcome === 'added') {
    // This browser has shown a code: at the next login it is known, and no stranger makes it wait.
    const { owner, session } = visitor.login
    const methods = [...session.methods, 'otp', 'mfa'] as const
    const known = rememberBrowser(owner, methods, request, at, parts)
    return answerAdded('codes', visitor, exchange, parts, [known])
  }
  return (await areSet(secret, visitor, parts))
    ? answerAdded('codes', visitor, exchange, parts)
    : beginLate(visitor, exchange, parts)
})
