/**
 * `/account/delete`: the owner deletes the account, after a recent proof and with the username typed.
 * `/account/deletion`: the only page for an owner who deleted the account, and can still keep it.
 */
import type { Answer } from '../../../http/answer.ts'
import { usernameKey } from '../../../model/owner.ts'
import { deriveCsrfToken, endSession } from '../../../owners/session.ts'
import { allowMarkup, defineWords } from '../../../paper/catalog.ts'
import { renderForm, sayName, showOwner } from '../../../paper/fields.ts'
import { renderTitled } from '../../../paper/layout.ts'
import { html } from '../../../paper/markup.ts'
import { sayMoment } from '../../../paper/time.ts'
import { invalidRequest } from '../../../protocol/refusal.ts'
import { makeRows } from '../../../route.ts'
import { traceOf } from '../../../store/trace.ts'
import { answerLogInNow, identify, type OwnerVisit } from '../../owner-visit.ts'
import type { PageHandler, TakeForm } from '../../pages.ts'
import { answerSeeOther, makeView, showPage } from '../../visit.ts'
import { answerUnconfirmed, isConfirmed } from '../confirmed.ts'
import { type AccountPageGiven, accountFrameWords, pickGiven, renderAccountPage } from '../frame.ts'
import type { OpenPage } from '../needs.ts'

const deletionWords = defineWords('deletion', {
  heading: 'Delete your account?',
  effect: 'All logins and all access of applications end at once.',
  until: allowMarkup(
    'On {when} your account and its data are deleted. Until then you can log in and undo it.',
  ),
  stays:
    'A record of events stays for {days, plural, one {# day} other {# days}}. It has no names, no addresses and no networks: it knows you by an ID.',
  confirmation: allowMarkup('To confirm, write your username: {username}'),
  differs: 'That is not your username. Nothing was deleted.',
  delete: 'Delete my account',
  leavingHeading: 'Keep your account?',
  leaving: allowMarkup('You deleted this account. It is gone on {when}.'),
  leavingEffect:
    'If you keep it, your profile and your data stay. Applications have to ask you again.',
  keep: 'Keep my account',
  leave: 'Log out, and let it be deleted',
})

export interface LeavingPage extends AccountPageGiven {
  readonly deletionAt: number
}

export interface DeletePage extends LeavingPage {
  readonly eventDays: number
  readonly differs: boolean
}

export const renderDelete = (page: DeletePage): string => {
  const { view, owner, deletionAt, eventDays, differs } = page
  const words = deletionWords(view.language)
  const fault = differs ? html` aria-invalid="true" aria-describedby="problem"` : null
  const content = html`<p class="notice warning">${words.effect} ${words.until({ when: sayMoment(deletionAt, view) })}</p>
<p class="quiet">${words.stays({ days: eventDays })}</p>
<label class="field"><span>${words.confirmation({ username: sayName(owner.username) })}</span>
<input type="text" name="username" autocomplete="off" autocapitalize="none" spellcheck="false" required${fault}></label>
<p class="actions"><button class="danger" type="submit">${words.delete}</button></p>`
  return renderAccountPage(page, {
    part: 'profile',
    heading: words.heading,
    problem: differs ? words.differs : null,
    main: html`${renderForm(page, '/account/delete', content, 'card')}`,
  })
}

export const renderLeaving = (page: LeavingPage): string => {
  const { view, owner, deletionAt } = page
  const words = deletionWords(view.language)
  const buttons = html`<p class="actions"><button class="primary" type="submit" name="action" value="keep">${words.keep}</button>
<button type="submit" name="action" value="leave">${words.leave}</button></p>`
  return renderTitled(
    view,
    words.leavingHeading,
    html`<p>${accountFrameWords(view.language).loggedInAs({ owner: showOwner(owner) })}</p>
<p class="notice warning">${words.leaving({ when: sayMoment(deletionAt, view) })}</p>
<p>${words.leavingEffect}</p>
${renderForm(page, '/account/deletion', buttons)}`,
  )
}

export const openDelete: OpenPage = (needs, { ownerForm }) => {
  const { settings, store } = needs
  const eventDays = Math.ceil(settings.eventSeconds / 86_400)
  const deletionAtOf = ({ at }: OwnerVisit): number => at + settings.deletionDays * 86_400

  const show = (visit: OwnerVisit, differs: boolean): Answer => {
    const deletionAt = deletionAtOf(visit)
    const html = renderDelete({ ...pickGiven(visit), deletionAt, eventDays, differs })
    const refused = differs ? { status: 400, reason: 'deletion_not_typed' } : {}
    return showPage(visit, html, { ...refused })
  }

  const showFirst = (visit: OwnerVisit): Answer =>
    isConfirmed(visit) ? show(visit, false) : answerUnconfirmed(visit, needs)

  /** Ends the login that asks for it, too. The login page says the rest. */
  const requestDeletion: TakeForm = async (visit, form) => {
    if (!isConfirmed(visit)) return answerUnconfirmed(visit, needs)
    const typed = usernameKey((form.find('username') ?? '').trim())
    if (typed !== usernameKey(visit.login.owner.username)) return show(visit, true)
    await store.requestDeletion(identify(visit), deletionAtOf(visit), traceOf(visit, needs))
    return answerLogInNow(visit, 'deleted')
  }

  return ownerForm('/account/delete', showFirst, requestDeletion, { isConfirmed: true })
}

export const openLeaving: OpenPage = (needs, { forVisitor, readForm }) => {
  /** Everybody else is led to the account, or to the login. The forms are bound to the session. */
  const forLeaving = (handle: PageHandler<OwnerVisit>) =>
    forVisitor((visit) => {
      const { browser, leaving } = visit
      if (leaving == null) return answerSeeOther(visit, '/account')
      const csrf = deriveCsrfToken({ browser, login: leaving })
      const { zone, ...shown } = makeView(visit, needs, null, leaving.owner.pages)
      const view = { ...shown, zone: zone ?? 'UTC' }
      return handle({ ...visit, login: leaving, view, csrf })
    })

  const show = forLeaving((visit) => {
    const deletionAt = visit.login.owner.deletionAt ?? visit.at
    const html = renderLeaving({ ...pickGiven(visit), deletionAt })
    return showPage(visit, html)
  })

  /** Whichever comes first, the undoing or the deletion, holds for good. */
  const decide = forLeaving(async (visit) => {
    const form = await readForm(visit)
    const trace = traceOf(visit, needs)
    switch (form.find('action')) {
      case 'keep':
        await needs.store.undoDeletion(identify(visit), trace)
        return answerSeeOther(visit, '/account')
      case 'leave':
        return answerSeeOther(visit, '/login', {}, [await endSession(visit.login, trace, needs)])
    }
    throw invalidRequest('bad_action', 'action has to be keep or leave')
  })

  return makeRows('/account/deletion', show, decide)
}
