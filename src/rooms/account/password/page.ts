/** `/account/password`: the owner chooses another password, having shown the current one. */
import type { Settings } from '../../../config/settings.ts'
import type { Answer } from '../../../http/answer.ts'
import type { Owner } from '../../../model/owner.ts'
import { rememberBrowser } from '../../../owners/known-browser.ts'
import { checkPassword } from '../../../owners/password-login.ts'
import { findPasswordFault } from '../../../owners/password-rule.ts'
import { hashNewPassword } from '../../../owners/registration.ts'
import { findVisitor } from '../../../owners/session.ts'
import { findSuspectWays } from '../../../owners/ways-in.ts'
import { renderForm, renderSubmit } from '../../../paper/fields.ts'
import { loginRefused, tellProblem } from '../../../paper/login.ts'
import { html } from '../../../paper/markup.ts'
import { renderPasswordField, renderPasswordScript } from '../../../paper/proofs.ts'
import { passwordWords } from '../../../paper/words/password.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { traceOf } from '../../../store/trace.ts'
import {
  answerDone,
  answerLoginFirst,
  findNotice,
  getGuesser,
  type OwnerVisit,
} from '../../owner-visit.ts'
import type { TakeForm } from '../../pages.ts'
import { tryOrWait } from '../../throttled.ts'
import { answerSeeOther, showPage } from '../../visit.ts'
import { type AccountPageGiven, pickGiven, renderAccountPage } from '../frame.ts'
import type { OpenPage } from '../needs.ts'

const refused = {
  wrong: loginRefused.wrong,
  length: { reason: 'bad_new_password', status: 400 },
  common: { reason: 'common_new_password', status: 400 },
  names: { reason: 'new_password_of_names', status: 400 },
  differ: { reason: 'new_passwords_differ', status: 400 },
  same: { reason: 'same_password', status: 400 },
  throttled: loginRefused.throttled,
} as const

type PasswordProblem = keyof typeof refused

export interface PasswordPage extends AccountPageGiven {
  readonly leastCharacters: number
  readonly problem: PasswordProblem | null
  readonly waitSeconds: number | null
  readonly notice?: string | null
}

export const renderPassword = (page: PasswordPage): string => {
  const { view } = page
  const { language } = view
  const words = passwordWords(language)
  const said = page.problem && words.problem[page.problem]
  const problem = tellProblem(said, page.waitSeconds, language)
  const describedBy = problem === '' ? [] : ['problem']
  const { leastCharacters: least } = page
  const fields = html`<p>${words.effect}</p>
${renderPasswordField(view, { name: 'password', label: words.old, kind: 'current-password', describedBy })}
${renderPasswordField(view, { name: 'new_password', label: words.next, kind: 'new-password', hint: words.rule({ least }), describedBy })}
${renderPasswordField(view, { name: 'new_password_again', label: words.again, kind: 'new-password', describedBy })}
${renderSubmit(words.submit)}`
  return renderAccountPage(page, {
    part: 'security',
    heading: words.heading,
    notice: page.notice ?? null,
    problem,
    main: html`${renderForm(page, '/account/password', fields, 'card')}
${renderPasswordScript(view)}`,
  })
}

type Chosen = Readonly<Record<'old' | 'next', string>>

/** The passwords in the form; a problem if the new one cannot be chosen at all. */
const parseChosen = async (
  form: Parameters,
  owner: Owner,
  settings: Settings,
): Promise<Chosen | PasswordProblem> => {
  const old = form.find('password') ?? ''
  const next = form.find('new_password') ?? ''
  if (next !== (form.find('new_password_again') ?? '')) return 'differ'
  if (next !== '' && next === old) return 'same'
  return (await findPasswordFault(next, owner, settings)) ?? { old, next }
}

export const openPassword: OpenPage = (needs, { ownerForm }) => {
  const { settings, store, passwords } = needs

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
    return showPage(visit, html, { ...(problem && refused[problem]), waitSeconds })
  }

  const change = async (visit: OwnerVisit, { old, next }: Chosen): Promise<Answer> => {
    const { request, at, address, login } = visit
    const { username } = login.owner
    const typed = { username, password: old, address, guesser: getGuesser(visit) }
    const owner = await checkPassword(typed, traceOf(visit, needs), needs)
    if (owner === null) return show(visit, 'wrong')
    // The hash takes a place in the queue that strangers cannot take.
    const password = await passwords.inQueue(owner.id, (hashing) =>
      hashNewPassword({ password: next }, owner, { ...needs, passwords: hashing }),
    )
    const by = { session: login.session.id, passwordHash: owner.passwordHash }
    const changed = await store.changePassword(owner.id, password, by, traceOf(visit, needs))
    if (changed === null) {
      // The same form may have come twice. If another browser changed the password, this login has ended.
      const now = (await findVisitor(visit, needs)).login
      if (now === null) return answerLoginFirst(visit, needs)
      if (!(await passwords.verify(now.owner.passwordHash, next))) return show(visit, 'wrong')
    }
    // The new password ends what made browsers known to the owner.
    const known =
      changed === null ? [] : [rememberBrowser(changed, login.session.methods, request, at, needs)]
    return (await findSuspectWays(owner.id, needs)).isNone
      ? answerDone(visit, '/account/password', 'changed', known)
      : answerDone(visit, '/account/security', 'password', known)
  }

  /** Guessing is slowed as at a login. */
  const choose: TakeForm = async (visit, form) => {
    const chosen = await parseChosen(form, visit.login.owner, settings)
    if (typeof chosen === 'string') return show(visit, chosen)
    return tryOrWait(
      () => change(visit, chosen),
      (seconds) => show(visit, 'throttled', seconds),
    )
  }

  /** Without a current password there is nothing to change. The Security page says so. */
  const showOwn = (visit: OwnerVisit): Answer =>
    visit.login.owner.passwordHash === '' ? answerSeeOther(visit, '/account/security') : show(visit)

  return ownerForm('/account/password', showOwn, choose)
}
