/** `/account/security/codes`: one-time codes are set up, and count once the first of them was right. */
import type { Answer } from '../../../http/answer.ts'
import { beginCeremony, openCeremony } from '../../../owners/ceremony.ts'
import { rememberBrowser } from '../../../owners/known-browser.ts'
import {
  areCodesOf,
  newCodeSecret,
  secretText,
  setupUri,
  stepOfSecret,
  wrapSecret,
} from '../../../owners/one-time-codes.ts'
import type { ServiceParts } from '../../../registries.ts'
import { traceOf } from '../../../store/trace.ts'
import { readOwnForm } from '../../form.ts'
import { forOwner } from '../../former.ts'
import type { OwnerVisit } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { answerAdded, answerUnconfirmed, byOwner, isConfirmed } from '../confirmed.ts'
import { type CodesPage, renderCodesSetup } from './setup-page.ts'

const reasons: Readonly<Record<NonNullable<CodesPage['problem']>, string>> = {
  setupWrong: 'wrong_code',
  setupLate: 'setup_too_late',
}

const show = (
  visit: OwnerVisit,
  secret: string,
  ceremony: string,
  problem: CodesPage['problem'],
): Answer => {
  const { view, csrf } = visit
  const html = renderCodesSetup({
    view,
    csrf,
    ceremony,
    secret: secretText(secret),
    uri: setupUri(secret, visit.login.owner, view.brand.name),
    problem,
  })
  return showPage(visit, html, problem === null ? {} : { status: 400, reason: reasons[problem] })
}

/**
 * A new secret, for whoever may still set one up. Nothing is kept of it but in the page itself, until
 * a code of it has come.
 */
const begin = (
  visit: OwnerVisit,
  problem: 'setupLate' | null,
  parts: Pick<ServiceParts, 'settings' | 'keyring' | 'random'>,
): Answer => {
  if (!isConfirmed(visit)) return answerUnconfirmed(visit, parts)
  const secret = newCodeSecret(parts)
  const { text } = beginCeremony('set one-time codes', secret, visit, visit.at, parts)
  return show(visit, secret, text, problem)
}

/** `GET /account/security/codes` */
export const showCodesSetup = forOwner((visit, parts) => begin(visit, null, parts))

/** Whether the owner has codes of this very secret, as after an answer that got lost. */
const areSet = async (
  secret: string,
  { login }: OwnerVisit,
  parts: Pick<ServiceParts, 'store' | 'vault' | 'tell'>,
): Promise<boolean> => {
  const { id } = login.owner
  const { oneTimeCodes } = await parts.store.findFactors(id)
  return oneTimeCodes !== null && areCodesOf(oneTimeCodes, secret, id, parts)
}

/** `POST /account/security/codes` */
export const setUpCodes = forOwner(async (visit, parts) => {
  const { request, at } = visit
  const { owner, session } = visit.login
  const form = await readOwnForm(visit, parts)
  const text = form.find('ceremony') ?? ''
  const opened = await openCeremony('set one-time codes', text, visit, at, parts)
  if (opened === null) return begin(visit, 'setupLate', parts)
  const secret = opened.states
  const lastStep = stepOfSecret(secret, form.find('code') ?? '', at)
  if (lastStep === null) return show(visit, secret, text, 'setupWrong')
  const codes = { secret: wrapSecret(secret, owner.id, parts), lastStep }
  const trace = traceOf(visit, parts)
  const outcome = await parts.store.setOneTimeCodes(codes, opened.ceremony, byOwner(visit), trace)
  if (outcome === 'added') {
    // This browser has shown a code: at the next login it is known, and no stranger makes it wait.
    const methods = [...session.methods, 'otp', 'mfa'] as const
    const known = rememberBrowser(owner, methods, request, at, parts)
    return answerAdded(visit, 'codes', parts, [known])
  }
  return (await areSet(secret, visit, parts))
    ? answerAdded(visit, 'codes', parts)
    : begin(visit, 'setupLate', parts)
})
