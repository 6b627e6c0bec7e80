/** `/admin/owners/{id}`: one user with access, logins, events and facts, and what the buttons on the page do. */

import type { Answer } from '../../../http/answer.ts'
import { parseAgent } from '../../../http/user-agent.ts'
import { listDetailNames } from '../../../model/detail.ts'
import type { Event } from '../../../model/event.ts'
import type { SessionHandle } from '../../../model/ids.ts'
import type { Owner } from '../../../model/owner.ts'
import { endAuthorization } from '../../../operations/authorizations.ts'
import { listGroupsOf } from '../../../operations/group-members.ts'
import { listSessions } from '../../../operations/owner-access.ts'
import { readOwner } from '../../../operations/owners.ts'
import { sayActor } from '../../../paper/acting.ts'
import { hide, sayName } from '../../../paper/fields.ts'
import { icons, renderDeviceIcon } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderStatus } from '../../../paper/pieces.ts'
import { renderDays, renderRow, renderRows, type SheetRow } from '../../../paper/rows.ts'
import { renderTile } from '../../../paper/tile.ts'
import { sayClock, sayMoment, sayWhen } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { formatBrowser, sessionWords } from '../../../paper/words/sessions.ts'
import type { RouteRow } from '../../../route.ts'
import { traceOf } from '../../../store/trace.ts'
import { showPage } from '../../visit.ts'
import { openActions, renderAction, renderButtonsOf, renderUndo } from '../actions.ts'
import { describeEventRow } from '../events/events.ts'
import {
  type ConsolePageGiven,
  type ConsolePath,
  getPlace,
  getSubjectPath,
  renderFact,
  renderFacts,
  renderLink,
  renderPermissions,
  renderSubject,
} from '../frame.ts'
import { type Console, type ConsoleNeeds, type ConsoleVisit, catchGone } from '../visit.ts'
import { type OwnerPage, type OwnerWords, ownerActions, readPage } from './owner-page.ts'
import { renderRoles, showOwnerLink } from './owners.ts'
import { consoleOwnersWords } from './words.ts'

const renderPart = (
  heading: string,
  rows: readonly SheetRow[],
  none: string,
  all: Markup | null = null,
): Markup => html`<section class="card"><div class="over"><h2>${heading}</h2>${all}</div>
${rows.length === 0 ? html`<p class="quiet">${none}</p>` : renderRows(rows.map(renderRow))}</section>`

const linkAll = (view: View, path: ConsolePath, owner: Owner): Markup =>
  html`<a href="${pageUrl(view, path, { owner: owner.id })}">${consoleOwnersWords(view.language).all}</a>`

const renderAccess = (given: ConsolePageGiven, { owner, authorizations }: OwnerPage): Markup => {
  const { view, role } = given
  const words = consoleOwnersWords(view.language)
  const rows = authorizations.map((one): SheetRow => {
    const field = hide('authorization', one.id)
    const label = html`${words.end}<span class="unseen">${words.endOf({ client: one.clientName })}</span>`
    const used = one.lastUsedAt === null ? words.never : sayWhen(one.lastUsedAt, view.at, view)
    const permissions = [...one.permissions, ...listDetailNames(one.details)]
    return {
      mark: renderTile(one.clientName, null, { registeredBy: one.clientRegisteredBy }),
      title: renderLink(view, 'clients', one.clientId, sayActor(one, view.language)),
      says: html`${words.lastUsed}: ${used} · ${renderPermissions(view, permissions)}`,
      end:
        role === 'operator'
          ? renderAction(given, getSubjectPath('owners', owner.id), 'end', [label], field)
          : null,
    }
  })
  const all = linkAll(view, '/admin/authorizations', owner)
  return renderPart(words.applications, rows, words.noAccess, all)
}

const renderSessions = (given: ConsolePageGiven, { owner, sessions }: OwnerPage): Markup => {
  const { view, role } = given
  const words = consoleOwnersWords(view.language)
  const rows = sessions.map((one): SheetRow => {
    const field = hide('session', one.handle)
    const when = sayWhen(one.startedAt, view.at, view)
    const label = html`${words.logOut}<span class="unseen">${words.logOutOf({ when })}</span>`
    const agent = parseAgent(one.userAgent)
    return {
      mark: renderDeviceIcon(agent.system, 'globe'),
      title: formatBrowser(agent, sessionWords(view.language)),
      says: html`${when} · <bdi dir="ltr">${one.network}</bdi> · <code>${one.methods.join(' ')}</code>`,
      end:
        role === 'operator'
          ? renderAction(given, getSubjectPath('owners', owner.id), 'end-session', [label], field)
          : null,
    }
  })
  return renderPart(words.sessions, rows, words.noSessions)
}

const renderEventsOf = ({ view }: ConsolePageGiven, page: OwnerPage): Markup => {
  const words = consoleOwnersWords(view.language)
  const renderLines = (day: readonly Event[]): readonly Markup[] =>
    day.map((event) =>
      renderRow({ ...describeEventRow(event, page.names, view), end: sayClock(event.at, view) }),
    )
  return html`<section class="card"><div class="over"><h2>${words.events}</h2>${linkAll(view, '/admin/events', page.owner)} <a href="${pageUrl(view, '/admin/explain', { owner: page.owner.id })}">${words.refused}</a></div>
${renderDays(page.events, view, renderLines)}</section>`
}

/** The second step of a login, in words; empty without one. */
const formatSecond = ({ factors }: OwnerPage, words: OwnerWords): string => {
  const { passkeys, oneTimeCodes } = factors
  const all = [
    ...(oneTimeCodes === null ? [] : [words.codes]),
    ...(passkeys.length === 0 ? [] : [words.passkeys({ count: passkeys.length })]),
  ]
  return all.join(', ')
}

/** One page has every upstream. */
const linkUpstreams = (ids: readonly string[], view: View): Markup =>
  html`<a href="${pageUrl(view, getPlace('upstreams'))}">${ids.join(', ')}</a>`

/** Each way to log in, with the one thing that helps there. */
const renderWaysIn = (given: ConsolePageGiven, page: OwnerPage): Markup => {
  const { view, role } = given
  const words = consoleOwnersWords(view.language)
  const { owner, factors, linked, canMail, disabledBy } = page
  const { disabled, deletionAt, email, passwordHash, passwordChangedAt } = owner
  const offer = renderButtonsOf(ownerActions, given, getSubjectPath('owners', owner.id), words)
  const isOperator = role === 'operator'
  const send = html`<label class="tick"><input type="checkbox" name="send" value="1"><span>${words.linkSend}</span></label>`
  const link = (): Markup => offer('link', canMail && email !== '' ? send : null)
  const second = formatSecond(page, words)
  const changed = passwordHash !== '' && passwordChangedAt !== 0
  const { waitsUntil } = page
  const isShut = disabled || deletionAt !== null
  const why = disabledBy === null ? words.shut : words.shutBy({ upstream: disabledBy })
  const shut = { mark: icons.stop, title: disabled ? words.disabled : words.leaving }
  const rows: readonly SheetRow[] = [
    ...(isShut ? [{ ...shut, says: disabled ? why : null }] : []),
    ...(waitsUntil === null
      ? []
      : [
          {
            mark: icons.clock,
            title: words.waits,
            says: sayMoment(waitsUntil, view),
            end: isOperator ? offer('unlock') : null,
          },
        ]),
    {
      mark: icons.lock,
      title: words.password,
      says: html`${passwordHash === '' ? words.secondNone : words.passwordSet}${changed ? html` · ${words.changed}: ${sayWhen(passwordChangedAt, view.at, view)}` : null}`,
      end: isOperator && !disabled ? link() : null,
    },
    {
      mark: icons.key,
      title: words.second,
      says: second === '' ? words.secondNone : second,
      end: isOperator && second !== '' ? offer('factors', null, 'in list') : null,
    },
    {
      mark: icons.list,
      title: words.recovery,
      says:
        factors.recoveryCodes === 0
          ? words.secondNone
          : words.recoveryLeft({ count: factors.recoveryCodes }),
    },
    ...(linked.length === 0
      ? []
      : [{ mark: icons.link, title: words.linked, says: linkUpstreams(linked, view) }]),
  ]
  return renderPart(words.canLogIn, rows, '')
}

const renderGroups = (groups: OwnerPage['groups'], view: View): Content =>
  groups.length === 0
    ? null
    : groups.map(({ id, name }) => html`${renderLink(view, 'groups', id, sayName(name))} `)

const renderAbout = ({ view }: ConsolePageGiven, { owner, groups }: OwnerPage): Markup => {
  const words = consoleOwnersWords(view.language)
  const { attributes, disabled } = owner
  const facts = Object.keys(attributes).length === 0 ? null : JSON.stringify(attributes)
  return renderFacts(
    words.about,
    html`${renderFact(words.state, renderStatus(disabled ? words.disabled : words.active, !disabled))}
${renderFact(words.id, html`<code>${owner.id}</code>`)}
${renderFact(words.since, sayWhen(owner.createdAt, view.at, view))}
${renderFact(words.changed, sayWhen(owner.updatedAt, view.at, view))}
${renderFact(words.roles, owner.roles.length === 0 ? words.noRoles : owner.roles.join(' '))}
${renderFact(words.groups, renderGroups(groups, view))}
${renderFact(words.attributes, facts === null ? null : html`<code>${facts}</code>`)}`,
  )
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
    html`<label class="tick"><input type="checkbox" name="keep ${id}" value="1"><span>${title[kind]} ${sayName(name)} · ${sayMoment(at, view)}</span></label>`,
)}</fieldset>`
}

const renderActions = (given: ConsolePageGiven, page: OwnerPage): Markup => {
  const { owner, isSelf } = page
  const words = consoleOwnersWords(given.view.language)
  const offer = renderButtonsOf(ownerActions, given, getSubjectPath('owners', owner.id), words)
  const names = page.groups.flatMap(({ name, byOperator }) => (byOperator ? name : []))
  const groups = html`<label class="field"><span class="unseen">${words.groups}</span><textarea name="groups" rows="3" spellcheck="false">${names.join('\n')}</textarea><span class="hint">${words.groupsHint}</span></label>`
  const roles = html`<label class="field"><span class="unseen">${words.roles}</span><input name="roles" value="${owner.roles.join(' ')}" autocomplete="off" autocapitalize="none" spellcheck="false"><span class="hint">${words.rolesHint}</span></label>${renderWays(given, page)}`
  return html`<section class="card"><h2>${words.groups}</h2>${offer('groups', groups)}</section>
${isSelf ? null : html`<section class="card"><h2>${words.roles}</h2>${offer('roles', roles)}</section>`}
<section class="card"><h2>${words.stop}</h2><div class="stack">
${offer('end-sessions')}
${offer('end-access')}
${isSelf ? null : offer(owner.disabled ? 'enable' : 'disable')}
${isSelf || page.disabledBy === null ? null : offer('keep')}
${isSelf ? null : offer('delete')}
</div>${isSelf ? html`<p class="quiet small">${words.self}</p>` : null}</section>`
}

export const renderOwner = (given: ConsolePageGiven, page: OwnerPage): string => {
  const { role } = given
  const { owner, notice, isUndoable } = page
  const words = consoleOwnersWords(given.view.language)
  const name = owner.name === '' ? owner.username : owner.name
  const address =
    owner.email === ''
      ? null
      : html` · ${sayName(owner.email)} <span class="tag${owner.emailVerified ? ' good' : ''}">${owner.emailVerified ? words.verified : words.unverified}</span>`
  return renderSubject(given, {
    part: 'owners',
    heading: words.heading,
    title: name,
    name: sayName(name),
    tile: renderTile(name, null, { size: 'big', isPerson: true }),
    about: html`${sayName(owner.username)}${address}${renderRoles(owner)}`,
    notice,
    undo: isUndoable ? renderUndo(given, getSubjectPath('owners', owner.id), 'enable') : null,
    left: html`${renderWaysIn(given, page)}
${renderAccess(given, page)}
${renderSessions(given, page)}
${renderEventsOf(given, page)}`,
    right: html`${renderAbout(given, page)}
${role === 'operator' ? renderActions(given, page) : null}`,
  })
}

const path = '/admin/owners/:id'

/** So that no operator locks everybody out by mistake: another one has to do it. */
const notToOneself: readonly string[] = ['roles', 'disable', 'keep', 'delete']

export const openOwner = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const { store } = needs

  const show = async (visit: ConsoleVisit): Promise<Answer> =>
    showPage(visit, renderOwner(visit.given, await readPage(visit, needs)))

  return [
    entry.page(path, show, { offers: [readOwner, listSessions, listGroupsOf] }),
    openActions(
      {
        of: readOwner,
        actions: {
          ...ownerActions,
          'end-session': async ({ id }, form, visit) => {
            const handle = form.require('session') as SessionHandle
            const ended = await store.endSessionOf(id, handle, traceOf(visit, needs))
            return ended ? 'session' : 'gone'
          },
          end: async (_owner, form, visit) => {
            const asked = { operation: endAuthorization, id: form.require('authorization') }
            return (await catchGone(entry.perform(visit, asked))) === null ? 'gone' : 'ended'
          },
        },
        offers: [endAuthorization],
        forbids: (action, owner, { login }) =>
          owner.id === login.owner.id && notToOneself.includes(action) ? 'own' : null,
        answer: (said, visit, owner) => ('link' in said ? showOwnerLink(visit, owner, said) : null),
      },
      entry,
    ),
  ]
}
