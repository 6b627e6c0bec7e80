/** `/account/security/recovery`: new recovery codes are shown once, and count once they are kept. */
import type { Answer } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { hasSecondFactor } from '../model/factor.ts'
import type { Digest } from '../model/ids.ts'
import { beginCeremony, openCeremony } from '../owners/ceremony.ts'
import { newRecoveryCodes, recoveryDigest } from '../owners/recovery-codes.ts'
import { csrfToken } from '../owners/session.ts'
import { renderRecoveryCodes } from '../pages/security-setup.ts'
import { type Parts, traceOf } from '../parts.ts'
import { answerPath, answerUnconfirmed, byOwner, isConfirmed } from './confirmed.ts'
import { readOwnForm } from './forms.ts'
import { answerDone, forOwner, type SignedIn } from './signed-in.ts'
import { showPage, viewOf } from './view.ts'

const show = async (
  problem: 'recoveryLate' | null,
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
  status: number,
): Promise<Answer> => {
  const factors = await parts.store.findFactors(visitor.login.owner.id)
  if (!hasSecondFactor(factors)) return answerPath('security', parts)
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
export const showRecoveryCodes = forOwner(async (visitor, exchange, parts) =>
  isConfirmed(visitor, exchange)
    ? show(null, visitor, exchange, parts, 200)
    : answerUnconfirmed('recovery', parts),
)

/** `POST /account/security/recovery` */
export const keepRecoveryCodes = forOwner(async (visitor, exchange, parts) => {
  const form = await readOwnForm(exchange.request, visitor, parts)
  const text = form.find('ceremony') ?? ''
  const opened = await openCeremony('set recovery codes', text, visitor, exchange.at, parts)
  if (opened === null) {
    if (!isConfirmed(visitor, exchange)) return answerUnconfirmed('recovery', parts)
    return show('recoveryLate', visitor, exchange, parts, 400)
  }
  const by = byOwner(visitor)
  const codes = opened.states as readonly Digest[]
  await parts.store.setRecoveryCodes(codes, opened.ceremony, by, traceOf(exchange, parts))
  return answerDone('/account/security', 'recovery', parts)
})
