/** The second step of a login, and the page on which somebody logged in proves to be there once more. */
import { oneTimeCodeDigits } from '../crypto/one-time-code.ts'
import { allowMarkup, defineWords } from './catalog.ts'
import {
  hide,
  type PageWithForm,
  renderField,
  renderForm,
  renderSubmit,
  renderWaitingFields,
  showAlert,
  showOwner,
} from './fields.ts'
import { renderTitled } from './layout.ts'
import { loginWords, tellProblem } from './login.ts'
import { html, type Markup } from './markup.ts'
import {
  renderElsewhere,
  renderPasskeyForm,
  renderPasswordField,
  renderPasswordScript,
} from './proofs.ts'
import { type UpstreamButton, upstreamWords } from './upstreams.ts'
import { pageUrl } from './view.ts'

export const secondStepWords = defineWords('second-step', {
  title: 'Enter the code from your app',
  intro: 'Open your authenticator app, and type its six digits.',
  passkeyTitle: 'Now use your passkey',
  passkeyIntro: 'Your password is right. The passkey shows that it is you.',
  code: 'One-time code',
  codeSubmit: 'Log in',
  passkeySubmit: 'Use a passkey',
  passkeyElsewhere: allowMarkup(
    'Your passkey belongs to a host name, such as localhost, and not to an IP address: to use it, begin the login at {link}.',
  ),
  recovery: 'Use a recovery code instead',
  recoveryCode: 'Recovery code',
  recoveryHint: 'Each of them works once.',
  recoverySubmit: 'Log in with this code',
  lost: 'Lost all of these? Ask whoever runs this service.',
  back: 'Start again',
  wrong: 'That was not accepted. Each code works once.',
  digits:
    '{count, plural, one {# digit} other {# digits}}; the code has {needed, number}. Type the one that your app shows now.',
  used: 'This code, or a later one, was used already. Wait for the next one in your app.',
  confirmTitle: 'Is it you?',
  confirmIntro: allowMarkup(
    'You are logged in as {owner}. Before anything is changed here, please show once more that it is you.',
  ),
  confirmPassword: 'Password',
  confirmSubmit: 'Go on',
  confirmStrongly: 'Your password alone does not confirm it. Use a passkey, or log in again.',
  confirmLogin: 'Log in again',
  confirmOther: 'The service that logs you in cannot ask you anew, so it does not confirm it.',
  confirmForgot: 'Choose a password by mail',
  confirmBack: 'Back to the account',
  confirmWrong: 'That was not right.',
})

interface StepForm extends PageWithForm {
  readonly ceremony: string
  /** The challenge for a passkey; null if none can be used. */
  readonly passkeyOptions: object | null
  /** How long the next try has to wait; null = not at all. */
  readonly waitSeconds: number | null
}

export interface SecondStepPage extends StepForm {
  readonly problem: 'wrong' | 'used' | 'throttled' | null
  /** How many digits a wrong one-time code had; null where nothing is said of that. */
  readonly digits?: number | null
  /** What the problem is about. */
  readonly tried: 'one-time code' | 'recovery code' | 'passkey' | null
  /** The sealed authorization request; '' on the way to the account. */
  readonly journey: string
  /** The name of the account page to go to, without a request; '' = the first one. */
  readonly next: string
  readonly hasCodes: boolean
  readonly hasRecoveryCodes: boolean
  /**
   * The URL for the owner's passkey on the right host; null if it is this one, or there is none.
   */
  readonly elsewhere: string | null
}

export interface ConfirmPage extends StepForm {
  readonly problem: 'wrong' | 'throttled' | null
  readonly owner: { readonly username: string; readonly name: string }
  /** Whether a passkey or a new login is needed. */
  readonly isStrong: boolean
  readonly hasPassword: boolean
  /** Whether a mail can bring the link to a first password. */
  readonly hasForgot?: boolean
  /** The linked upstreams of an owner without a password, if they can ask anew. */
  readonly upstreams: readonly UpstreamButton[]
  /** Where to go from here, as `/account/confirm` knows it. */
  readonly next: string
}

/** @param said the problem in words; null = none, or a wait */
const sayProblem = (said: string | null, { view, waitSeconds }: StepForm): string | null => {
  const { throttled } = loginWords(view.language)
  return waitSeconds === null ? said : tellProblem(throttled, waitSeconds, view.language)
}

const sayPageProblem = (page: SecondStepPage): string | null => {
  const { digits: count = null } = page
  const words = secondStepWords(page.view.language)
  const { used } = words
  const isShort = count !== null && count !== oneTimeCodeDigits
  const wrong = isShort ? words.digits({ count, needed: oneTimeCodeDigits }) : words.wrong
  return sayProblem(page.problem && { wrong, used, throttled: null }[page.problem], page)
}

const renderCodeForm = (page: SecondStepPage, fields: Markup): Markup => {
  const words = secondStepWords(page.view.language)
  const field = renderField({
    name: 'code',
    label: words.code,
    input: html`class="digits" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required autofocus`,
    problem: page.tried === 'one-time code' ? sayPageProblem(page) : null,
  })
  return renderForm(page, '/login/second', [fields, field, renderSubmit(words.codeSubmit)])
}

const renderRecoveryForm = (page: SecondStepPage, fields: Markup): Markup => {
  const words = secondStepWords(page.view.language)
  const isOnlyWay = !page.hasCodes && page.passkeyOptions === null
  const problem = page.tried === 'recovery code' ? sayPageProblem(page) : null
  const field = renderField({
    name: 'recovery_code',
    label: words.recoveryCode,
    input: html`type="text" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="60" required`,
    hint: words.recoveryHint,
    problem,
  })
  const submit = html`<p class="actions"><button type="submit">${words.recoverySubmit}</button></p>`
  return html`<details${isOnlyWay || problem ? html` open` : null}>
<summary>${words.recovery}</summary>
${renderForm(page, '/login/second', [fields, field, submit])}
</details>`
}

const renderPasskeyStep = (page: StepForm, action: string, fields: Markup): Markup | null =>
  page.passkeyOptions === null
    ? null
    : renderPasskeyForm(page, {
        kind: 'get',
        action,
        fields,
        ceremony: page.ceremony,
        options: page.passkeyOptions,
        button: secondStepWords(page.view.language).passkeySubmit,
      })

export const renderSecondStep = (page: SecondStepPage): string => {
  const { view, journey, next } = page
  const words = secondStepWords(view.language)
  const carried = renderWaitingFields(journey, next)
  const fields = html`${carried}${hide('ceremony', page.ceremony)}`
  return renderTitled(
    view,
    page.hasCodes ? words.title : words.passkeyTitle,
    html`<p class="quiet">${page.hasCodes ? words.intro : words.passkeyIntro}</p>
${showAlert(page.tried === 'passkey' ? sayPageProblem(page) : null)}
${page.hasCodes ? renderCodeForm(page, fields) : null}
${page.hasCodes && page.passkeyOptions !== null ? html`<p class="or">${loginWords(view.language).or}</p>` : null}
<div class="stack">${renderPasskeyStep(page, '/login/second', carried)}</div>
${renderElsewhere(page.elsewhere, words.passkeyElsewhere)}
${page.hasRecoveryCodes ? renderRecoveryForm(page, fields) : null}
<p class="after quiet small">${words.lost} <a href="${pageUrl(view, '/login', { journey, next, switch: '1' })}">${words.back}</a></p>`,
  )
}

const confirmForm = (page: ConfirmPage, next: Markup): Markup => {
  const { view, owner, problem } = page
  const words = secondStepWords(view.language)
  const username = html`<input type="text" name="username" value="${owner.username}" autocomplete="username" hidden>`
  const password = renderPasswordField(view, {
    name: 'password',
    label: words.confirmPassword,
    kind: 'current-password',
    isFocused: true,
    describedBy: problem === null ? [] : ['problem'],
  })
  const submit = renderSubmit(words.confirmSubmit)
  return renderForm(page, '/account/confirm', [next, username, password, submit])
}

const renderUpstreamForm = (
  page: ConfirmPage,
  next: Markup,
  { id, title }: UpstreamButton,
): Markup => {
  const text = upstreamWords(page.view.language).confirm({ title })
  const submit = html`<p class="actions"><button type="submit">${text}</button></p>`
  return renderForm(page, '/account/confirm', [next, hide('upstream', id), submit])
}

/** Where nothing above confirms it. */
const renderOtherWays = (page: ConfirmPage): Markup | null => {
  const { view, next, isStrong, hasForgot = false } = page
  const words = secondStepWords(view.language)
  const isNone = !page.hasPassword && page.passkeyOptions === null && page.upstreams.length === 0
  if (!isStrong && !isNone) return null
  const forgot = html`<a class="button" href="${pageUrl(view, '/forgot')}">${words.confirmForgot}</a> `
  return html`<p>${isStrong ? words.confirmStrongly : words.confirmOther}</p>
<p class="actions">${!isStrong && hasForgot ? forgot : null}<a class="button" href="${pageUrl(view, '/login', { next, switch: '1' })}">${words.confirmLogin}</a></p>`
}

export const renderConfirm = (page: ConfirmPage): string => {
  const { view, owner } = page
  const words = secondStepWords(view.language)
  const next = hide('next', page.next)
  return renderTitled(
    view,
    words.confirmTitle,
    html`<p>${words.confirmIntro({ owner: showOwner(owner) })}</p>
${showAlert(sayProblem(page.problem === 'wrong' ? words.confirmWrong : null, page))}
${page.hasPassword ? confirmForm(page, next) : null}
${renderPasskeyStep(page, '/account/confirm', next) ?? renderPasswordScript(view)}
${page.upstreams.map((upstream) => renderUpstreamForm(page, next, upstream))}
${renderOtherWays(page)}
<p class="after"><a href="${pageUrl(view, '/account/security')}">${words.confirmBack}</a></p>`,
  )
}
