/** `/account/email`: the owner confirms the email address, or asks for another one. */
import { plainAddress } from '../../../config/people.ts'
import type { Answer } from '../../../http/answer.ts'
import { askForMail, queueMail, type WantedMail } from '../../../owners/ask-mail.ts'
import { canMail } from '../../../owners/ways-in.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { ServiceParts } from '../../../registries.ts'
import { traceOf } from '../../../store/trace.ts'
import { readOwnForm } from '../../form.ts'
import { forOwner } from '../../former.ts'
import { answerDone, noticeOf, type OwnerVisit } from '../../owner-visit.ts'
import { showPage } from '../../visit.ts'
import { answerUnconfirmed, isConfirmed } from '../confirmed.ts'
import { type EmailProblem, renderEmail } from './page.ts'
import { emailWords } from './words.ts'

const refused: Readonly<
  Record<EmailProblem, { readonly reason: string; readonly status: number }>
> = {
  bad: { reason: 'bad_email', status: 400 },
  same: { reason: 'same_email', status: 400 },
  throttled: { reason: 'mail_throttled', status: 429 },
}

const show = (
  visit: OwnerVisit,
  problem: EmailProblem | null,
  waitSeconds: number | null,
  typed: string,
  parts: ServiceParts,
): Answer => {
  const { view, csrf } = visit
  const { owner } = visit.login
  const html = renderEmail({
    view,
    csrf,
    owner,
    email: owner.email,
    isVerified: owner.emailVerified,
    typed,
    canMail: canMail(parts),
    problem,
    waitSeconds,
    notice: problem === null ? noticeOf(visit, emailWords(view.language).done) : null,
  })
  return showPage(visit, html, { ...(problem && refused[problem]), waitSeconds })
}

/** `GET /account/email` */
export const showEmailPage = forOwner((visit, parts) => show(visit, null, null, '', parts))

/** Asks for a link to an address, and for a notice to the address that it would replace. */
const askToProve = async (
  visit: OwnerVisit,
  email: string,
  parts: ServiceParts,
): Promise<Answer> => {
  const { view, address, at } = visit
  const { owner } = visit.login
  const of = { ownerId: owner.id, language: view.language.tag, waits: false }
  const wanted: WantedMail = { ...of, kind: 'verify', about: email }
  const waitSeconds = await askForMail(wanted, address, traceOf(visit, parts), parts)
  if (waitSeconds !== null) return show(visit, 'throttled', waitSeconds, email, parts)
  if (owner.email !== '' && owner.email !== email) {
    await queueMail({ ...of, kind: 'moving', about: owner.email }, at, parts)
  }
  return answerDone(visit, '/account/email', 'sent')
}

/**
 * `POST /account/email`. Whoever finds a browser logged in must not take the account along, so another
 * address needs a recent proof.
 */
export const changeEmail = forOwner(async (visit, parts) => {
  const form = await readOwnForm(visit, parts)
  const { owner } = visit.login
  const action = form.find('action') ?? 'change'
  if (!canMail(parts)) return show(visit, null, null, '', parts)
  if (action === 'verify') {
    const isOpen = owner.email !== '' && !owner.emailVerified
    return isOpen ? askToProve(visit, owner.email, parts) : show(visit, 'same', null, '', parts)
  }
  if (action !== 'change') {
    throw new Refusal('invalid_request', 'bad_action', 'action has to be change or verify')
  }
  if (!isConfirmed(visit)) return answerUnconfirmed(visit, parts)
  const email = (form.find('email') ?? '').trim().normalize('NFC')
  if (!plainAddress.test(email)) return show(visit, 'bad', null, email, parts)
  if (email === owner.email && owner.emailVerified) return show(visit, 'same', null, email, parts)
  return askToProve(visit, email, parts)
})
