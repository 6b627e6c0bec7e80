/** `/account/security/passkeys`: an owner sees the passkeys, adds and removes them, and may require one. */
import { filterSuspect, type Passkey } from '../../../model/factor.ts'
import { hide, renderField, sayName } from '../../../paper/fields.ts'
import { icons } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderPasskeyForm } from '../../../paper/proofs.ts'
import { renderAct, renderAsked, renderGo, renderRow, renderRows } from '../../../paper/rows.ts'
import { sayWhen } from '../../../paper/time.ts'
import { type AccountPageGiven, renderAccountPage, renderWayBack } from '../frame.ts'
import { accountLimits } from '../limits.ts'
import type { SecurityPage, SecurityWords } from './page.ts'
import { securityWords } from './words.ts'

/** What the page tells as wrong, and how it is refused. */
export const securityRefused = {
  passkeyProblem: { reason: 'wrong_passkey', status: 400 },
  passkeyTaken: { reason: 'passkey_taken', status: 400 },
  passkeysFull: { reason: 'too_many_passkeys', status: 400 },
  passkeyOnlyUnready: { reason: 'passkey_only_unready', status: 409 },
} as const

export type SecurityProblem = keyof typeof securityRefused

/** Whether a passkey can be added, and by which ceremony; null = nothing can be changed just now. */
export type Addition =
  | { readonly is: 'here'; readonly ceremony: string; readonly options: object }
  | { readonly is: 'elsewhere'; readonly url: string }
  | { readonly is: 'nowhere' | 'full' }
  | null

export interface PasskeysPage
  extends AccountPageGiven,
    Pick<SecurityPage, 'factors' | 'passwordChangedAt' | 'notice'> {
  readonly addition: Addition
  readonly problem: SecurityProblem | null
}

const path = '/account/security'

const renderConfirmGo = ({ view }: PasskeysPage, button: Content): Markup =>
  renderGo(view, '/account/confirm', button, { next: 'security/passkeys' })

/** Without a recent proof, the same button leads to the page for it. */
const guard = (page: PasskeysPage, button: Content, open: () => Markup): Markup =>
  page.addition === null ? renderConfirmGo(page, button) : open()

const renderPasskey = (of: Passkey, page: PasskeysPage, words: SecurityWords): Markup => {
  const { view, factors } = page
  const name = sayName(of.name)
  const kept = of.backedUp ? words.copied : of.backupEligible ? words.copyable : words.single
  const used =
    of.lastUsedAt === null
      ? words.neverUsed
      : words.used({ when: sayWhen(of.lastUsedAt, view.at, view) })
  const isOld = filterSuspect(factors.passkeys, factors).includes(of)
  const button = html`${words.remove}<span class="unseen">${words.removeOf({ name })}</span>`
  const fields = html`${hide('action', 'remove_passkey')}${hide('passkey', of.id)}`
  const { removeEffect: effect, removeNow: confirm } = words
  const asked = { button, effect, confirm, look: 'in list' } as const
  return renderRow({
    mark: icons.key,
    title: html`${name}${isOld ? html` <span class="tag warn">${words.check}</span>` : null}`,
    says: html`${used}${words.comma}${kept}`,
    more: isOld ? html`<p class="says">${words.formerPassword}</p>` : null,
    end: guard(page, button, () => renderAsked({ ...page, path, fields }, asked)),
  })
}

/** Whether the password needs a passkey beside it, with the button to change it. */
const renderPasskeyOnly = (page: PasskeysPage, words: SecurityWords): Markup | null => {
  const { passkeys: list, passkeyOnly: isOn, recoveryCodes } = page.factors
  if (list.length === 0 || page.passwordChangedAt === null) return null
  const isReady = isOn || recoveryCodes > 0
  const button = isOn ? words.passkeyOnlyEnd : words.passkeyOnlyBegin
  const fields = hide('action', isOn ? 'passkey_only_off' : 'passkey_only_on')
  const act = guard(page, button, () => renderAct({ ...page, path, fields }, button))
  const make = renderGo(page.view, '/account/security/recovery', words.makeRecovery)
  const said = isReady ? words.passkeyOnlyOff : words.passkeyOnlyLater
  return html`<section class="card"><h2>${words.passkeyOnly} <span class="tag${isOn ? ' good' : ''}">${isOn ? words.on : words.off}</span></h2>
<p class="quiet">${isOn ? words.passkeyOnlyOn : said}</p>
<div class="actions">${isReady ? act : make}</div></section>`
}

const renderAdditionForm = (
  page: Pick<PasskeysPage, 'view' | 'csrf'>,
  { ceremony, options }: Extract<Addition, { is: 'here' }>,
  isPrimary: boolean,
): Markup => {
  const words = securityWords(page.view.language)
  const most = accountLimits.passkeyNameCharacters
  const field = renderField({
    name: 'name',
    label: words.passkeyName,
    input: html`type="text" maxlength="${most}" autocomplete="off"`,
    hint: words.passkeyNameHint,
  })
  return renderPasskeyForm(page, {
    kind: 'create',
    action: path,
    fields: html`${hide('action', 'add_passkey')}${field}`,
    ceremony,
    options,
    button: words.addPasskey,
    isPrimary,
  })
}

const renderAddition = (page: PasskeysPage, words: SecurityWords): Markup => {
  const { addition, factors } = page
  const isFirst = factors.passkeys.length === 0
  switch (addition?.is) {
    case undefined:
      return html`<p class="actions">${renderConfirmGo(page, words.addPasskey)}</p>`
    case 'full':
      return html`<p class="quiet">${words.passkeysFull}</p>`
    case 'nowhere':
      return html`<p class="quiet">${words.passkeysNowhere}</p>`
    case 'elsewhere': {
      const link = html`<a href="${addition.url}">${addition.url}</a>`
      return html`<p class="quiet">${words.passkeysElsewhere({ link })}</p>`
    }
    case 'here':
      return renderAdditionForm(page, addition, isFirst)
  }
}

export const renderPasskeys = (page: PasskeysPage): string => {
  const { view, factors } = page
  const words = securityWords(view.language)
  const count = factors.passkeys.length
  const rows = factors.passkeys.map((one) => renderPasskey(one, page, words))
  return renderAccountPage(page, {
    part: 'security',
    title: words.passkeys({ count: 0 }),
    heading: words.passkeysHeading({ count }),
    head: html`${renderWayBack(view, 'security')}<h1>${words.passkeysHeading({ count })}</h1>`,
    notice: page.notice,
    problem: page.problem && words[page.problem],
    main: html`<p class="lead">${words.passkeysIntro}</p>
${count === 0 ? null : renderRows(rows)}
<section class="card form">${count === 0 ? null : html`<h2>${words.another}</h2>`}${renderAddition(page, words)}</section>
${renderPasskeyOnly(page, words)}`,
  })
}
