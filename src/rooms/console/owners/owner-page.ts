/** The page of one user: access, logins, events and facts, and what an operator can do. */

import type { Event } from '../../../model/event.ts'
import type { Factors, WayIn } from '../../../model/factor.ts'
import type { Owner } from '../../../model/owner.ts'
import type { Session } from '../../../model/session.ts'
import {
  createLink,
  endAccess,
  endSessions,
  resetFactors,
} from '../../../operations/owner-access.ts'
import { changeOwner, deleteOwner } from '../../../operations/owners.ts'
import { renderEntry } from '../../../paper/entries.ts'
import { hidden, named } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderTile } from '../../../paper/tile.ts'
import { moment, near } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { ListedAuthorization } from '../../../store/contract/authorization.ts'
import { type ActionRows, button, renderAction } from '../actions.ts'
import { type OwnerNames, renderEventTable } from '../events/events.ts'
import {
  type ConsolePageGiven,
  clientPath,
  ownerPath,
  renderConsolePage,
  renderFact,
} from '../frame.ts'
import { renderOwnerTags } from './owners.ts'
import { consoleOwnersWords } from './words.ts'

export interface OwnerPage {
  readonly owner: Owner
  readonly factors: Factors
  /** Ways to log in that others may have set: asked about with a role in the console. */
  readonly ways: readonly WayIn[]
  /** The ids of upstreams with a linked account. */
  readonly linked: readonly string[]
  /** The newest first. */
  readonly authorizations: readonly ListedAuthorization[]
  readonly sessions: readonly Session[]
  readonly events: readonly Event[]
  readonly names: OwnerNames
  /** Whether the operator looks at the own account. */
  readonly isSelf: boolean
  readonly canMail: boolean
  readonly notice: string | null
}

type OwnerWords = ReturnType<typeof consoleOwnersWords>

export const ownerActions = {
  link: button(
    createLink,
    'link',
    'sent',
    (form, { passwordHash }) => ({
      purpose: passwordHash === '' ? 'invite' : 'reset',
      send: form.find('send') !== null,
    }),
    'linkMake',
  ),
  factors: button(resetFactors, 'factors', 'factors'),
  roles: button(changeOwner, 'rolesSave', 'roles', (form) => ({
    roles: (form.find('roles') ?? '').split(/\s+/).filter((role) => role !== ''),
    keep_ways_in: [...form.names()].flatMap((name) => /^keep (.+)$/.exec(name)?.[1] ?? []),
  })),
  'end-sessions': button(endSessions, 'endSessions', 'sessions'),
  'end-access': button(endAccess, 'endAccess', 'access'),
  disable: button(changeOwner, 'disable', 'disabled', { disabled: true }),
  enable: button(changeOwner, 'enable', 'enabled', { disabled: false }),
  delete: button(deleteOwner, 'remove', 'deleted'),
} satisfies ActionRows<OwnerWords, Owner>

const renderAccess = (given: ConsolePageGiven, page: OwnerPage): Markup => {
  const { view, role } = given
  const words = consoleOwnersWords(view.language)
  const { owner, authorizations } = page
  const path = ownerPath(owner.id)
  const all = pageUrl(view, '/admin/authorizations', { owner: owner.id })
  const entry = (one: ListedAuthorization): Markup => {
    const field = hidden('authorization', one.id)
    const label = html`${words.end}<span class="unseen">${words.endOf({ client: one.clientName })}</span>`
    const used = one.lastUsedAt === null ? words.never : near(one.lastUsedAt, view.at, view)
    return renderEntry({
      title: html`<a href="${pageUrl(view, clientPath(one.clientId))}">${named(one.clientName)}</a>`,
      state: [html`<code>${one.permissions.join(' ')}</code>`, html`${words.lastUsed}: ${used}`],
      actions: [role === 'operator' ? renderAction(given, path, 'end', [label], field) : null],
    })
  }
  return html`<section class="card entries"><h2>${words.applications}</h2>
${authorizations.length === 0 ? html`<p class="inside quiet">${words.noAccess}</p>` : html`<ul>${authorizations.map(entry)}</ul>`}
<p class="foot"><a class="button" href="${all}">${words.all}</a></p></section>`
}

const renderSessions = (given: ConsolePageGiven, page: OwnerPage): Markup => {
  const { view, role } = given
  const words = consoleOwnersWords(view.language)
  const { owner, sessions } = page
  const path = ownerPath(owner.id)
  const entry = (one: Session): Markup => {
    const field = hidden('session', one.handle)
    const when = moment(one.startedAt, view)
    const label = html`${words.logOut}<span class="unseen">${words.logOutOf({ when })}</span>`
    return renderEntry({
      title: when,
      state: [
        html`<bdi dir="ltr">${one.network}</bdi> · <code>${one.methods.join(' ')}</code>`,
        one.userAgent,
      ],
      actions: [
        role === 'operator' ? renderAction(given, path, 'end-session', [label], field) : null,
      ],
    })
  }
  return html`<section class="card entries"><h2>${words.sessions}</h2>
${sessions.length === 0 ? html`<p class="inside quiet">${words.noSessions}</p>` : html`<ul>${sessions.map(entry)}</ul>`}</section>`
}

const renderEventsOf = ({ view }: ConsolePageGiven, page: OwnerPage): Markup => {
  const words = consoleOwnersWords(view.language)
  const all = pageUrl(view, '/admin/events', { owner: page.owner.id })
  return html`<section class="card flush"><h2>${words.events}</h2>
${renderEventTable(page.events, page.names, view, words.events)}
<p><a class="button" href="${all}">${words.all}</a></p></section>`
}

/** The second step of a login, in words. */
const secondOf = ({ factors }: OwnerPage, words: OwnerWords): string => {
  const { passkeys, oneTimeCodes } = factors
  const all = [
    ...(oneTimeCodes === null ? [] : [words.codes]),
    ...(passkeys.length === 0 ? [] : [words.passkeys({ count: passkeys.length })]),
  ]
  return all.length === 0 ? words.secondNone : all.join(', ')
}

const renderAbout = ({ view }: ConsolePageGiven, page: OwnerPage): Markup => {
  const words = consoleOwnersWords(view.language)
  const { owner, linked } = page
  const { passwordHash, passwordChangedAt, attributes } = owner
  const hasPassword = passwordHash !== ''
  const changed =
    passwordChangedAt === 0 ? null : html` · ${near(passwordChangedAt, view.at, view)}`
  const facts: Content = Object.keys(attributes).length === 0 ? null : JSON.stringify(attributes)
  return html`<section class="card"><h2>${words.about}</h2><dl class="facts">
${renderFact(words.state, owner.disabled ? words.disabled : words.active)}
${renderFact(words.id, html`<code>${owner.id}</code>`)}
${renderFact(words.since, moment(owner.createdAt, view))}
${renderFact(words.changed, moment(owner.updatedAt, view))}
${renderFact(words.password, hasPassword ? html`${words.passwordSet}${changed}` : words.passwordNone)}
${renderFact(words.second, secondOf(page, words))}
${renderFact(words.linked, linked.join(', '))}
${renderFact(words.roles, owner.roles.length === 0 ? words.noRoles : owner.roles.join(' '))}
${renderFact(words.attributes, facts === null ? null : html`<code>${facts}</code>`)}
</dl></section>`
}

/** What is not ticked goes with a role in the console. */
const renderWays = ({ view }: ConsolePageGiven, { ways }: OwnerPage): Content => {
  const words = consoleOwnersWords(view.language)
  if (ways.length === 0) return null
  const title = {
    passkey: words.wayPasskey,
    upstream: words.wayUpstream,
    password: words.password,
    email: words.wayEmail,
  }
  return html`<fieldset><legend>${words.ways}</legend><p class="hint">${words.waysHint}</p>
${ways.map(
  ({ id, kind, name, at }) =>
    html`<label class="tick"><input type="checkbox" name="keep ${id}" value="1"><span>${title[kind]} ${named(name)} · ${moment(at, view)}</span></label>`,
)}</fieldset>`
}

const renderActions = (given: ConsolePageGiven, page: OwnerPage): Markup => {
  const { owner, isSelf } = page
  const words = consoleOwnersWords(given.view.language)
  const button = (name: keyof typeof ownerActions, fields: Content = null): Markup =>
    renderAction(given, ownerPath(owner.id), name, ownerActions[name].says(words), fields)
  const send = html`<label class="tick"><input type="checkbox" name="send" value="1"><span>${words.linkSend}</span></label>`
  const roles = html`<label class="field"><span class="unseen">${words.roles}</span><input name="roles" value="${owner.roles.join(' ')}" autocomplete="off" autocapitalize="none" spellcheck="false"><span class="hint">${words.rolesHint}</span></label>${renderWays(given, page)}`
  return html`<section class="card"><h2>${words.help}</h2><div class="stack">
${owner.disabled ? null : button('link', page.canMail && owner.email !== '' ? send : null)}
${button('factors')}
</div></section>
${isSelf ? null : html`<section class="card"><h2>${words.roles}</h2>${button('roles', roles)}</section>`}
<section class="card"><h2>${words.stop}</h2><div class="stack">
${button('end-sessions')}
${button('end-access')}
${isSelf ? null : button(owner.disabled ? 'enable' : 'disable')}
${isSelf ? null : button('delete')}
</div>${isSelf ? html`<p class="quiet small">${words.self}</p>` : null}</section>`
}

export const renderOwner = (given: ConsolePageGiven, page: OwnerPage): string => {
  const { view, role } = given
  const { owner, notice } = page
  const words = consoleOwnersWords(view.language)
  const name = owner.name === '' ? owner.username : owner.name
  const address =
    owner.email === ''
      ? null
      : html` · ${named(owner.email)} <span class="tag${owner.emailVerified ? ' good' : ''}">${owner.emailVerified ? words.verified : words.unverified}</span>`
  return renderConsolePage(given, {
    part: 'owners',
    heading: name,
    title: name,
    head: html`<p class="back"><a href="${pageUrl(view, '/admin/owners')}">${words.heading}</a></p>
<div class="head"><div class="who">${renderTile(name, null, { size: 'big', isPerson: true })}<div><h1>${named(name)}</h1><p class="quiet small">${named(owner.username)}${address}${renderOwnerTags(owner, view)}</p></div></div></div>`,
    notice,
    main: html`<div class="sides"><div>${renderAccess(given, page)}
${renderSessions(given, page)}
${renderEventsOf(given, page)}</div>
<div>${renderAbout(given, page)}
${role === 'operator' ? renderActions(given, page) : null}</div></div>`,
  })
}
