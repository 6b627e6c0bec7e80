/** `/account/security/codes`: one-time codes are set up, and count once the first of them was right. */
import type { Answer } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { beginCeremony, openCeremony } from '../owners/ceremony.ts'
import {
  newCodeSecret,
  secretText,
  setupUri,
  stepOfSecret,
  wrapSecret,
} from '../owners/one-time-codes.ts'
import { csrfToken } from '../owners/session.ts'
import { type CodesPage, renderCodesSetup } from '../pages/security-setup.ts'
import { type Parts, traceOf } from '../parts.ts'
import { readOwnForm } from './forms.ts'
import { answerUnconfirmed, findPresent, type Present } from './present.ts'
import { answerAdded } from './security.ts'
import { showPage, viewOf } from './view.ts'

const show = (
  secret: string,
  ceremony: string,
  problem: CodesPage['problem'],
  { visitor, owner }: Present,
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
    uri: setupUri(secret, owner, view.brand.name),
    problem,
  })
  return showPage(view, html, status)
}

/** Nothing is kept of the secret but in the page itself, until a code of it has come. */
const begin = (
  problem: CodesPage['problem'],
  present: Present,
  exchange: Exchange,
  parts: Parts,
  status: number,
): Answer => {
  const secret = newCodeSecret(parts)
  const { visitor } = present
  const { text } = beginCeremony('set one-time codes', secret, visitor, exchange.at, parts)
  return show(secret, text, problem, present, exchange, parts, status)
}

/** `GET /account/security/codes` */
export const showCodesSetup = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const present = await findPresent(exchange, parts)
  if ('instead' in present) return present.instead
  if (!present.isConfirmed) return answerUnconfirmed('codes', parts)
  return begin(null, present, exchange, parts, 200)
}

/** `POST /account/security/codes` */
export const setUpCodes = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const present = await findPresent(exchange, parts)
  if ('instead' in present) return present.instead
  const { visitor, session, owner, isConfirmed } = present
  const { request, at } = exchange
  const form = await readOwnForm(request, visitor, parts)
  const text = form.find('ceremony') ?? ''
  const opened = await openCeremony('set one-time codes', text, visitor, at, parts)
  if (opened === null) {
    if (!isConfirmed) return answerUnconfirmed('codes', parts)
    return begin('setupLate', present, exchange, parts, 400)
  }
  const secret = opened.states
  const lastStep = stepOfSecret(secret, form.find('code') ?? '', at)
  if (lastStep === null) return show(secret, text, 'setupWrong', present, exchange, parts, 400)
  const codes = { secret: wrapSecret(secret, owner.id, parts), lastStep }
  const by = { ownerId: owner.id, session: session.id }
  await parts.store.setOneTimeCodes(codes, opened.ceremony, by, traceOf(exchange, parts))
  return answerAdded(present, parts)
}
