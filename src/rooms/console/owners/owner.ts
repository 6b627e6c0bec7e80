/** `/admin/owners/{id}`: one user with access, logins, events and facts, and what the buttons on the page do. */

import type { Answer } from '../../../http/answer.ts'
import { getOperatorKey } from '../../../model/actor.ts'
import { listDetailNames } from '../../../model/detail.ts'
import type { SessionHandle } from '../../../model/ids.ts'
import { findConsoleRole, type Owner } from '../../../model/owner.ts'
import { endAuthorization } from '../../../operations/authorizations.ts'
import { findNamed } from '../../../operations/named-owner.ts'
import {
  createLink,
  endAccess,
  endSessions,
  listSessions,
  resetFactors,
} from '../../../operations/owner-access.ts'
import { changeOwner, deleteOwner, readOwner } from '../../../operations/owners.ts'
import { canMail } from '../../../owners/ways-in.ts'
import { sayActor } from '../../../paper/acting.ts'
import { hide, sayName } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderEntry } from '../../../paper/rows.ts'
import { renderTile } from '../../../paper/tile.ts'
import { sayMoment, sayWhen } from '../../../paper/time.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { RouteRow } from '../../../route.ts'
import { traceOf } from '../../../store/trace.ts'
import { showPage } from '../../visit.ts'
import { type ActionRows, offer, openActions, renderAction, renderButtonsOf } from '../actions.ts'
import { findNames, renderEventTable } from '../events/events.ts'
import { type ConsolePageGiven, getSubjectPath, renderFact, renderSubject } from '../frame.ts'
import { consoleLimits } from '../limits.ts'
import {
  type Console,
  type ConsoleNeeds,
  type ConsoleVisit,
  catchGone,
  findConsoleNotice,
} from '../visit.ts'
import { renderOwnerTags, showOwnerLink } from './owners.ts'
import { consoleOwnersWords } from './words.ts'

const readPage = async (visit: ConsoleVisit, needs: ConsoleNeeds) => {
  const { at, login } = visit
  const { store } = needs
  const owner = await findNamed(visit, needs)
  const { id: ownerId } = owner
  const few = consoleLimits.fewRows
  const operator = getOperatorKey({ type: 'operator', ownerId: login.owner.id, network: '' })
  const [factors, links, authorizations, sessions, events, ways] = await Promise.all([
    store.findFactors(ownerId),
    store.listUpstreamLinks(ownerId),
    store.listAuthorizations({ ownerId }, null, few, at, 'newest first'),
    store.listSessions(ownerId, null, few, at),
    store.listEvents({ ownerId }, null, few),
    // Ways to log in that others may have set: asked about with a role in the console.
    findConsoleRole(owner) === 'operator' ? [] : store.listWaysOfOthers(ownerId, operator),
  ])
  return {
    owner,
    factors,
    ways,
    /** The ids of upstreams with a linked account. */
    linked: links.map(({ upstream }) => upstream),
    authorizations: authorizations.rows,
    sessions: sessions.rows,
    events: events.rows,
    names: await findNames(events.rows, store),
    /** Whether the operator looks at the own account. */
    isSelf: login.owner.id === ownerId,
    canMail: canMail(needs),
    notice: findConsoleNotice(visit, consoleOwnersWords(visit.view.language).done),
  }
}

type OwnerPage = Awaited<ReturnType<typeof readPage>>

type OwnerWords = ReturnType<typeof consoleOwnersWords>

const ownerActions = {
  link: offer(
    createLink,
    'link',
    'sent',
    (form, { passwordHash }) => ({
      purpose: passwordHash === '' ? 'invite' : 'reset',
      send: form.find('send') !== null,
    }),
    'linkMake',
  ),
  factors: offer(resetFactors, 'factors', 'factors'),
  roles: offer(changeOwner, 'rolesSave', 'roles', (form) => ({
    roles: (form.find('roles') ?? '').split(/\s+/).filter((role) => role !== ''),
    keep_ways_in: [...form.names()].flatMap((name) => /^keep (.+)$/.exec(name)?.[1] ?? []),
  })),
  'end-sessions': offer(endSessions, 'endSessions', 'sessions'),
  'end-access': offer(endAccess, 'endAccess', 'access'),
  disable: offer(changeOwner, 'disable', 'disabled', { disabled: true }),
  enable: offer(changeOwner, 'enable', 'enabled', { disabled: false }),
  delete: offer(deleteOwner, 'remove', 'deleted'),
} satisfies ActionRows<OwnerWords, Owner>

const renderEntries = (
  heading: string,
  entries: readonly Markup[],
  none: string,
  foot: Content = null,
): Markup => html`<section class="card"><h2>${heading}</h2>
${entries.length === 0 ? html`<p class="quiet">${none}</p>` : html`<ul class="rows">${entries}</ul>`}${foot}</section>`

const renderAccess = (given: ConsolePageGiven, { owner, authorizations }: OwnerPage): Markup => {
  const { view, role } = given
  const words = consoleOwnersWords(view.language)
  const all = pageUrl(view, '/admin/authorizations', { owner: owner.id })
  const entries = authorizations.map((one) => {
    const field = hide('authorization', one.id)
    const label = html`${words.end}<span class="unseen">${words.endOf({ client: one.clientName })}</span>`
    const used = one.lastUsedAt === null ? words.never : sayWhen(one.lastUsedAt, view.at, view)
    const end = () => renderAction(given, getSubjectPath('owners', owner.id), 'end', [label], field)
    return renderEntry({
      title: html`<a href="${pageUrl(view, getSubjectPath('clients', one.clientId))}">${sayActor(one, view.language)}</a>`,
      state: [
        html`<code>${[...one.permissions, ...listDetailNames(one.details)].join(' ')}</code>`,
        html`${words.lastUsed}: ${used}`,
      ],
      actions: [role === 'operator' ? end() : null],
    })
  })
  const foot = html`
<p class="inside"><a class="button" href="${all}">${words.all}</a></p>`
  return renderEntries(words.applications, entries, words.noAccess, foot)
}

const renderSessions = (given: ConsolePageGiven, { owner, sessions }: OwnerPage): Markup => {
  const { view, role } = given
  const words = consoleOwnersWords(view.language)
  const entries = sessions.map((one) => {
    const field = hide('session', one.handle)
    const when = sayMoment(one.startedAt, view)
    const label = html`${words.logOut}<span class="unseen">${words.logOutOf({ when })}</span>`
    const end = () =>
      renderAction(given, getSubjectPath('owners', owner.id), 'end-session', [label], field)
    return renderEntry({
      title: when,
      state: [
        html`<bdi dir="ltr">${one.network}</bdi> · <code>${one.methods.join(' ')}</code>`,
        one.userAgent,
      ],
      actions: [role === 'operator' ? end() : null],
    })
  })
  return renderEntries(words.sessions, entries, words.noSessions)
}

const renderEventsOf = ({ view }: ConsolePageGiven, page: OwnerPage): Markup => {
  const words = consoleOwnersWords(view.language)
  const all = pageUrl(view, '/admin/events', { owner: page.owner.id })
  return html`<section class="card"><h2>${words.events}</h2>
${renderEventTable(page.events, page.names, view, words.events)}
<p class="inside"><a class="button" href="${all}">${words.all}</a></p></section>`
}

/** The second step of a login, in words. */
const formatSecond = ({ factors }: OwnerPage, words: OwnerWords): string => {
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
    passwordChangedAt === 0 ? null : html` · ${sayWhen(passwordChangedAt, view.at, view)}`
  const facts = Object.keys(attributes).length === 0 ? null : JSON.stringify(attributes)
  return html`<section class="card"><h2>${words.about}</h2><dl class="facts">
${renderFact(words.state, owner.disabled ? words.disabled : words.active)}
${renderFact(words.id, html`<code>${owner.id}</code>`)}
${renderFact(words.since, sayMoment(owner.createdAt, view))}
${renderFact(words.changed, sayMoment(owner.updatedAt, view))}
${renderFact(words.password, hasPassword ? html`${words.passwordSet}${changed}` : words.passwordNone)}
${renderFact(words.second, formatSecond(page, words))}
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
    html`<label class="tick"><input type="checkbox" name="keep ${id}" value="1"><span>${title[kind]} ${sayName(name)} · ${sayMoment(at, view)}</span></label>`,
)}</fieldset>`
}

const renderActions = (given: ConsolePageGiven, page: OwnerPage): Markup => {
  const { owner, isSelf } = page
  const words = consoleOwnersWords(given.view.language)
  const offer = renderButtonsOf(ownerActions, given, getSubjectPath('owners', owner.id), words)
  const send = html`<label class="tick"><input type="checkbox" name="send" value="1"><span>${words.linkSend}</span></label>`
  const roles = html`<label class="field"><span class="unseen">${words.roles}</span><input name="roles" value="${owner.roles.join(' ')}" autocomplete="off" autocapitalize="none" spellcheck="false"><span class="hint">${words.rolesHint}</span></label>${renderWays(given, page)}`
  return html`<section class="card"><h2>${words.help}</h2><div class="stack">
${owner.disabled ? null : offer('link', page.canMail && owner.email !== '' ? send : null)}
${offer('factors')}
</div></section>
${isSelf ? null : html`<section class="card"><h2>${words.roles}</h2>${offer('roles', roles)}</section>`}
<section class="card"><h2>${words.stop}</h2><div class="stack">
${offer('end-sessions')}
${offer('end-access')}
${isSelf ? null : offer(owner.disabled ? 'enable' : 'disable')}
${isSelf ? null : offer('delete')}
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
      : html` · ${sayName(owner.email)} <span class="tag${owner.emailVerified ? ' good' : ''}">${owner.emailVerified ? words.verified : words.unverified}</span>`
  return renderSubject(given, {
    part: 'owners',
    heading: words.heading,
    name,
    tile: renderTile(name, null, { size: 'big', isPerson: true }),
    about: html`${sayName(owner.username)}${address}${renderOwnerTags(owner, view)}`,
    notice,
    left: html`${renderAccess(given, page)}
${renderSessions(given, page)}
${renderEventsOf(given, page)}`,
    right: html`${renderAbout(given, page)}
${role === 'operator' ? renderActions(given, page) : null}`,
  })
}

const path = '/admin/owners/:id'

/** So that no operator locks everybody out by mistake: another one has to do it. */
const notToOneself: readonly string[] = ['roles', 'disable', 'delete']

export const openOwner = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const { store } = needs

  const show = async (visit: ConsoleVisit): Promise<Answer> =>
    showPage(visit, renderOwner(visit.given, await readPage(visit, needs)))

  return [
    entry.page(path, show, { offers: [readOwner, listSessions] }),
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
