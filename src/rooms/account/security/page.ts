/** The page on which an owner sees how to log in, and changes each of the ways. */

import {
  type Factors,
  filterSuspect,
  hasFactor,
  needsSecondFactor,
  type Passkey,
} from '../../../model/factor.ts'
import { hide, sayName } from '../../../paper/fields.ts'
import { drawIcon } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderPasskeyForm } from '../../../paper/proofs.ts'
import {
  renderAct,
  renderAsked,
  renderEntry,
  renderGo,
  renderRow,
  renderRows,
  renderSection,
} from '../../../paper/rows.ts'
import { formatChoice, sayAgo, sayMoment } from '../../../paper/time.ts'
import { renderUpstreamSection, type UpstreamSection } from '../../../paper/upstreams.ts'
import { pageUrl } from '../../../paper/view.ts'
import { sessionWords } from '../../../paper/words/sessions.ts'
import { renderEvent, type ShownEvent } from '../events/event.ts'
import { type AccountPageGiven, renderAccountPage } from '../frame.ts'
import { accountLimits } from '../limits.ts'
import { securityWords } from './words.ts'

/** What the page tells as wrong, and how it is refused. */
export const securityRefused = {
  passkeyProblem: { reason: 'wrong_passkey', status: 400 },
  passkeyTaken: { reason: 'passkey_taken', status: 400 },
  passkeysFull: { reason: 'too_many_passkeys', status: 400 },
  passkeyOnlyUnready: { reason: 'passkey_only_unready', status: 409 },
} as const

export type SecurityProblem = keyof typeof securityRefused

export interface SecurityPage extends AccountPageGiven {
  readonly factors: Factors
  /** Unix seconds; 0 = never, null = there is no password. */
  readonly passwordChangedAt: number | null
  readonly hasForgot?: boolean
  /** Whether a passkey can be added, and by which ceremony; null = nothing can be changed just now. */
  readonly addition:
    | { readonly is: 'here'; readonly ceremony: string; readonly options: object }
    | { readonly is: 'elsewhere'; readonly url: string }
    | { readonly is: 'nowhere' | 'full' }
    | null
  readonly upstreams?: UpstreamSection
  readonly recent: readonly ShownEvent[]
  readonly notice: string | null
  readonly problem: SecurityProblem | null
}

type SecurityWords = ReturnType<typeof securityWords>

const path = '/account/security'

/** Without a recent proof, the same button leads to the page for it. */
const guard = (page: SecurityPage, button: Content, open: () => Markup): Markup =>
  page.addition === null ? renderGo(page.view, '/account/confirm', button) : open()

/** In one sentence: how the owner logs in now. */
const renderSummary = (page: SecurityPage, words: SecurityWords): Markup => {
  const { factors, passwordChangedAt, upstreams, view } = page
  const { passwordAndPasskey, passwordAndCode, password } = words.ways
  const without = factors.oneTimeCodes === null ? password : passwordAndCode
  const withPassword = factors.passkeyOnly ? passwordAndPasskey : without
  const ways = [
    ...(factors.passkeys.length > 0 ? [words.ways.passkey] : []),
    ...(passwordChangedAt === null ? [] : [withPassword]),
    ...(upstreams?.links ?? []).map(({ upstream }) => {
      const title = upstreams?.upstreams.find(({ id }) => id === upstream)?.title ?? upstream
      return words.ways.linked({ title })
    }),
  ]
  const isBare = !hasFactor(factors)
  return html`<p class="notice"><strong>${words.summary({ ways: formatChoice(ways, view.language) })}</strong>${isBare ? html` ${words.advice}` : null}</p>`
}

const renderPassword = (page: SecurityPage, words: SecurityWords): Markup => {
  const { passwordChangedAt: at, hasForgot = false, view } = page
  const first = hasForgot ? renderGo(view, '/forgot', words.toFirstPassword) : null
  const change = renderGo(view, '/account/password', words.toPassword)
  const changed = at ? words.passwordChanged({ when: sayMoment(at, view) }) : words.passwordSet
  const entry = renderEntry({
    title: at === null ? words.passwordNone : changed,
    state: [],
    actions: [at === null ? first : change],
  })
  return renderSection('password', words.password, entry)
}

const renderPasskey = (of: Passkey, page: SecurityPage, words: SecurityWords): Markup => {
  const { view, factors } = page
  const name = sayName(of.name)
  const kept = of.backedUp ? words.copied : of.backupEligible ? words.copyable : words.single
  const used =
    of.lastUsedAt === null
      ? words.neverUsed
      : words.usedAgo({ ago: sayAgo(view.at - of.lastUsedAt, view.language) })
  const isOld = filterSuspect(factors.passkeys, factors).includes(of)
  const button = html`${words.remove}<span class="unseen">${words.removeOf({ name })}</span>`
  const fields = html`${hide('action', 'remove_passkey')}${hide('passkey', of.id)}`
  const asked = { button, effect: words.removeEffect, confirm: words.removeNow }
  return renderEntry({
    title: html`<strong>${name}</strong>${isOld ? html` <span class="tag warn">${words.check}</span>` : null}`,
    state: [
      html`${words.addedOn({ when: sayMoment(of.createdAt, view) })} · ${used}`,
      kept,
      isOld ? words.formerPassword : null,
    ],
    actions: [guard(page, button, () => renderAsked({ ...page, path, fields }, asked))],
  })
}

/** Whether the password needs a passkey beside it, with the button to change it. */
const renderPasskeyOnly = (page: SecurityPage, words: SecurityWords): Markup | null => {
  const { passkeys: list, passkeyOnly: isOn, recoveryCodes } = page.factors
  if (list.length === 0 || page.passwordChangedAt === null) return null
  const isReady = isOn || recoveryCodes > 0
  const button = isOn ? words.passkeyOnlyEnd : words.passkeyOnlyBegin
  const fields = hide('action', isOn ? 'passkey_only_off' : 'passkey_only_on')
  return renderEntry({
    title: html`${words.passkeyOnly} <span class="tag${isOn ? ' good' : ''}">${isOn ? words.on : words.off}</span>`,
    state: [isOn ? words.passkeyOnlyOn : isReady ? words.passkeyOnlyOff : words.passkeyOnlyLater],
    actions: isReady
      ? [guard(page, button, () => renderAct({ ...page, path, fields }, button))]
      : [],
  })
}

const renderAddition = (page: SecurityPage, words: SecurityWords): Markup => {
  const { view } = page
  switch (page.addition?.is) {
    case undefined:
      return renderGo(view, '/account/confirm', words.addPasskey)
    case 'full':
      return html`<p class="quiet">${words.passkeysFull}</p>`
    case 'nowhere':
      return html`<p class="quiet">${words.passkeysNowhere}</p>`
    case 'elsewhere': {
      const link = html`<a href="${page.addition.url}">${page.addition.url}</a>`
      return html`<p class="quiet">${words.passkeysElsewhere({ link })}</p>`
    }
    case 'here':
      return renderPasskeyForm(page, {
        kind: 'create',
        action: '/account/security',
        fields: html`${hide('action', 'add_passkey')}
<label class="field"><span>${words.passkeyName}</span>
<input type="text" name="name" maxlength="${accountLimits.passkeyNameCharacters}" autocomplete="off" aria-describedby="name-hint"></label>
<p class="hint" id="name-hint">${words.passkeyNameHint}</p>`,
        ceremony: page.addition.ceremony,
        options: page.addition.options,
        button: words.addPasskey,
      })
  }
}

const renderPasskeys = (page: SecurityPage, words: SecurityWords): Markup => {
  const list = page.factors.passkeys
  const none = renderEntry({ title: words.noPasskeys, state: [words.passkeysIntro] })
  return renderSection(
    'passkeys',
    words.passkeys,
    html`${list.length === 0 ? none : list.map((one) => renderPasskey(one, page, words))}${renderPasskeyOnly(page, words)}`,
    html`<div class="inside">${renderAddition(page, words)}</div>`,
  )
}

const renderCodes = (page: SecurityPage, words: SecurityWords): Markup => {
  const { view, factors } = page
  const since = factors.oneTimeCodes?.createdAt ?? null
  const isOn = since !== null
  const tag = html`<span class="tag${isOn ? ' good' : ''}">${isOn ? words.on : words.off}</span>`
  const { turnOff: button, codesRemoveEffect: effect, removeCodes: confirm } = words
  const form = { ...page, path, fields: hide('action', 'remove_codes') } as const
  const setUp = isOn ? words.replaceCodes : words.setUpCodes
  const entry = renderEntry({
    title: html`<strong>${words.authenticator}</strong> ${tag}`,
    state: [isOn ? words.codesOn({ when: sayMoment(since, view) }) : words.codesIntro],
    actions: [
      renderGo(view, '/account/security/codes', setUp),
      isOn ? guard(page, button, () => renderAsked(form, { button, effect, confirm })) : null,
    ],
  })
  return renderSection('codes', words.codes, entry)
}

/** With so few left, the owner should make new ones. */
const fewCodes = 3

const renderRecovery = (page: SecurityPage, words: SecurityWords): Markup => {
  const { recoveryCodes: left } = page.factors
  const isLow = left <= fewCodes && (left > 0 || needsSecondFactor(page.factors))
  const tag = html`<span class="tag${isLow ? ' warn' : ''}">${words.recoveryLeft({ left })}</span>`
  const [state, make] =
    left === 0
      ? [words.recoveryNone, words.makeRecovery]
      : [words.recoveryIntro, words.remakeRecovery]
  const go = renderGo(page.view, '/account/security/recovery', make)
  const entry = hasFactor(page.factors)
    ? renderEntry({ title: tag, state: [state], actions: [go] })
    : renderEntry({ title: words.recoveryNeedless, state: [] })
  return renderSection('recovery', words.recovery, entry)
}

const renderSessionsRow = ({ view }: SecurityPage): Markup => {
  const { heading, about } = sessionWords(view.language)
  const link = html`<a href="${pageUrl(view, '/account/sessions')}">${heading}</a>`
  const end = drawIcon('on')
  return html`<section class="card">${renderRows([renderRow({ mark: drawIcon('laptop'), title: link, says: about, end })])}</section>`
}

const renderActivity = ({ recent, view }: SecurityPage, words: SecurityWords): Markup | null =>
  recent.length === 0
    ? null
    : renderSection(
        'recent',
        words.recent,
        recent.map((event) => renderEvent(event, view)),
        html`<p class="pages"><span>${words.notYou}</span> <a class="button" href="${pageUrl(view, '/account/events')}">${words.allActivity}</a></p>`,
      )

export const renderSecurity = (page: SecurityPage): string => {
  const words = securityWords(page.view.language)
  return renderAccountPage(page, {
    part: 'security',
    heading: words.heading,
    notice: page.notice,
    problem: page.problem && words[page.problem],
    main: html`${renderSummary(page, words)}
${renderPassword(page, words)}
${renderPasskeys(page, words)}
${renderCodes(page, words)}
${renderRecovery(page, words)}
${page.upstreams === undefined ? null : renderUpstreamSection(page.upstreams)}
${renderSessionsRow(page)}
${renderActivity(page, words)}`,
  })
}
