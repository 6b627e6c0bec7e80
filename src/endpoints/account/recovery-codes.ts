/** `/account/security/recovery`: new recovery codes are shown once, and count once they are kept. */
import type { Answer } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { hasFactor } from '../../model/factor.ts'
import type { Digest } from '../../model/ids.ts'
import { beginCeremony, openCeremony } from '../../owners/ceremony.ts'
import { newRecoveryCodes, recoveryDigest } from '../../owners/recovery-codes.ts'
import { csrfToken } from '../../owners/session.ts'
import { renderRecoveryCodes } from '../../pages/security-setup.ts'
import { type Parts, traceOf } from '../../parts.ts'
import { readOwnForm } from '../door/forms.ts'
import { refusedBy } from '../door/refused.ts'
import { answerDone, forOwner, type SignedIn } from '../door/signed-in.ts'
import { showPage, viewOf } from '../door/view.ts'
import { answerConfirmedPage, answerUnconfirmed, byOwner, isConfirmed } from './confirmed.ts'

const show = async (
  problem: 'recoveryLate' | null,
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
  status: number,
): Promise<Answer> => {
  const factors = await parts.store.findFactors(visitor.login.owner.id)
  if (!hasFactor(factors)) return answerConfirmedPage('security', exchange, parts)
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
  return refusedBy(problem && 'setup_too_late', showPage(view, html, status))
}

/** `GET /account/security/recovery`: other codes each time, none of which counts yet. */
export const showRecoveryCodes = forOwner(async (visitor, exchange, parts) =>
  isConfirmed(visitor, exchange)
    ? show(null, visitor, exchange, parts, 200)
    : answerUnconfirmed('recovery', exchange, parts),
)

/** Other codes, for whoever still may make some. */
const showLate = (visitor: SignedIn, exchange: Exchange, parts: Parts): Promise<Answer> | Answer =>
  isConfirmed(visitor, exchange)
    ? show('recoveryLate', visitor, exchange, parts, 400)
    : answerUnconfirmed('recovery', exchange, parts)

/** Whether the owner has what is left of these very codes, as after an answer that got lost. */
const areKept = async (
  codes: readonly Digest[],
  { login }: SignedIn,
  { store }: Parts,
): Promise<boolean> => {
  const kept = await store.listRecoveryCodes(login.owner.id)
  return kept.some((code) => codes.includes(code))
}

/** `POST /account/security/recovery` */
export const keepRecoveryCodes = forOwner(async (visitor, exchange, parts) => {
  const form = await readOwnForm(exchange.request, visitor, parts)
  const text = form.find('ceremony') ?? ''
  const opened = await openCeremony('set recovery codes', text, visitor, exchange.at, parts)
  if (opened === null) return showLate(visitor, exchange, parts)
  const by = byOwner(visitor)
  const codes = opened.states as readonly Digest[]
  const trace = traceOf(exchange, parts)
  const outcome = await parts.store.setRecoveryCodes(codes, opened.ceremony, by, trace)
  if (outcome !== 'added' && !(await areKept(codes, visitor, parts))) {
    return showLate(visitor, exchange, parts)
  }
  return answerDone('/account/security', 'recovery', visitor, exchange, parts)
})
