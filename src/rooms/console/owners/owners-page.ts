/** The users of the service, with search, and the form that invites another one. */
import type { Owner } from '../../../model/owner.ts'
import { alert, hidden, named } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderTile } from '../../../paper/tile.ts'
import { near } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import {
  ownerPath,
  type PagePlace,
  renderChoice,
  renderFilter,
  renderFilters,
  renderPages,
} from '../pieces.ts'
import { consoleOwnersWords } from './words.ts'

export interface OwnerFilter {
  /** What the text begins with, or a whole id; '' for all. */
  readonly q: string
  readonly by: 'username' | 'email' | 'name'
  /** A role, `any`, or '' for everybody. */
  readonly role: string
}

export interface OwnersPage extends PagePlace {
  readonly owners: readonly Owner[]
  readonly filter: OwnerFilter
  readonly notice: string | null
  /** A refused invitation, as it was typed. */
  readonly invitation: {
    readonly problem: string
    readonly typed: Readonly<Record<string, string>>
  } | null
}

export const ownerTags = (owner: Owner, { language }: View): Markup => {
  const words = consoleOwnersWords(language)
  return html`${owner.disabled ? html` <span class="tag bad">${words.disabled}</span>` : null}${owner.deletionAt === null ? null : html` <span class="tag warn">${words.leaving}</span>`}${owner.roles.map((role) => html` <span class="tag">${role}</span>`)}`
}

const renderRow = (owner: Owner, view: View): Markup => {
  const name = owner.name === '' ? owner.username : owner.name
  return html`<tr><th scope="row"><span class="who">${renderTile(name, null, { isPerson: true })}<span><a href="${pageUrl(view, ownerPath(owner.id))}">${named(name)}</a>${ownerTags(owner, view)}<br><span class="quiet small">${named(owner.username)}</span></span></span></th>
<td>${named(owner.email)}</td>
<td class="aside quiet">${near(owner.createdAt, view.at, view)}</td></tr>
`
}

/** @param caption names the table for screen readers */
export const renderOwnerTable = (owners: readonly Owner[], view: View, caption: string): Markup => {
  const words = consoleOwnersWords(view.language)
  return html`<table><caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">${words.name}</th><th scope="col">${words.email}</th><th scope="col" class="aside">${words.since}</th></tr></thead>
<tbody>${owners.map((owner) => renderRow(owner, view))}</tbody></table>`
}

const renderInvitation = ({ view, csrf }: ConsolePageGiven, { invitation }: OwnersPage): Markup => {
  const words = consoleOwnersWords(view.language)
  const field = (name: string, label: string, type: string, isNeeded: boolean): Markup =>
    html`<label class="field"><span>${label}</span><input type="${type}" name="${name}" value="${invitation?.typed[name] ?? ''}" autocomplete="off"${isNeeded ? html` required` : null}></label>`
  return html`<details${invitation === null ? null : html` open`}><summary>${words.create}</summary>
<form class="card" method="post" action="${pageUrl(view, '/admin/owners')}">${hidden('csrf', csrf)}${hidden('action', 'invite')}
${alert(invitation && words.wrong({ problem: invitation.problem }))}
<p class="quiet small">${words.createIntro}</p>
${field('username', words.username, 'text', true)}
${field('name', words.name, 'text', false)}
${field('email', words.email, 'email', false)}
<p class="actions"><button class="primary" type="submit">${words.createSubmit}</button></p></form></details>`
}

export const renderOwners = (given: ConsolePageGiven, page: OwnersPage): string => {
  const { view, role } = given
  const { owners, filter, notice } = page
  const words = consoleOwnersWords(view.language)
  const roles = [...new Set(['any', 'operator', 'auditor', filter.role])].filter(
    (one) => one !== '',
  )
  const labels = { label: words.heading, submit: words.search }
  return renderConsolePage(given, {
    part: 'owners',
    heading: words.heading,
    notice,
    main: html`${renderFilters(view, '/admin/owners', labels, [
      renderFilter('q', words.find, filter.q),
      renderChoice('by', words.by, filter.by, [
        ['username', words.username],
        ['email', words.email],
        ['name', words.name],
      ]),
      renderChoice('role', words.role, filter.role, [
        ['', words.anyone],
        ...roles.map((one) => [one, one === 'any' ? words.anyRole : one] as const),
      ]),
    ])}
${owners.length === 0 ? html`<p class="card">${page.next === null ? words.none : words.goOn}</p>` : html`<section class="card flush">${renderOwnerTable(owners, view, words.heading)}</section>`}
${renderPages(view, '/admin/owners', { ...filter }, page)}
${role === 'operator' ? renderInvitation(given, page) : null}`,
  })
}
