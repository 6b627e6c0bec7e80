/** `/account/security/recovery`: new recovery codes are shown once, and count once they are kept. */
import { type Answer, answerRedirect } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { hasSecondFactor } from '../model/factor.ts'
import type { Digest } from '../model/ids.ts'
import { beginCeremony, openCeremony } from '../owners/ceremony.ts'
import { newRecoveryCodes, recoveryDigest } from '../owners/recovery-codes.ts'
import { csrfToken } from '../owners/session.ts'
import { renderRecoveryCodes } from '../pages/security-setup.ts'
import { type Parts, traceOf } from '../parts.ts'
import { readOwnForm } from './forms.ts'
import { answerUnconfirmed, findPresent, type Present, securityPath } from './present.ts'
import { showPage, viewOf } from './view.ts'

const show = async (
  problem: 'recoveryLate' | null,
  { visitor, owner }: Present,
  exchange: Exchange,
  parts: Parts,
  status: number,
): Promise<Answer> => {
  const factors = await parts.store.findFactors(owner.id)
  if (!hasSecondFactor(factors)) return answerRedirect(securityPath('security', parts), 303)
  const codes = newRecoveryCodes(parts)
  const digests = codes.map(recoveryDigest)
  const { text } = beginCeremony('set recovery codes', digests, visitor, exchange.at, parts)
  const view = viewOf(exchange, parts)
  const html = renderRecoveryCodes({
    view,
    csrf: csrfToken(visitor),
    ceremony: text,
    codes,
    replaces: factors.recoveryCodes > 0,
    problem,
  })
  return showPage(view, html, status)
}

/** `GET /account/security/recovery`: other codes each time, none of which counts yet. */
export const showRecoveryCodes = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const present = await findPresent(exchange, parts)
  if ('instead' in present) return present.instead
  if (!present.isConfirmed) return answerUnconfirmed('recovery', parts)
  return show(null, present, exchange, parts, 200)
}

/** `POST /account/security/recovery` */
export const keepRecoveryCodes = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const present = await findPresent(exchange, parts)
  if ('instead' in present) return present.instead
  const { visitor, session, owner, isConfirmed } = present
  const form = await readOwnForm(exchange.request, visitor, parts)
  const text = form.find('ceremony') ?? ''
  const opened = await openCeremony('set recovery codes', text, visitor, exchange.at, parts)
  if (opened === null) {
    if (!isConfirmed) return answerUnconfirmed('recovery', parts)
    return show('recoveryLate', present, exchange, parts, 400)
  }
  const by = { ownerId: owner.id, session: session.id }
  const codes = opened.states as readonly Digest[]
  await parts.store.setRecoveryCodes(codes, opened.ceremony, by, traceOf(exchange, parts))
  return answerRedirect(securityPath('security', parts), 303)
}
