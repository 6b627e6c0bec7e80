/** The frame of every account page: the way among the pages, who is logged in, and the way out. */
import { allowMarkup, defineWords } from '../../paper/catalog.ts'
import { hide, sayName, showAlert, showOwner } from '../../paper/fields.ts'
import { renderLayout } from '../../paper/layout.ts'
import { type Content, html, type Markup } from '../../paper/markup.ts'
import { renderTile } from '../../paper/tile.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import type { OwnerVisit } from '../owner-visit.ts'

export const accountFrameWords = defineWords('account-frame', {
  loggedInAs: allowMarkup('You are logged in as {owner}.'),
  logOut: 'Log out',
  menu: 'Menu',
  navigation: 'Account',
  parts: {
    applications: 'Applications',
    security: 'Security',
    sessions: 'Sessions',
    events: 'Activity',
    profile: 'Profile',
  },
})

export type AccountPart = keyof typeof accountFrameWords.english.parts

/** The navigation leads to these pages: a further one is one word. */
const parts = Object.keys(accountFrameWords.english.parts) as readonly AccountPart[]

export interface AccountPageGiven {
  readonly view: View
  readonly csrf: string
  readonly owner: { readonly username: string; readonly name: string }
}

export const pickGiven = ({ view, csrf, login }: OwnerVisit): AccountPageGiven => ({
  view,
  csrf,
  owner: login.owner,
})

interface AccountFrame {
  readonly part: AccountPart
  readonly heading: Content
  /** In place of a plain heading. */
  readonly head?: Markup
  /** Of the tab; the name of the part where it is left out. */
  readonly title?: string
  readonly notice?: Content | null
  readonly problem?: string | null
  readonly main: Content
}

const renderNavigation = (current: AccountPart, view: View, label: string): Markup => {
  const words = accountFrameWords(view.language).parts
  const link = (part: AccountPart): Markup => {
    const path = part === 'applications' ? '/account' : `/account/${part}`
    return html`<li><a href="${pageUrl(view, path)}"${part === current ? html` aria-current="page"` : null}>${words[part]}</a></li>`
  }
  return html`<nav class="parts" aria-label="${label}"><ul>${parts.map(link)}</ul></nav>`
}

/** The menu opens without JavaScript. On wide pages the parts are at the side, so it does not show them. */
const renderMenu = ({ view, csrf, owner }: AccountPageGiven, current: AccountPart): Markup => {
  const words = accountFrameWords(view.language)
  const name = owner.name === '' ? owner.username : owner.name
  return html`<details class="menu"><summary>${renderTile(name, null, { isPerson: true })}<span class="owner">${sayName(name)}</span><span class="unseen">${words.menu}</span></summary>
<div><p>${showOwner(owner)}</p>
${renderNavigation(current, view, words.menu)}
<form method="post" action="${pageUrl(view, '/logout')}">${hide('csrf', csrf)}<button type="submit">${words.logOut}</button></form></div></details>`
}

export const renderAccountPage = (
  given: AccountPageGiven,
  { part, heading, head, title, notice, problem, main }: AccountFrame,
): string => {
  const { view, owner } = given
  const words = accountFrameWords(view.language)
  return renderLayout({
    title: title ?? words.parts[part],
    view,
    width: 'account',
    isReceipt: true,
    menu: renderMenu(given, part),
    parts: renderNavigation(part, view, words.navigation),
    main: html`<p class="on-paper">${words.loggedInAs({ owner: showOwner(owner) })}</p>
${head ?? html`<h1>${heading}</h1>`}
${notice ? html`<p class="notice" role="status">${notice}</p>` : null}
${showAlert(problem)}
${main}`,
  })
}

export const renderOption = (value: string, text: string, chosen: string): Markup =>
  html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`
