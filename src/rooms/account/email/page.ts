/** `/account/email`: the owner confirms the email address, or asks for another one. */
import { plainAddress } from '../../../config/people.ts'
import type { Answer } from '../../../http/answer.ts'
import { askForMail, queueMail, type WantedMail } from '../../../owners/ask-mail.ts'
import { openSentMails } from '../../../owners/sent-mails.ts'
import { canMail } from '../../../owners/ways-in.ts'
import { allowMarkup, defineWords } from '../../../paper/catalog.ts'
import { hide, renderField, renderForm, sayName } from '../../../paper/fields.ts'
import { tellProblem } from '../../../paper/login.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderMailed } from '../../../paper/pieces.ts'
import { pageUrl } from '../../../paper/view.ts'
import { invalidRequest } from '../../../protocol/refusal.ts'
import { traceOf } from '../../../store/trace.ts'
import { answerDone, findNotice, type OwnerVisit, readDone } from '../../owner-visit.ts'
import type { TakeForm } from '../../pages.ts'
import { showPage } from '../../visit.ts'
import { openWaiting } from '../../waiting.ts'
import { answerUnconfirmed, isConfirmed } from '../confirmed.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage, renderWayBack } from '../frame.ts'
import type { AccountNeeds, OpenPage } from '../needs.ts'
import { makeAsked } from './waiting.ts'

const emailWords = defineWords('email', {
  title: 'Your email address',
  heading: {
    none: 'Your account has no email address',
    confirmed: allowMarkup('{email} is confirmed'),
    unconfirmed: allowMarkup('{email} is not confirmed yet'),
    sent: allowMarkup('Check {email}'),
  },
  none: 'Without one, nobody can send you a link if you forget your password.',
  again: 'Send again',
  another: 'Another address',
  cancel: 'Cancel',
  waits: 'Nothing changes until you open the link.',
  verify: 'Send a link to confirm it',
  next: 'New email address',
  effect:
    'We send a link to the new address. It counts once you open that link. The address until now gets a notice.',
  change: 'Send link',
  off: 'This service sends no mail. Ask whoever runs it to change the address.',
  problem: {
    bad: 'That is not an email address.',
    same: 'That is your email address already.',
    throttled: 'There were too many requests.',
    stale: 'This page is too old to cancel its mail. The link in it ends by itself.',
  },
  done: {
    sent: 'A link is on its way. It works once, for 24 hours.',
    cancelled: 'Cancelled: the link in the mail works no longer.',
  },
})

const refused = {
  bad: { reason: 'bad_email', status: 400 },
  same: { reason: 'same_email', status: 400 },
  throttled: { reason: 'mail_throttled', status: 429 },
  stale: { reason: 'mail_not_cancelled', status: 403 },
} as const

type EmailProblem = keyof typeof refused

export interface EmailPage extends AccountPageGiven {
  readonly email: string
  readonly isVerified: boolean
  readonly typed: string
  readonly canMail: boolean
  readonly problem: EmailProblem | null
  readonly waitSeconds: number | null
  /** The address of a link under way, as typed; '' without one. */
  readonly sentTo?: string
  /** The mails that Cancel is about, sealed; '' for none. */
  readonly sent?: string
  /** What was just done. */
  readonly notice?: string | null
}

const changeForm = (page: EmailPage, problem: string): Markup => {
  const words = emailWords(page.view.language)
  const field = renderField({
    name: 'email',
    label: words.next,
    input: html`type="email" value="${page.typed}" autocomplete="email" required${problem === '' ? null : html` autofocus`}`,
    hint: words.effect,
    problem,
  })
  const button = html`<p class="actions"><button class="primary" type="submit" name="action" value="change">${words.change}</button></p>`
  return renderForm(page, '/account/email', [field, button], 'card')
}

/** The address that waits, to send the link again or to choose another one. */
const renderWaiting = (page: EmailPage, sentTo: string): string => {
  const { view, email, sent = '' } = page
  const words = emailWords(view.language)
  const cancel = html`<button class="plain" type="submit" name="action" value="cancel">${words.cancel}</button>`
  const action = sentTo === email ? 'verify' : 'change'
  const change = html`<a class="button" href="${pageUrl(view, '/account/email')}">${words.another}</a>`
  return renderAccountPage(page, {
    part: 'profile',
    heading: null,
    title: words.title,
    head: html`${renderWayBack(view, 'profile')}
<div>${renderMailed(words.heading.sent({ email: sayName(sentTo) }))}</div>`,
    main: html`<p role="status">${words.done.sent}</p>
<p class="quiet">${words.waits}</p>
${renderForm(page, '/account/email', html`${hide('email', sentTo)}${hide('sent', sent)}<p class="actions"><button type="submit" name="action" value="${action}">${words.again}</button>${change}${sent && cancel}</p>`)}`,
  })
}

export const renderEmail = (page: EmailPage): string => {
  const { view, email, isVerified, canMail, waitSeconds, sentTo = '' } = page
  if (sentTo !== '') return renderWaiting(page, sentTo)
  const words = emailWords(view.language)
  const said = page.problem && words.problem[page.problem]
  const problem = tellProblem(said, waitSeconds, view.language)
  const isAboutField = canMail && page.problem !== 'stale'
  const isOpen = email !== '' && !isVerified && canMail
  const verify = html`<p class="actions"><button type="submit" name="action" value="verify">${words.verify}</button></p>`
  const known = words.heading[isVerified ? 'confirmed' : 'unconfirmed']({ email: sayName(email) })
  return renderAccountPage(page, {
    part: 'profile',
    heading: null,
    title: words.title,
    head: html`${renderWayBack(view, 'profile')}
<h1>${email === '' ? words.heading.none : known}</h1>`,
    notice: page.notice ?? null,
    problem: isAboutField ? null : problem,
    main: html`${email === '' ? html`<p class="lead">${words.none}</p>` : null}
${isOpen ? renderForm(page, '/account/email', verify) : null}
${canMail ? changeForm(page, isAboutField ? problem : '') : html`<p class="quiet">${words.off}</p>`}`,
  })
}

type ShowEmail = (
  visit: OwnerVisit,
  problem?: EmailProblem | null,
  typed?: string,
  waitSeconds?: number | null,
) => Promise<Answer>

const openAsking = (needs: AccountNeeds, show: ShowEmail) => {
  const { keepTypedName, keepSent, findSent, forgetSent } = openWaiting(needs)
  const sentMails = openSentMails(needs)

  /** Asks for a link to an address, and for a notice to the address that it would replace. */
  const askToProve = async (visit: OwnerVisit, email: string, before: string): Promise<Answer> => {
    const { view, address, at } = visit
    const { owner } = visit.login
    const of = { ownerId: owner.id, language: view.language.tag, waits: false }
    const wanted: WantedMail = { ...of, kind: 'verify', about: email }
    const mail = await askForMail(wanted, address, traceOf(visit, needs), needs)
    if (typeof mail === 'number') return show(visit, 'throttled', email, mail)
    if (owner.email !== '' && owner.email !== email) {
      await queueMail({ ...of, kind: 'moving', about: owner.email }, at, needs)
    }
    // A page that was left behind has mails, too.
    const sent = await sentMails.add(mail, before || findSent(visit), makeAsked(visit))
    return answerDone(visit, '/account/email', 'sent', [keepTypedName(email), keepSent(sent)])
  }

  /** Takes no recent proof: less is changed than by leaving it. */
  const cancel = async (visit: OwnerVisit, sent: string): Promise<Answer> => {
    const asked = makeAsked(visit)
    const mails = await sentMails.list(sent, asked)
    if (mails.length === 0) return show(visit, 'stale')
    await sentMails.cancel(mails, asked)
    return answerDone(visit, '/account/email', 'cancelled', forgetSent())
  }

  return { askToProve, cancel }
}

export const openEmail: OpenPage = (needs, { ownerForm }) => {
  const hasMail = canMail(needs)
  const { findTypedName, findSent } = openWaiting(needs)
  const sentMails = openSentMails(needs)

  const show: ShowEmail = async (visit, problem = null, typed = '', waitSeconds = null) => {
    const { owner } = visit.login
    const isSent = readDone(visit)?.what === 'sent'
    const kept = isSent ? findSent(visit) : ''
    const { cancelled } = emailWords(visit.view.language).done
    const html = renderEmail({
      ...pickGiven(visit),
      email: owner.email,
      isVerified: owner.emailVerified,
      typed,
      canMail: hasMail,
      problem,
      waitSeconds,
      sentTo: isSent ? findTypedName(visit) : '',
      sent: (await sentMails.list(kept, makeAsked(visit))).length > 0 ? kept : '',
      notice: problem === null ? findNotice(visit, { cancelled }) : null,
    })
    return showPage(visit, html, { ...(problem && refused[problem]), waitSeconds })
  }

  const { askToProve, cancel } = openAsking(needs, show)

  /** Whoever finds a browser logged in must not take the account along: a new address needs a recent proof. */
  const change: TakeForm = (visit, form) => {
    const { owner } = visit.login
    const action = form.find('action') ?? 'change'
    const sent = form.find('sent') ?? ''
    if (action === 'cancel') return cancel(visit, sent)
    if (!hasMail) return show(visit)
    if (action === 'verify') {
      const isOpen = owner.email !== '' && !owner.emailVerified
      return isOpen ? askToProve(visit, owner.email, sent) : show(visit, 'same')
    }
    if (action !== 'change') {
      throw invalidRequest('bad_action', 'action has to be change, verify or cancel')
    }
    if (!isConfirmed(visit)) return answerUnconfirmed(visit, needs)
    const email = (form.find('email') ?? '').trim().normalize('NFC')
    if (!plainAddress.test(email)) return show(visit, 'bad', email)
    if (email === owner.email && owner.emailVerified) return show(visit, 'same', email)
    return askToProve(visit, email, sent)
  }

  return ownerForm('/account/email', (visit) => show(visit), change, { isConfirmed: true })
}
