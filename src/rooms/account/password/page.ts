/** `/account/password`: the owner chooses another password, having shown the current one. */
import type { Answer } from '../../../http/answer.ts'
import { findSuspectWays } from '../../../owners/ways-in.ts'
import { renderForm, renderSubmit } from '../../../paper/fields.ts'
import { tellProblem } from '../../../paper/login.ts'
import { html } from '../../../paper/markup.ts'
import { renderPasswordField, renderPasswordScript } from '../../../paper/proofs.ts'
import { passwordWords } from '../../../paper/words/password.ts'
import { answerDone, answerLoginFirst, findNotice, type OwnerVisit } from '../../owner-visit.ts'
import type { TakeForm } from '../../pages.ts'
import { tryOrWait } from '../../throttled.ts'
import { answerSeeOther, showPage } from '../../visit.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage, renderWayBack } from '../frame.ts'
import type { OpenPage } from '../needs.ts'
import {
  changePassword,
  findChosenProblem,
  type PasswordChange,
  type PasswordProblem,
  passwordRefused,
  sayPasswordProblem,
} from './change.ts'

export interface PasswordPage extends AccountPageGiven {
  readonly leastCharacters: number
  readonly problem: PasswordProblem | null
  readonly waitSeconds: number | null
  readonly notice?: string | null
}

export const renderPassword = (page: PasswordPage): string => {
  const { view, leastCharacters: least, waitSeconds, notice = null } = page
  const { language } = view
  const words = passwordWords(language)
  const said = page.problem && sayPasswordProblem(page.problem, least, language)
  const problem = tellProblem(said, waitSeconds, language)
  const describedBy = problem === '' ? [] : ['problem']
  const fields = html`${renderPasswordField(view, { name: 'password', label: words.old, kind: 'current-password', describedBy })}
${renderPasswordField(view, { name: 'new_password', label: words.next, kind: 'new-password', hint: words.rule({ least }), describedBy })}
${renderPasswordField(view, { name: 'new_password_again', label: words.again, kind: 'new-password', describedBy })}
${renderSubmit(words.submit)}`
  return renderAccountPage(page, {
    part: 'security',
    title: words.heading,
    heading: words.heading,
    head: html`${renderWayBack(view, 'security')}<h1>${words.heading}</h1>`,
    notice,
    problem,
    main: html`<p class="lead">${words.effect}</p>
<div class="form">${renderForm(page, '/account/password', fields)}</div>
${renderPasswordScript(view)}`,
  })
}

export const openPassword: OpenPage = (needs, { ownerForm }) => {
  const { settings } = needs

  const show = (
    visit: OwnerVisit,
    problem: PasswordProblem | null = null,
    waitSeconds: number | null = null,
  ): Answer => {
    const html = renderPassword({
      ...pickGiven(visit),
      leastCharacters: settings.passwordCharacters,
      problem,
      waitSeconds,
      notice: problem === null ? findNotice(visit, passwordWords(visit.view.language).done) : null,
    })
    return showPage(visit, html, { ...(problem && passwordRefused[problem.is]), waitSeconds })
  }

  const answerChange = async (visit: OwnerVisit, change: PasswordChange): Promise<Answer> => {
    if (change.outcome === 'ended') return answerLoginFirst(visit, needs)
    if (change.outcome !== 'changed') return show(visit, { is: 'wrong', typed: '' })
    return (await findSuspectWays(visit.login.owner.id, needs)).isNone
      ? answerDone(visit, '/account/password', 'changed', change.cookies)
      : answerDone(visit, '/account/security', 'password', change.cookies)
  }

  const choose: TakeForm = async (visit, form) => {
    const old = form.find('password') ?? ''
    const next = form.find('new_password') ?? ''
    const again = form.find('new_password_again') ?? ''
    const problem = await findChosenProblem({ old, next, again }, visit.login.owner, settings)
    if (problem !== null) return show(visit, problem)
    return tryOrWait(
      async () => answerChange(visit, await changePassword(visit, { old, next }, needs)),
      (seconds) => show(visit, { is: 'throttled', typed: '' }, seconds),
    )
  }

  /** Without a current password there is nothing to change. The Security page says so. */
  const showOwn = (visit: OwnerVisit): Answer =>
    visit.login.owner.passwordHash === '' ? answerSeeOther(visit, '/account/security') : show(visit)

  return ownerForm('/account/password', showOwn, choose)
}
