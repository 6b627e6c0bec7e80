/**
 * Pages that show a secret once. `/account/security/codes`: one-time codes are set up, and count once the
 * first of them was right. `/account/security/recovery`: new recovery codes count once they are kept.
 */

import type { Answer } from '../../../http/answer.ts'
import { type Factors, hasFactor } from '../../../model/factor.ts'
import type { Digest } from '../../../model/ids.ts'
import { beginCeremony, openCeremony } from '../../../owners/ceremony.ts'
import { rememberBrowser } from '../../../owners/known-browser.ts'
import {
  areCodesOf,
  formatSecret,
  hashRecovery,
  makeCodeSecret,
  makeRecoveryCodes,
  makeSetupUri,
  stepOfSecret,
  wrapSecret,
} from '../../../owners/one-time-codes.ts'
import { hide, renderField, renderForm, renderSubmit, showAlert } from '../../../paper/fields.ts'
import { renderLayout } from '../../../paper/layout.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderQr } from '../../../paper/qr.ts'
import { renderAsked } from '../../../paper/rows.ts'
import { sayWhen } from '../../../paper/time.ts'
import { traceOf } from '../../../store/trace.ts'
import { answerDone, identify, type OwnerVisit } from '../../owner-visit.ts'
import type { TakeForm } from '../../pages.ts'
import { showPage } from '../../visit.ts'
import { answerAdded, answerConfirmedPage, answerUnconfirmed, isConfirmed } from '../confirmed.ts'
import { type AccountPageGiven, pickGiven, renderWayBack } from '../frame.ts'
import type { AccountNeeds, OpenPage } from '../needs.ts'
import { securityWords } from './words.ts'

interface Setup extends Pick<AccountPageGiven, 'view' | 'csrf'> {
  /** The sealed content of the page; it is stored nowhere until it is confirmed. */
  readonly ceremony: string
}

export interface CodesPage extends Setup {
  readonly secret: string
  readonly uri: string
  /** Since when there are codes already, in unix seconds; null = not yet. */
  readonly since: number | null
  readonly problem: 'setupWrong' | 'setupLate' | null
}

export interface RecoveryCodesPage extends Setup {
  readonly codes: readonly string[]
  readonly replaces: boolean
  readonly problem: 'recoveryLate' | null
}

const renderTurnOff = (page: CodesPage): Markup => {
  const {
    turnOff: button,
    codesRemoveEffect: effect,
    removeCodes: confirm,
  } = securityWords(page.view.language)
  const form = {
    ...page,
    path: '/account/security',
    fields: hide('action', 'remove_codes'),
  } as const
  return html`<div class="after">${renderAsked(form, { button, effect, confirm })}</div>`
}

export const renderCodesSetup = (page: CodesPage): string => {
  const { view, since } = page
  const words = securityWords(view.language)
  const heading = since === null ? words.setupHeading : words.setupAgain
  const said =
    since === null ? words.setupIntro : words.setupReplaces({ when: sayWhen(since, view.at, view) })
  const secret = html`<code>${page.secret}</code>`
  const link = html`<a href="${page.uri}">${words.setupOpen}</a>`
  const field = renderField({
    name: 'code',
    label: words.setupCode,
    input: html`class="digits" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="20" required`,
  })
  return renderLayout({
    view,
    title: heading,
    width: 'middle',
    main: html`${renderWayBack(view, 'security')}<h1>${heading}</h1>
${showAlert(page.problem && words[page.problem])}
<p class="quiet">${said}</p>
<div class="scan">${renderQr(page.uri, words.setupPicture)}<div><p>${words.setupScan}</p>
<p class="small">${words.setupType({ secret })}</p>
<p class="small">${words.setupLink({ link })}</p></div></div>
${renderForm(page, '/account/security/codes', [hide('ceremony', page.ceremony), field, renderSubmit(words.setupSubmit)])}
${since === null ? null : renderTurnOff(page)}`,
  })
}

/** Ways to keep the codes. All ways need the script. */
const acts = ['copy', 'print', 'save'] as const

/** The codes, and the form by which they count. */
export const renderNewCodes = (
  page: Pick<RecoveryCodesPage, 'view' | 'csrf' | 'ceremony' | 'codes' | 'replaces'>,
): Markup => {
  const { view } = page
  const words = securityWords(view.language)
  const submit = renderSubmit(words.recoveryKeep)
  return html`<p class="quiet">${words.recoveryShown}${page.replaces ? html` ${words.recoveryOld}` : null}</p>
<ol class="codes" data-recovery="${words.recoveryFile}.txt">${page.codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
<p class="actions off-paper">${acts.map((act) => html`<button type="button" data-act="${act}" hidden>${words.recoveryActs[act]}</button>`)}<span class="quiet" role="status" data-said hidden>${words.recoveryCopied}</span></p>
${renderForm(page, '/account/security/recovery', [hide('ceremony', page.ceremony), submit])}
<script type="module" src="${view.base}/assets/recovery.js"></script>`
}

export const renderRecoveryCodes = (page: RecoveryCodesPage): string => {
  const { view } = page
  const words = securityWords(view.language)
  return renderLayout({
    view,
    title: words.recoveryHeading,
    width: 'middle',
    isReceipt: true,
    main: html`${renderWayBack(view, 'security')}<h1>${words.recoveryHeading}</h1>
${showAlert(page.problem && words[page.problem])}
${renderNewCodes(page)}`,
  })
}

/** New codes each time. None of them counts before their form is sent. */
export const beginRecoveryCodes = async (
  visit: OwnerVisit,
  { recoveryCodes }: Pick<Factors, 'recoveryCodes'>,
  needs: AccountNeeds,
): Promise<Pick<RecoveryCodesPage, 'ceremony' | 'codes' | 'replaces'>> => {
  const codes = makeRecoveryCodes(needs)
  const { id } = visit.login.owner
  const digests = await Promise.all(codes.map((code) => hashRecovery(code, id, needs)))
  const { text } = beginCeremony('set recovery codes', digests, visit, visit.at, needs)
  return { ceremony: text, codes, replaces: recoveryCodes > 0 }
}

const reasons = { setupWrong: 'wrong_code', setupLate: 'setup_too_late' } as const

export const openCodes: OpenPage = (needs, { ownerForm }) => {
  const { store } = needs

  const show = async (
    visit: OwnerVisit,
    secret: string,
    ceremony: string,
    problem: CodesPage['problem'],
  ): Promise<Answer> => {
    const { oneTimeCodes } = await store.findFactors(visit.login.owner.id)
    const html = renderCodesSetup({
      ...pickGiven(visit),
      ceremony,
      secret: formatSecret(secret),
      uri: makeSetupUri(secret, visit.login.owner, visit.view.brand.name),
      since: oneTimeCodes?.createdAt ?? null,
      problem,
    })
    return showPage(visit, html, problem === null ? {} : { status: 400, reason: reasons[problem] })
  }

  /** A new secret. Until a code of it has come, it is kept in the page alone. */
  const begin = async (visit: OwnerVisit, problem: 'setupLate' | null = null): Promise<Answer> => {
    if (!isConfirmed(visit)) return answerUnconfirmed(visit, needs)
    const secret = makeCodeSecret(needs)
    const { text } = beginCeremony('set one-time codes', secret, visit, visit.at, needs)
    return show(visit, secret, text, problem)
  }

  const setUp: TakeForm = async (visit, form) => {
    const { request, at } = visit
    const { owner, session } = visit.login
    const text = form.find('ceremony') ?? ''
    const opened = await openCeremony('set one-time codes', text, visit, at, needs)
    if (opened === null) return begin(visit, 'setupLate')
    const secret = opened.states
    const lastStep = stepOfSecret(secret, form.find('code') ?? '', at)
    if (lastStep === null) return show(visit, secret, text, 'setupWrong')
    const codes = { secret: wrapSecret(secret, owner.id, needs), lastStep }
    const trace = traceOf(visit, needs)
    const outcome = await store.setOneTimeCodes(codes, opened.ceremony, identify(visit), trace)
    if (outcome === 'added') {
      // This browser has shown a code: at the next login it is known, and no stranger makes it wait.
      const methods = [...session.methods, 'otp', 'mfa'] as const
      return answerAdded(visit, 'codes', needs, [
        rememberBrowser(owner, methods, request, at, needs),
      ])
    }
    // The owner may have codes of this very secret, as after an answer that got lost.
    const { oneTimeCodes } = await store.findFactors(owner.id)
    return oneTimeCodes !== null && areCodesOf(oneTimeCodes, secret, owner.id, needs)
      ? answerAdded(visit, 'codes', needs)
      : begin(visit, 'setupLate')
  }

  return ownerForm('/account/security/codes', (visit) => begin(visit), setUp, { isConfirmed: true })
}

export const openRecovery: OpenPage = (needs, { ownerForm }) => {
  const { store } = needs

  const begin = async (
    visit: OwnerVisit,
    problem: RecoveryCodesPage['problem'] = null,
  ): Promise<Answer> => {
    if (!isConfirmed(visit)) return answerUnconfirmed(visit, needs)
    const factors = await store.findFactors(visit.login.owner.id)
    if (!hasFactor(factors)) return answerConfirmedPage(visit, 'security')
    const made = await beginRecoveryCodes(visit, factors, needs)
    const html = renderRecoveryCodes({ ...pickGiven(visit), ...made, problem })
    const refused = problem === null ? {} : { status: 400, reason: 'setup_too_late' }
    return showPage(visit, html, { ...refused })
  }

  const keep: TakeForm = async (visit, form) => {
    const text = form.find('ceremony') ?? ''
    const opened = await openCeremony('set recovery codes', text, visit, visit.at, needs)
    if (opened === null) return begin(visit, 'recoveryLate')
    const codes = opened.states as readonly Digest[]
    const by = identify(visit)
    const outcome = await store.setRecoveryCodes(codes, opened.ceremony, by, traceOf(visit, needs))
    // The owner may have these codes already, as after a lost answer.
    return outcome === 'added' ||
      (await store.listRecoveryCodes(by.ownerId)).some((code) => codes.includes(code))
      ? answerDone(visit, '/account/security', 'recovery')
      : begin(visit, 'recoveryLate')
  }

  const path = '/account/security/recovery'
  return ownerForm(path, (visit) => begin(visit), keep, { isConfirmed: true })
}
