/** The frame of every account page: who is logged in, the way out, and the way among the pages. */
import { alert, hidden, ownerLine } from './fields.ts'
import { renderLayout } from './layout.ts'
import { type Content, html, type Markup } from './markup.ts'
import { pageUrl, type View } from './view.ts'
import { accountFrameWords } from './words/account-frame.ts'

/** The account pages that the navigation leads to, in its order: a further one is one row here and one word. */
const paths = {
  applications: '/account',
  sessions: '/account/sessions',
  email: '/account/email',
  password: '/account/password',
  security: '/account/security',
  profile: '/account/profile',
  events: '/account/events',
} as const

export type AccountPart = keyof typeof paths

/** What every account page is given. */
export interface AccountPageGiven {
  readonly view: View
  readonly csrf: string
  readonly owner: { readonly username: string; readonly name: string }
}

interface AccountFrame {
  /** Where in the navigation the page belongs. */
  readonly part: AccountPart
  readonly heading: Content
  /** What was just done. */
  readonly notice?: Content | null
  /** What went wrong. */
  readonly problem?: string | null
  readonly main: Content
}

const parts = Object.entries(paths) as readonly (readonly [AccountPart, string])[]

const navigation = (current: AccountPart, view: View): Markup => {
  const words = accountFrameWords[view.language]
  const entry = ([part, path]: readonly [AccountPart, string]): Markup =>
    part === current
      ? html`<li><a href="${pageUrl(view, path)}" aria-current="page">${words.parts[part]}</a></li>`
      : html`<li><a href="${pageUrl(view, path)}">${words.parts[part]}</a></li>`
  return html`<nav class="parts" aria-label="${words.navigation}"><ul>${parts.map(entry)}</ul></nav>`
}

export const renderAccountPage = (
  { view, csrf, owner }: AccountPageGiven,
  { part, heading, notice, problem, main }: AccountFrame,
): string => {
  const words = accountFrameWords[view.language]
  return renderLayout({
    title: words.title,
    view,
    width: 'wide',
    isReceipt: true,
    main: html`<div class="head"><div><h1>${heading}</h1>
<p>${words.loggedInAs({ owner: ownerLine(owner) })}</p></div>
<form method="post" action="${pageUrl(view, '/logout')}">${hidden('csrf', csrf)}<button type="submit">${words.logOut}</button></form></div>
${navigation(part, view)}
${notice ? html`<p class="notice" role="status">${notice}</p>` : null}
${alert(problem)}
${main}`,
  })
}
