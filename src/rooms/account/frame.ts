/** The frame of every account page: the way among the pages, who is logged in, and the way out. */
import { allowMarkup, defineWords } from '../../paper/catalog.ts'
import { showAlert, showOwner } from '../../paper/fields.ts'
import { renderLayout } from '../../paper/layout.ts'
import { type Content, html, type Markup } from '../../paper/markup.ts'
import { renderMenu } from '../../paper/menu.ts'
import { renderBack, renderReceipt } from '../../paper/pieces.ts'
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
  readonly owner: {
    readonly username: string
    readonly name: string
    readonly pictureName?: string
  }
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
  /** What was just done. */
  readonly notice?: Content | null
  /** The form that takes it back. */
  readonly undo?: Markup | null
  readonly problem?: string | null
  readonly main: Content
}

const getPath = (part: AccountPart) =>
  part === 'applications' ? '/account' : (`/account/${part}` as const)

const renderNavigation = (current: AccountPart, view: View, label: string): Markup => {
  const words = accountFrameWords(view.language).parts
  const link = (part: AccountPart): Markup => {
    return html`<li><a href="${pageUrl(view, getPath(part))}"${part === current ? html` aria-current="page"` : null}>${words[part]}</a></li>`
  }
  return html`<nav class="parts" aria-label="${label}"><ul>${parts.map(link)}</ul></nav>`
}

/** The way from a page below a part back to the part. */
export const renderWayBack = (view: View, part: AccountPart): Markup =>
  renderBack(view, getPath(part), accountFrameWords(view.language).parts[part])

export const renderAccountPage = (
  given: AccountPageGiven,
  { part, heading, head, title, notice, undo, problem, main }: AccountFrame,
): string => {
  const { view, owner } = given
  const words = accountFrameWords(view.language)
  return renderLayout({
    title: title ?? words.parts[part],
    view,
    width: 'account',
    isReceipt: true,
    bar: {
      home: '/account',
      middle: renderNavigation(part, view, words.navigation),
      menu: renderMenu(given, words),
    },
    main: html`<p class="on-paper">${words.loggedInAs({ owner: showOwner(owner) })}</p>
${notice ? renderReceipt(notice, undo) : null}
${showAlert(problem)}
${head ?? html`<h1>${heading}</h1>`}
${main}`,
  })
}

export const renderOption = (value: string, text: string, chosen: string): Markup =>
  html`<option value="${value}"${value === chosen ? html` selected` : null}>${text}</option>`
