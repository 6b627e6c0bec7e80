/**
 * The frame of every page of the console: search field, navigation, who is logged in.
 *
 * An auditor sees no buttons: ask `given.role === 'operator'` before each form.
 */
import type { ConsoleRole } from '../../model/owner.ts'
import { operatorPermissions } from '../../model/resource.ts'
import type { Operation } from '../../operations/operation.ts'
import type { JsonRow } from '../../operations/surface/said.ts'
import { hide, showAlert } from '../../paper/fields.ts'
import { icons } from '../../paper/icon.ts'
import { renderLayout } from '../../paper/layout.ts'
import { type Content, html, type Markup } from '../../paper/markup.ts'
import { renderMenu } from '../../paper/menu.ts'
import { renderBack, renderReceipt } from '../../paper/pieces.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import { consoleWords } from './words.ts'

export type ConsolePath = `/admin${string}`

/** The navigation in its groups. A further page is one name here and one word. */
const navigation = [
  [null, ['overview']],
  ['who', ['owners', 'groups', 'clients', 'authorizations']],
  ['happened', ['events', 'refusals', 'token']],
  ['service', ['resources', 'issuers', 'streams', 'upstreams', 'keys', 'settings']],
] as const

/** A place in the navigation. */
export type ConsolePart = (typeof navigation)[number][1][number]

const elsewhere: { readonly [Part in ConsolePart]?: ConsolePath } = {
  overview: '/admin',
  refusals: '/admin/explain',
}

/** Where a place of the navigation leads to. */
export const getPlace = (part: ConsolePart): ConsolePath => elsewhere[part] ?? `/admin/${part}`

/** The place of the rows that an operation is about. */
export const getPart = ({ path }: Pick<Operation, 'path'>): ConsolePart =>
  path.split('/')[3] as ConsolePart

/** The list of these rows. */
export const getListPath = (operation: Pick<Operation, 'path'>): ConsolePath =>
  getPlace(getPart(operation))

/** The page of one such row, such as `/admin/clients/:client_id`. */
export const getPagePath = ({ path }: Pick<Operation, 'path'>): ConsolePath =>
  path.replace('/api', '') as ConsolePath

/** A path with the values of its parameters. */
export const fillPath = (path: ConsolePath, values: JsonRow): ConsolePath =>
  path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(values[name]))) as ConsolePath

/** What every page of the console is given. */
export interface ConsolePageGiven {
  readonly view: View
  readonly csrf: string
  readonly owner: { readonly username: string; readonly name: string }
  readonly role: ConsoleRole
}

interface ConsoleFrame {
  /** Where in the navigation the page belongs. */
  readonly part: ConsolePart
  readonly heading?: Content
  /** In place of a plain heading. */
  readonly head?: Markup
  /** Of the tab; the name of the part where it is left out. */
  readonly title?: string
  /** What was just done. */
  readonly notice?: Content | null
  /** The form that takes it back. */
  readonly undo?: Markup | null
  /** What went wrong. */
  readonly problem?: string | null
  /** False where each time of the page says that it is in UTC, as the filters take it. */
  readonly isInZone?: boolean
  readonly main: Content
}

const renderParts = (current: ConsolePart, view: View, label: string): Markup => {
  const words = consoleWords(view.language)
  const entry = (part: ConsolePart): Markup => {
    const here = part === current ? html` aria-current="page"` : null
    return html`<li><a href="${pageUrl(view, getPlace(part))}"${here}>${words.parts[part]}</a></li>`
  }
  const groups = navigation.map(
    ([group, parts]) =>
      html`${group === null ? null : html`<h2>${words.groups[group]}</h2>`}<ul>${parts.map(entry)}</ul>`,
  )
  return html`<nav class="parts" aria-label="${label}">${groups}</nav>`
}

/** The form leads to a page and changes nothing. Tokens and secrets do not belong into a URL. */
const renderFind = (view: View): Markup => {
  const words = consoleWords(view.language)
  const carried = [...new URLSearchParams(view.carried)].map(([name, value]) => hide(name, value))
  return html`<form class="find" method="get" role="search" action="${pageUrl(view, '/admin/find')}">${carried}${icons.search}<input type="search" name="q" aria-label="${words.search}" placeholder="${words.search}" maxlength="100" autocomplete="off" autocapitalize="none" spellcheck="false"></form>`
}

/** On a narrow page the menu also shows the parts. */
const renderConsoleMenu = (given: ConsolePageGiven, current: ConsolePart): Markup => {
  const { view, role } = given
  const words = consoleWords(view.language)
  return renderMenu(given, words, {
    note: words.roles[role],
    links: html`${renderParts(current, view, words.menu)}
<a href="${pageUrl(view, '/account')}">${icons.person}${words.account}</a>`,
  })
}

export const renderConsolePage = (
  given: ConsolePageGiven,
  {
    part,
    heading = null,
    head,
    title,
    notice,
    undo = null,
    problem,
    isInZone = true,
    main,
  }: ConsoleFrame,
): string => {
  const { view } = given
  const words = consoleWords(view.language)
  const content = html`${notice ? renderReceipt(notice, undo) : null}
${showAlert(problem)}
${head ?? html`<h1>${heading}</h1>`}
${main}`
  const hasZone = isInZone && String(content).includes('<time ')
  return renderLayout({
    tellsZone: hasZone,
    title: title ?? words.parts[part],
    view,
    width: 'account console',
    isReceipt: true,
    bar: {
      home: '/admin',
      middle: renderFind(view),
      menu: renderConsoleMenu(given, part),
      side: renderParts(part, view, words.navigation),
    },
    main: content,
  })
}

interface Subject extends Pick<ConsoleFrame, 'part' | 'notice' | 'undo'> {
  /** Names the list that it belongs to. */
  readonly heading: string
  /** Of the tab. */
  readonly title: string
  readonly name: Content
  readonly tile?: Markup
  /** Below the name. */
  readonly about?: Content
  /** Links beside the name, for operators. */
  readonly beside?: Content
  readonly left: Content
  /** At the side. */
  readonly right?: Content
}

/** The page of one thing, such as a user or an application. */
export const renderSubject = (given: ConsolePageGiven, subject: Subject): string => {
  const { heading, name, tile, about, beside, left, right = null, ...frame } = subject
  return renderConsolePage(given, {
    ...frame,
    head: html`${renderBack(given.view, getPlace(frame.part), heading)}
<div class="title">${tile ?? null}<div><h1>${name}</h1>${about === undefined ? null : html`<p class="quiet">${about}</p>`}</div>
${given.role === 'operator' && beside ? html`<p class="actions">${beside}</p>` : null}</div>`,
    main:
      right === null
        ? left
        : html`<div class="two"><div>${left}</div>
<div>${right}</div></div>`,
  })
}

interface ShownOnce extends Pick<ConsoleFrame, 'part' | 'heading' | 'title'> {
  readonly shown: Markup
  /** Says that nobody sees it again. */
  readonly copy: string
  readonly back: readonly [path: ConsolePath, text: string]
}

/** The answer to a form, with a secret that is shown this once. */
export const renderOnce = (
  given: ConsolePageGiven,
  { shown, copy, back: [path, text], ...frame }: ShownOnce,
): string =>
  renderConsolePage(given, {
    ...frame,
    main: html`<section class="card">${shown}
<p class="notice warning">${copy}</p>
<p class="actions"><a class="button primary" href="${pageUrl(given.view, path)}">${text}</a></p></section>`,
  })

/** The page of one user, application or resource. */
export const getSubjectPath = (part: ConsolePart, id: string, rest = ''): ConsolePath =>
  `${getPlace(part)}/${encodeURIComponent(id)}${rest}`

/** Facts in a part of the page. */
export const renderFacts = (heading: string | null, facts: Content): Markup =>
  html`<section class="card">${heading === null ? null : html`<h2>${heading}</h2>`}<dl class="facts">
${facts}</dl></section>`

/** A thing that has a page in this console. */
export const renderLink = (view: View, part: ConsolePart, id: string, text?: Content): Markup =>
  html`<a href="${pageUrl(view, getSubjectPath(part, id))}">${text ?? html`<code>${id}</code>`}</a>`

/** Nothing where there are none. */
export const renderLinks = (view: View, part: ConsolePart, ids: readonly string[]): Content =>
  ids.length === 0 ? null : ids.map((id) => html`${renderLink(view, part, id)} `)

/**
 * Permissions, each with a link to its resource. Words of a scope and permissions of operators have none.
 * The link of a deleted resource leads to a page (404) that says it may have ended.
 * Nothing where there are no permissions.
 */
export const renderPermissions = (view: View, names: readonly string[]): Content =>
  names.length === 0
    ? null
    : names.map((name) => {
        const [resource = ''] = name.split(':')
        const hasPage = resource !== name && !operatorPermissions.some((one) => one === name)
        const code = html`<code>${name}</code>`
        return html`${hasPage ? renderLink(view, 'resources', resource, code) : code} `
      })

/** Nothing where there is no value. */
export const renderFact = (name: Content, value: Content): Markup | null =>
  value === null || value === '' ? null : html`<div><dt>${name}</dt><dd>${value}</dd></div>`
