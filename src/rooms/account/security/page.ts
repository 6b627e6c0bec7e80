/** The status page: how safe the account is, each way to log in with one action, and who is logged in. */

import {
  type Factors,
  filterSuspect,
  hasFactor,
  needsSecondFactor,
  type Passkey,
} from '../../../model/factor.ts'
import { ownerLimits } from '../../../owners/limits.ts'
import { sayName } from '../../../paper/fields.ts'
import { type IconName, icons } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderStatus } from '../../../paper/pieces.ts'
import { renderRow, renderRows } from '../../../paper/rows.ts'
import { drawStrength } from '../../../paper/strength.ts'
import { formatChoice, sayWhen } from '../../../paper/time.ts'
import { renderUpstreamRows, type UpstreamSection } from '../../../paper/upstreams.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { sessionWords } from '../../../paper/words/sessions.ts'
import { type AccountPageGiven, renderAccountPage } from '../frame.ts'
import { renderHelp } from '../lost/help.ts'
import { renderSessionRow, type ShownSession } from '../sessions/shown.ts'
import { securityWords } from './words.ts'

export interface SecurityPage extends AccountPageGiven {
  readonly factors: Factors
  /** Unix seconds; 0 = never, null = there is no password. */
  readonly passwordChangedAt: number | null
  readonly hasForgot?: boolean
  readonly upstreams: UpstreamSection
  /** This browser, and the newest others. */
  readonly sessions: readonly ShownSession[]
  /** How many browsers are logged in; null = very many. */
  readonly sessionCount: number | null
  readonly notice: string | null
}

export type SecurityWords = ReturnType<typeof securityWords>

const listWays = (page: SecurityPage, words: SecurityWords): readonly string[] => {
  const { factors, passwordChangedAt, upstreams } = page
  const { passwordAndPasskey, passwordAndCode, password, linked } = words.ways
  const without = factors.oneTimeCodes === null ? password : passwordAndCode
  return [
    ...(factors.passkeys.length > 0 ? [words.ways.passkey] : []),
    ...(passwordChangedAt === null ? [] : [factors.passkeyOnly ? passwordAndPasskey : without]),
    ...upstreams.links.map(({ upstream }) => {
      const title = upstreams.upstreams.find(({ id }) => id === upstream)?.title ?? upstream
      return linked({ title })
    }),
  ]
}

const findHeading = ({ factors, passwordChangedAt }: SecurityPage) => {
  if (passwordChangedAt === null) return 'none'
  if (needsSecondFactor(factors)) return 'strong'
  return factors.passkeys.length > 0 ? 'either' : 'bare'
}

/** A picture and a sentence of the same, and the next thing to do where there is one. */
const renderStrength = (page: SecurityPage, words: SecurityWords): Markup => {
  const { view, factors, passwordChangedAt } = page
  const protections = [
    passwordChangedAt !== null,
    factors.passkeys.length > 0,
    factors.oneTimeCodes !== null,
    factors.recoveryCodes > 0,
  ]
  const [reached, all] = [protections.filter(Boolean).length, protections.length]
  const heading = findHeading(page)
  const ways = words.summary({ ways: formatChoice(listWays(page, words), view.language) })
  const add = html`<p class="actions"><a class="button primary" href="${pageUrl(view, '/account/security/passkeys')}">${words.addPasskey}</a></p>`
  return html`<div class="strength">${drawStrength(reached, all, words.strength({ reached, all }))}
<div><h1>${words.headings[heading]}</h1><p class="lead">${heading === 'bare' ? words.advice : ways}</p>${heading === 'bare' ? add : null}</div></div>`
}

interface Way {
  readonly icon: IconName
  readonly title: string
  readonly says: Content
  /** Where its one action leads, and the name of that; null without one. */
  readonly act: readonly [path: `/${string}`, text: string] | null
}

const renderWay = (view: View, { icon, title, says, act }: Way): Markup => {
  const words = securityWords(view.language)
  const end =
    act &&
    html`<a class="button" href="${pageUrl(view, act[0])}">${act[1]}<span class="unseen">${words.changeOf({ what: title })}</span></a>`
  return renderRow({ mark: icons[icon], title, says, end })
}

const describePassword = (page: SecurityPage, words: SecurityWords): Way => {
  const { passwordChangedAt: at, hasForgot = false, view } = page
  const row = { icon: 'lock', title: words.password } as const
  if (at === null) {
    return {
      ...row,
      says: words.passwordNone,
      act: hasForgot ? ['/forgot', words.toFirstPassword] : null,
    }
  }
  const says =
    at === 0 ? words.passwordSet : words.passwordChanged({ when: sayWhen(at, view.at, view) })
  return { ...row, says, act: ['/account/password', words.change] }
}

const sayPasskeys = (
  passkeys: readonly Passkey[],
  { view, factors }: SecurityPage,
  words: SecurityWords,
): Content => {
  if (passkeys.length === 0) return words.passkeysNone
  if (filterSuspect(passkeys, factors).length > 0) {
    return html`<span class="warn">${words.checkPasskeys}</span>`
  }
  return passkeys.map(({ name, lastUsedAt }, index) => {
    const said =
      lastUsedAt === null
        ? words.passkeyUnused({ name: sayName(name) })
        : words.passkeyUsed({ name: sayName(name), when: sayWhen(lastUsedAt, view.at, view) })
    return html`${index === 0 ? null : words.sentence}${said}`
  })
}

const describePasskeys = (page: SecurityPage, words: SecurityWords): Way => {
  const { passkeys } = page.factors
  return {
    icon: 'key',
    title: words.passkeys({ count: passkeys.length }),
    says: sayPasskeys(passkeys, page, words),
    act: ['/account/security/passkeys', passkeys.length === 0 ? words.add : words.manage],
  }
}

const describeCodes = ({ view, factors }: SecurityPage, words: SecurityWords): Way => {
  const since = factors.oneTimeCodes?.createdAt ?? null
  return {
    icon: 'hash',
    title: words.codes,
    says: since === null ? words.off : words.codesOn({ when: sayWhen(since, view.at, view) }),
    act: ['/account/security/codes', since === null ? words.setUp : words.manage],
  }
}

/** With so few left, the owner should make new ones. */
const fewCodes = 3

const describeRecovery = ({ factors }: SecurityPage, words: SecurityWords): Way => {
  const { recoveryCodes: left } = factors
  const row = { icon: 'list', title: words.recovery } as const
  if (!hasFactor(factors)) return { ...row, says: words.recoveryNeedless, act: null }
  const isLow = left <= fewCodes && (left > 0 || needsSecondFactor(factors))
  const said =
    left === 0 ? words.recoveryNone : words.recoveryLeft({ left, all: ownerLimits.recoveryCodes })
  return {
    ...row,
    says: isLow ? html`<span class="warn">${said}</span>` : said,
    act: ['/account/security/recovery', left === 0 ? words.makeRecovery : words.remakeRecovery],
  }
}

const renderLoggedIn = ({ view, sessions, sessionCount }: SecurityPage): Markup => {
  const words = sessionWords(view.language)
  const isSome = sessionCount !== null && sessionCount > 1
  const all = isSome ? words.all({ count: sessionCount }) : words.rest
  const own = renderStatus(words.thisOne, true)
  const rows = sessions.map((one) => renderSessionRow(one, view, one.isThis ? own : null))
  return html`<section class="card"><div class="over"><h2>${words.title}</h2><a href="${pageUrl(view, '/account/sessions')}">${all}</a></div>
${renderRows(rows)}</section>
`
}

/** All browsers as one row, where the page has a first step to show. */
const renderBrowsers = ({ view, sessionCount }: SecurityPage): Markup => {
  const words = sessionWords(view.language)
  const title = sessionCount === null ? words.title : words.heading({ count: sessionCount })
  return renderRow({
    mark: icons.laptop,
    title: html`<a href="${pageUrl(view, '/account/sessions')}">${title}</a>`,
    end: icons.on,
  })
}

export const renderSecurity = (page: SecurityPage): string => {
  const { view } = page
  const words = securityWords(view.language)
  const ways = [describePassword, describePasskeys, describeCodes, describeRecovery]
  const isBare = findHeading(page) === 'bare'
  return renderAccountPage(page, {
    part: 'security',
    heading: words.headings[findHeading(page)],
    head: renderStrength(page, words),
    notice: page.notice,
    main: html`${renderRows([
      ...ways.map((describe) => renderWay(view, describe(page, words))),
      ...renderUpstreamRows(page.upstreams),
      ...(isBare ? [renderBrowsers(page)] : []),
    ])}
${isBare ? null : renderLoggedIn(page)}
<section class="card"><h2>${words.wrong}</h2>${renderHelp(view)}</section>`,
  })
}
