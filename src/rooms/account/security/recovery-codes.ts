/** `/account/security/recovery`: new recovery codes are shown once, and count once they are kept. */
import type { Answer } from '../../../http/answer.ts'
import { hasFactor } from '../../../model/factor.ts'
import type { Digest } from '../../../model/ids.ts'
import { beginCeremony, openCeremony } from '../../../owners/ceremony.ts'
import { newRecoveryCodes, recoveryDigest } from '../../../owners/recovery-codes.ts'
import type { ServiceParts } from '../../../registries.ts'
import { traceOf } from '../../../store/trace.ts'
import { readOwnForm } from '../../form.ts'
import { forOwner } from '../../former.ts'
import { answerDone, type OwnerVisit } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { answerConfirmedPage, answerUnconfirmed, byOwner, isConfirmed } from '../confirmed.ts'
import { renderRecoveryCodes } from './setup-page.ts'

/** New codes each time. None of them counts yet. */
const show = async (
  visit: OwnerVisit,
  problem: 'recoveryLate' | null,
  parts: Pick<ServiceParts, 'settings' | 'store' | 'keyring' | 'random'>,
): Promise<Answer> => {
  if (!isConfirmed(visit)) return answerUnconfirmed(visit, parts)
  const factors = await parts.store.findFactors(visit.login.owner.id)
  if (!hasFactor(factors)) return answerConfirmedPage(visit, 'security')
  const codes = newRecoveryCodes(parts)
  const digests = codes.map(recoveryDigest)
  const { text } = beginCeremony('set recovery codes', digests, visit, visit.at, parts)
  const html = renderRecoveryCodes({
    view: visit.view,
    csrf: visit.csrf,
    ceremony: text,
    codes,
    replaces: factors.recoveryCodes > 0,
    problem,
  })
  const refused = problem === null ? {} : { status: 400, reason: 'setup_too_late' }
  return showPage(visit, html, { ...refused, hasScript: true })
}

/** `GET /account/security/recovery` */
export const showRecoveryCodes = forOwner((visit, parts) => show(visit, null, parts))

/** Whether the owner has these codes already, as after a lost answer. */
const areKept = async (
  codes: readonly Digest[],
  { login }: OwnerVisit,
  { store }: Pick<ServiceParts, 'store'>,
): Promise<boolean> => {
  const kept = await store.listRecoveryCodes(login.owner.id)
  return kept.some((code) => codes.includes(code))
}

/** `POST /account/security/recovery` */
export const keepRecoveryCodes = forOwner(async (visit, parts) => {
  const form = await readOwnForm(visit, parts)
  const text = form.find('ceremony') ?? ''
  const opened = await openCeremony('set recovery codes', text, visit, visit.at, parts)
  if (opened === null) return show(visit, 'recoveryLate', parts)
  const codes = opened.states as readonly Digest[]
  const trace = traceOf(visit, parts)
  const outcome = await parts.store.setRecoveryCodes(codes, opened.ceremony, byOwner(visit), trace)
  return outcome === 'added' || (await areKept(codes, visit, parts))
    ? answerDone(visit, '/account/security', 'recovery')
    : show(visit, 'recoveryLate', parts)
})
