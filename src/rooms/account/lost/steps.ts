/** The four steps of the guided page: the form of each, and the line that remains of it. */
import type { Client } from '../../../model/client.ts'
import type { Passkey, UpstreamLink } from '../../../model/factor.ts'
import { hide, renderForm, sayName } from '../../../paper/fields.ts'
import { type IconName, icons } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderPasswordField, renderPasswordScript } from '../../../paper/proofs.ts'
import { renderTile } from '../../../paper/tile.ts'
import { pageUrl } from '../../../paper/view.ts'
import { passwordWords } from '../../../paper/words/password.ts'
import { formatBrowser, sessionWords } from '../../../paper/words/sessions.ts'
import type { AccountPageGiven } from '../frame.ts'
import { drawSession, type ShownSession, saySession } from '../sessions/shown.ts'
import { formatWalk, formatWalkName, type Walk } from './walk.ts'
import { lostWords } from './words.ts'

export interface ShownApp {
  readonly id: string
  readonly name: string
  readonly registeredBy: Client['registeredBy']
  readonly logoPath: string | null
  /** Its permissions, in a few words. */
  readonly what: string
  readonly createdAt: number
}

export interface ShownLink extends Pick<UpstreamLink, 'upstream' | 'label' | 'createdAt'> {
  readonly title: string
}

/** An account, as the guided page looks at it. */
export interface LostPage extends AccountPageGiven {
  readonly walk: Walk
  /** The login that it is about. `handle`: of its session, while that lives. */
  readonly about: { readonly at: number; readonly handle: string; readonly says: Content } | null
  readonly isConfirmed: boolean
  /** The other browsers. */
  readonly sessions: readonly ShownSession[]
  /** Whether there are more of them than are shown. */
  readonly hasMore: boolean
  readonly passkeys: readonly Passkey[]
  readonly links: readonly ShownLink[]
  /** Ids of passkeys, and of upstreams, that a thief of the former password could have added. */
  readonly suspects: readonly string[]
  readonly hasApp: boolean
  readonly apps: readonly ShownApp[]
  readonly appCount: number
  readonly pausedCount: number
  readonly password: 'new' | 'old' | 'none'
  readonly leastCharacters: number
  readonly problem: string | null
}

export type LostWords = ReturnType<typeof lostWords>

interface Choice {
  readonly mark: Markup
  readonly title: Content
  readonly says: Content
  readonly name: 'session' | 'passkey' | 'codes' | 'upstream' | 'access'
  readonly value: string
  readonly isTicked: boolean
}

const renderPick = ({ mark, title, says, name, value, isTicked }: Choice): Markup =>
  html`<li><label>${mark}<span><b>${title}</b><span class="says">${says}</span></span><input type="checkbox" name="${name}" value="${value}"${isTicked ? html` checked` : null}></label></li>
`

const renderPicks = (picks: readonly Markup[]): Markup => html`<ul class="rows">
${picks}</ul>`

interface Act {
  readonly action: 'log-out' | 'remove' | 'pause' | 'renew'
  readonly text: string
  /** A second button. */
  readonly beside?: Markup
}

/** What waits goes along, so that the page goes on at this step. */
const renderLostForm = (page: LostPage, content: Content, buttons: Content): Markup => {
  const { skip } = lostWords(page.view.language)
  const fields = Object.entries(formatWalk(page.walk))
    .filter(([, value]) => value !== '')
    .map(([name, value]) => hide(name, value))
  return renderForm(
    page,
    '/account/lost',
    html`${fields}${content}
<p class="actions">${buttons}<button class="plain" type="submit" name="action" value="skip" formnovalidate>${skip}</button></p>`,
  )
}

const renderStep = (page: LostPage, content: Content, { action, text, beside }: Act): Markup =>
  renderLostForm(
    page,
    content,
    html`<button class="primary" type="submit" name="action" value="${action}">${text}</button>${beside ?? null}`,
  )

/** In place of a step that needs a recent proof. */
const renderProofFirst = (page: LostPage, words: LostWords): Markup => {
  const proof = pageUrl(page.view, '/account/confirm', { next: formatWalkName(page.walk) })
  const go = html`<a class="button primary" href="${proof}">${words.confirm}</a>`
  return renderLostForm(page, null, go)
}

const renderLogOut = (page: LostPage, words: LostWords): Markup => {
  const { view, sessions, about } = page
  const picks = sessions.map((one) =>
    renderPick({
      mark: drawSession(one),
      title: html`${formatBrowser(one, sessionWords(view.language))}${one.handle === about?.handle ? html` <span class="tag warn">${words.logOut.this}</span>` : null}`,
      says: saySession(one, view),
      name: 'session',
      value: one.handle,
      isTicked: true,
    }),
  )
  const shown = hide('shown', sessions.map(({ handle }) => handle).join(' '))
  const more = page.hasMore ? html`<p class="note">${words.logOut.more}</p>` : null
  const act = { action: 'log-out', text: words.logOut.submit } as const
  return html`<p>${words.logOut.says}</p>${renderStep(page, html`${shown}${renderPicks(picks)}${more}`, act)}`
}

/** The time of a key, as far as the login in question makes it suspect. */
const sayKeyTime = (
  {
    createdAt,
    lastUsedAt = null,
  }: { readonly createdAt: number; readonly lastUsedAt?: number | null },
  at: number | null,
  words: LostWords,
): string | null => {
  if (at === null) return null
  if (lastUsedAt === at) return words.keys.usedThen
  return createdAt >= at ? words.keys.addedSince : null
}

const renderKeys = (page: LostPage, words: LostWords): Markup => {
  const { walk, about, suspects } = page
  const at = about?.at ?? null
  const isPhone = walk.why === 'phone'
  const passkeys = page.passkeys.map((one) => {
    const said = sayKeyTime(one, at, words)
    return renderPick({
      mark: icons.key,
      title: words.keys.passkey({ name: sayName(one.name) }),
      says: said,
      name: 'passkey',
      value: one.id,
      isTicked: said !== null || suspects.includes(one.id),
    })
  })
  const app = renderPick({
    mark: icons.hash,
    title: words.keys.app,
    says: isPhone ? words.keys.appSays : words.keys.appSaysNotMe,
    name: 'codes',
    value: '1',
    isTicked: isPhone,
  })
  const links = page.links.map((one) => {
    const said = sayKeyTime(one, at, words)
    return renderPick({
      mark: icons.link,
      title: sayName(one.title),
      says: one.label === '' ? said : sayName(one.label),
      name: 'upstream',
      value: one.upstream,
      isTicked: said !== null || suspects.includes(one.upstream),
    })
  })
  const picks = renderPicks([...passkeys, ...(page.hasApp ? [app] : []), ...links])
  const act = { action: 'remove', text: words.keys.submit } as const
  const form = page.isConfirmed ? renderStep(page, picks, act) : null
  return html`<p>${isPhone ? words.keys.says : words.keys.saysNotMe}</p>${form ?? renderProofFirst(page, words)}`
}

const renderApps = (page: LostPage, words: LostWords): Markup => {
  const { view, about, apps, appCount } = page
  const picks = apps.map((one) => {
    const isSince = about !== null && one.createdAt >= about.at
    const { registeredBy } = one
    return renderPick({
      mark: renderTile(one.name, one.logoPath, { registeredBy }),
      title: sayName(one.name),
      says: isSince ? words.apps.allowedSince : one.what,
      name: 'access',
      value: one.id,
      isTicked: isSince,
    })
  })
  const all =
    appCount > apps.length
      ? html`<p class="note"><a href="${pageUrl(view, '/account')}">${words.apps.all}</a></p>`
      : null
  const beside = html`<button class="danger" type="submit" name="action" value="end">${words.apps.end}</button>`
  const act = { action: 'pause', text: words.apps.pause, beside } as const
  return html`<p>${words.apps.says}</p>${renderStep(page, html`${renderPicks(picks)}${all}`, act)}`
}

const renderRenew = (page: LostPage, words: LostWords): Markup => {
  const { view, leastCharacters: least, problem } = page
  const { old, next, rule } = passwordWords(view.language)
  const fields =
    page.password === 'none'
      ? null
      : html`${renderPasswordField(view, { name: 'password', label: old, kind: 'current-password' })}
${renderPasswordField(view, { name: 'new_password', label: next, kind: 'new-password', hint: rule({ least }), problem })}`
  const codes = html`<label class="tick"><input type="checkbox" name="codes" value="1" checked><span>${words.renew.codes} <small class="quiet">${words.renew.codesSays}</small></span></label>`
  const hasFactor = page.passkeys.length > 0 || page.hasApp
  const act = { action: 'renew', text: words.renew.submit } as const
  return html`<p>${words.renew.says}</p>${renderStep(page, html`${fields}${hasFactor ? codes : null}`, act)}${renderPasswordScript(view)}`
}

/** What is true of the account after a step. */
export interface StepLine {
  readonly isDone: boolean
  readonly heading: string
  readonly says: Content
}

const sayLogOut = ({ sessions }: LostPage, words: LostWords): StepLine => {
  const count = sessions.length
  const isDone = count === 0
  return { isDone, heading: isDone ? words.logOut.none : words.logOut.left({ count }), says: null }
}

const sayKeys = ({ passkeys, links, hasApp }: LostPage, words: LostWords): StepLine => {
  const names: readonly Content[] = [
    ...passkeys.map(({ name }) => sayName(name)),
    ...(hasApp ? [words.keys.app] : []),
    ...links.map(({ title }) => sayName(title)),
  ]
  const count = names.length
  const listed = names.map((name, index) => html`${index === 0 ? null : words.comma}${name}`)
  const heading = count === 0 ? words.keys.none : words.keys.left({ count })
  return { isDone: true, heading, says: count === 0 ? null : listed }
}

const sayApps = ({ appCount, pausedCount }: LostPage, words: LostWords): StepLine => {
  const { none, left, paused } = words.apps
  const heading = appCount === 0 ? none : left({ count: appCount })
  const says = pausedCount === 0 ? null : paused({ count: pausedCount })
  return { isDone: true, heading, says }
}

const sayRenew = ({ password }: LostPage, words: LostWords): StepLine => {
  const heading = { new: words.renew.done, old: words.renew.old, none: words.renew.none }[password]
  return { isDone: password !== 'old', heading, says: null }
}

interface LostStep {
  readonly icon: IconName
  readonly heading: (words: LostWords) => string
  /** Before it is open. */
  readonly later: (words: LostWords) => string
  readonly hasWork: (page: LostPage) => boolean
  readonly render: (page: LostPage, words: LostWords) => Markup
  readonly say: (page: LostPage, words: LostWords) => StepLine
}

/** In their order. */
export const lostSteps: readonly LostStep[] = [
  {
    icon: 'logout',
    heading: ({ logOut }) => logOut.heading,
    later: ({ logOut }) => logOut.heading,
    hasWork: ({ sessions }) => sessions.length > 0,
    render: renderLogOut,
    say: sayLogOut,
  },
  {
    icon: 'key',
    heading: ({ keys }) => keys.heading,
    later: ({ keys }) => keys.later,
    hasWork: ({ passkeys, links, hasApp }) => passkeys.length + links.length > 0 || hasApp,
    render: renderKeys,
    say: sayKeys,
  },
  {
    icon: 'pause',
    heading: ({ apps }) => apps.heading,
    later: ({ apps }) => apps.later,
    hasWork: ({ apps }) => apps.length > 0,
    render: renderApps,
    say: sayApps,
  },
  {
    icon: 'lock',
    heading: ({ renew }) => renew.heading,
    later: ({ renew }) => renew.heading,
    hasWork: ({ password, passkeys, hasApp }) =>
      password !== 'none' || passkeys.length > 0 || hasApp,
    render: renderRenew,
    say: sayRenew,
  },
]
