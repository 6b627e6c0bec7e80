/** The page on which an owner sees the ways to log in, adds some and removes some. */
import { limits } from '../config/limits.ts'
import {
  type Factors,
  hasFactor,
  needsSecondFactor,
  type Passkey,
  passkeysOfFormerPassword,
} from '../model/factor.ts'
import { type AccountPageGiven, renderAccountPage } from './account-frame.ts'
import { hidden, named } from './fields.ts'
import { html, type Markup } from './markup.ts'
import { renderPasskeyForm } from './passkey-form.ts'
import { moment } from './time.ts'
import { renderUpstreamSection, type UpstreamSection } from './upstreams.ts'
import { pageUrl } from './view.ts'
import { securityWords } from './words/security.ts'

export type SecurityProblem =
  | 'passkeyProblem'
  | 'passkeyTaken'
  | 'passkeysFull'
  | 'passkeyOnlyUnready'

export interface SecurityPage extends AccountPageGiven {
  readonly factors: Factors
  /** Whether a passkey can be added, and by which ceremony; null = nothing can be changed just now. */
  readonly addition:
    | { readonly is: 'here'; readonly ceremony: string; readonly options: object }
    | { readonly is: 'elsewhere'; readonly url: string }
    | { readonly is: 'nowhere' | 'full' }
    | null
  /** Accounts at other services. */
  readonly upstreams?: UpstreamSection
  /** What was just done. */
  readonly notice: string | null
  readonly problem: SecurityProblem | null
}

const change = (
  page: SecurityPage,
  fields: Markup,
  button: Markup,
  style: 'danger' | 'primary' = 'danger',
): Markup | null =>
  page.addition === null
    ? null
    : html`<form method="post" action="${pageUrl(page.view, '/account/security')}">
${hidden('csrf', page.csrf)}
${fields}
<p class="actions"><button class="${style}" type="submit">${button}</button></p>
</form>`

const passkey = (of: Passkey, page: SecurityPage): Markup => {
  const { language } = page.view
  const words = securityWords[language]
  const name = named(of.name)
  const kept = of.backedUp ? words.copied : of.backupEligible ? words.copyable : words.single
  const used = of.lastUsedAt === null ? words.never : moment(of.lastUsedAt, page.view)
  const isOld = passkeysOfFormerPassword(page.factors).includes(of)
  return html`<h3>${name}</h3>
${isOld ? html`<p class="notice warning">${words.formerPassword}</p>` : null}
<dl>
<div><dt>${words.added}</dt><dd>${moment(of.createdAt, page.view)}</dd></div>
<div><dt>${words.used}</dt><dd>${used}</dd></div>
<div><dt>${words.kept}</dt><dd>${kept}</dd></div>
</dl>
${change(
  page,
  html`${hidden('action', 'remove_passkey')}${hidden('passkey', of.id)}`,
  html`${words.remove}<span class="unseen">${words.removeOf({ name })}</span>`,
)}`
}

const addition = (page: SecurityPage): Markup | null => {
  const { view } = page
  const words = securityWords[view.language]
  switch (page.addition?.is) {
    case undefined:
      return null
    case 'full':
      return html`<p class="quiet">${words.passkeysFull}</p>`
    case 'nowhere':
      return html`<p class="quiet">${words.passkeysNowhere}</p>`
    case 'elsewhere': {
      const { url } = page.addition
      const link = html`<a href="${url}">${url}</a>`
      return html`<p class="quiet">${words.passkeysElsewhere({ link })}</p>`
    }
    case 'here':
      return renderPasskeyForm(view, {
        kind: 'create',
        action: '/account/security',
        fields: html`${hidden('csrf', page.csrf)}${hidden('action', 'add_passkey')}
<label class="field"><span>${words.passkeyName}</span>
<input type="text" name="name" maxlength="${limits.passkeyNameCharacters}" autocomplete="off" aria-describedby="name-hint"></label>
<p class="quiet" id="name-hint">${words.passkeyNameHint}</p>`,
        ceremony: page.addition.ceremony,
        options: page.addition.options,
        button: words.addPasskey,
      })
  }
}

/** The state of "password only with a passkey", and its button. */
const passkeyOnly = (page: SecurityPage): Markup | null => {
  const words = securityWords[page.view.language]
  const { passkeys: list, passkeyOnly: isOn, recoveryCodes } = page.factors
  if (list.length === 0) return null
  if (!isOn && recoveryCodes === 0) return html`<p>${words.passkeyOnlyLater}</p>`
  const form = change(
    page,
    hidden('action', isOn ? 'passkey_only_off' : 'passkey_only_on'),
    html`${isOn ? words.passkeyOnlyEnd : words.passkeyOnlyBegin}`,
    isOn ? 'danger' : 'primary',
  )
  return html`<p>${isOn ? words.passkeyOnlyOn : words.passkeyOnlyOff}</p>
${form}`
}

const passkeys = (page: SecurityPage): Markup => {
  const words = securityWords[page.view.language]
  const list = page.factors.passkeys
  return html`<section class="card">
<h2>${words.passkeys}</h2>
<p>${words.passkeysIntro}</p>
${list.length === 0 ? html`<p>${words.noPasskeys}</p>` : list.map((one) => passkey(one, page))}
${passkeyOnly(page)}
${addition(page)}
</section>`
}

/** It changes nothing by itself. */
const way = (page: SecurityPage, path: string, text: string): Markup | null =>
  page.addition === null
    ? null
    : html`<p><a href="${pageUrl(page.view, `/account/security/${path}`)}">${text}</a></p>`

const codes = (page: SecurityPage): Markup => {
  const { language } = page.view
  const words = securityWords[language]
  const { oneTimeCodes } = page.factors
  const isOn = oneTimeCodes !== null
  return html`<section class="card">
<h2>${words.codes}</h2>
<p>${words.codesIntro}</p>
<p>${isOn ? words.codesOn({ when: moment(oneTimeCodes.createdAt, page.view) }) : words.codesOff}</p>
${way(page, 'codes', isOn ? words.replaceCodes : words.setUpCodes)}
${isOn ? change(page, hidden('action', 'remove_codes'), html`${words.removeCodes}`) : null}
</section>`
}

const recovery = (page: SecurityPage): Markup => {
  const words = securityWords[page.view.language]
  const { recoveryCodes: left } = page.factors
  const isOfUse = hasFactor(page.factors)
  const state = !isOfUse
    ? html`<p>${words.recoveryNeedless}</p>`
    : left === 0
      ? html`<p class="${needsSecondFactor(page.factors) ? 'notice warning' : 'quiet'}">${words.recoveryNone}</p>`
      : html`<p>${words.recoveryLeft({ left })}</p>`
  return html`<section class="card">
<h2>${words.recovery}</h2>
<p>${words.recoveryIntro}</p>
${state}
${isOfUse ? way(page, 'recovery', left === 0 ? words.makeRecovery : words.remakeRecovery) : null}
</section>`
}

export const renderSecurity = (page: SecurityPage): string => {
  const { view } = page
  const words = securityWords[view.language]
  const confirm = html`<p class="notice">${words.confirm} <a href="${pageUrl(view, '/account/confirm')}">${words.confirmLink}</a></p>`
  return renderAccountPage(page, {
    part: 'security',
    heading: words.heading,
    notice: page.notice,
    problem: page.problem && words[page.problem],
    main: html`${page.addition === null ? confirm : null}
${passkeys(page)}
${codes(page)}
${recovery(page)}
${page.upstreams === undefined ? null : renderUpstreamSection(page.upstreams)}`,
  })
}
