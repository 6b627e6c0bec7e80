/** `/admin/owners`: the users with search, and an invitation for another one. */

import type { Answer } from '../../../http/answer.ts'
import { queryOf } from '../../../http/request.ts'
import { isOwnerId, type OwnerId } from '../../../model/ids.ts'
import { isRole, type Owner } from '../../../model/owner.ts'
import { createLink } from '../../../operations/owner-access.ts'
import { createOwner, listOwners } from '../../../operations/owners.ts'
import type { JsonRow } from '../../../operations/surface/said.ts'
import { ownerLimits } from '../../../owners/limits.ts'
import { hide, sayName, showAlert } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderStatus } from '../../../paper/pieces.ts'
import type { SheetRow } from '../../../paper/rows.ts'
import { renderTile } from '../../../paper/tile.ts'
import { sayMoment, sayWhen } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { RouteRow } from '../../../route.ts'
import { type OwnerFilter, ownerStates } from '../../../store/contract/owner.ts'
import type { FoundPage } from '../../../store/contract/trace.ts'
import { showPage } from '../../visit.ts'
import type { TypedFilter } from '../filters.ts'
import { type ConsolePageGiven, getSubjectPath, renderLink, renderOnce } from '../frame.ts'
import { consoleLimits } from '../limits.ts'
import {
  type ListPage,
  type ListRow,
  listChoices,
  openList,
  readFilter,
  readLastTime,
  showList,
} from '../list.ts'
import type { Console, ConsoleNeeds, ConsoleVisit } from '../visit.ts'
import { consoleOwnersWords } from './words.ts'

/** `q`: words, or a whole id. `role`: a role, or `any`. `login`: when the last one was. */
type OwnerField = 'q' | 'role' | 'state' | 'login'
type TypedOwnerFilter = TypedFilter<OwnerField>

interface OwnersPage extends ListPage<Owner, OwnerField> {
  /** A refused invitation, as it was typed. */
  readonly invitation: {
    readonly problem: string
    readonly typed: Readonly<Record<string, string>>
  } | null
}

type LinkReceiver = Pick<Owner, 'id' | 'username'>

/** A link for a user that was just made. No address of a page has the link. */
export const renderOwnerLink = (
  given: ConsolePageGiven,
  { id, username }: LinkReceiver,
  { link, expires_at: expiresAt }: JsonRow,
): string => {
  const { view } = given
  const words = consoleOwnersWords(view.language)
  return renderOnce(given, {
    part: 'owners',
    heading: words.linkHeading({ owner: sayName(username) }),
    shown: html`<p><code>${String(link)}</code></p>
<p>${words.linkOnce({ when: sayMoment(Number(expiresAt), view) })}</p>`,
    copy: words.linkCopy,
    back: [getSubjectPath('owners', id), words.back],
  })
}

export const showOwnerLink = (visit: ConsoleVisit, owner: LinkReceiver, said: JsonRow): Answer =>
  showPage(visit, renderOwnerLink(visit.given, owner, said))

export const renderRoles = ({ roles }: Owner): Content =>
  roles.map((role) => html` <span class="tag">${role}</span>`)

export const describeOwnerRow = (owner: Owner, view: View): SheetRow => {
  const { id, username, email, disabled, deletionAt, createdAt } = owner
  const words = consoleOwnersWords(view.language)
  const name = owner.name === '' ? username : owner.name
  const state = disabled ? words.disabled : deletionAt === null ? null : words.leaving
  return {
    mark: renderTile(name, null, { isPerson: true }),
    title: html`${renderLink(view, 'owners', id, sayName(name))}${renderRoles(owner)}`,
    says: html`${sayName(username)}${email === '' ? null : html` · ${sayName(email)}`}`,
    end: state === null ? sayWhen(createdAt, view.at, view) : renderStatus(state, false),
  }
}

const renderInvitation = ({ view, csrf }: ConsolePageGiven, { invitation }: OwnersPage): Markup => {
  const words = consoleOwnersWords(view.language)
  const field = (name: string, label: string, type: string, isNeeded: boolean): Markup =>
    html`<label class="field"><span>${label}</span><input type="${type}" name="${name}" value="${invitation?.typed[name] ?? ''}" autocomplete="off"${isNeeded ? html` required` : null}></label>`
  return html`<details${invitation === null ? null : html` open`}><summary>${words.create}</summary>
<form class="card" method="post" action="${pageUrl(view, '/admin/owners')}">${hide('csrf', csrf)}${hide('action', 'invite')}
${showAlert(invitation && words.wrong({ problem: invitation.problem }))}
<p class="quiet small">${words.createIntro}</p>
${field('username', words.username, 'text', true)}
${field('name', words.name, 'text', false)}
${field('email', words.email, 'email', false)}
<p class="actions"><button class="primary" type="submit">${words.createSubmit}</button></p></form></details>`
}

export const ownerList: ListRow<Owner, OwnersPage, ReturnType<typeof consoleOwnersWords>> = {
  operation: listOwners,
  words: consoleOwnersWords,
  fields: (words) => [
    { name: 'q', label: words.find, kind: 'search', most: ownerLimits.usernameCharacters },
    {
      name: 'login',
      label: words.lastLogin,
      choices: [['', words.anyLogin], ...listChoices(words.logins, ['month', 'old', 'never'])],
    },
    {
      name: 'role',
      label: words.role,
      kind: 'links',
      choices: [
        ['', words.anyone],
        ['any', words.anyRole],
        ['operator', 'operator'],
        ['auditor', 'auditor'],
      ],
      also: isRole,
    },
    {
      name: 'state',
      label: words.state,
      kind: 'links',
      choices: [['', words.anyone], ...listChoices(words.states, ownerStates)],
    },
  ],
  says: (given, page) => ({
    row: (owner) => describeOwnerRow(owner, given.view),
    below: given.role === 'operator' ? renderInvitation(given, page) : null,
  }),
}

export const openOwnerList = ({ store }: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const readRows = (
    { q, role, state, login }: TypedOwnerFilter,
    after: string | null,
    at: number,
  ): Promise<FoundPage<Owner>> => {
    const { since, before } = readLastTime(login, at)
    const filter: OwnerFilter = {
      ...(q === '' ? {} : { search: q }),
      ...(role === '' ? {} : { role }),
      ...(state === '' ? {} : { state: state as (typeof ownerStates)[number] }),
      ...(since === undefined ? {} : { loginSince: since }),
      ...(before === undefined ? {} : { loginBefore: before }),
    }
    return store.listOwnersBy(filter, after, consoleLimits.rows)
  }

  const read = async (
    visit: ConsoleVisit,
    filter: TypedOwnerFilter,
    invitation: OwnersPage['invitation'] = null,
  ) => {
    const { q } = filter
    const after = queryOf(visit.request).find('after')
    const isOnly = Object.values(filter).every((value) => value === '' || value === q)
    const isExact = after === null && isOnly && isOwnerId(q)
    const exact = isExact ? await store.findOwner(q as OwnerId, 'disabled') : null
    const { rows, next, isPartial = false } = await readRows(filter, after, visit.at)
    const others = rows.filter(({ id }) => id !== exact?.id)
    return {
      items: exact === null ? others : [exact, ...others],
      next,
      isPartial,
      invitation,
    }
  }

  const invite = async (visit: ConsoleVisit, form: Parameters): Promise<Answer> => {
    const [username = '', name = '', email = ''] = ['username', 'name', 'email'].map(
      (field) => form.find(field) ?? '',
    )
    const typed = { username, name, email }
    try {
      const given = { ...typed, password: null }
      const made = await entry.perform(visit, { operation: createOwner, given })
      const owner = { id: String(made.id) as OwnerId, username: String(made.username) }
      const asked = { operation: createLink, given: { purpose: 'invite' }, id: owner.id }
      return showOwnerLink(visit, owner, await entry.perform(visit, asked))
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault
      const refused = { problem: fault.description, typed }
      const found = await read(visit, readFilter(ownerList, visit), refused)
      return showList(ownerList, visit, found, { status: 400, reason: 'bad_invitation' })
    }
  }

  return [
    openList(ownerList, entry, read),
    entry.change('/admin/owners', invite, [createOwner, createLink]),
  ]
}
