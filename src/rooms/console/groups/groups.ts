/** `/admin/groups`: the groups of owners, and one of them with its members. */
import type { Answer } from '../../../http/answer.ts'
import { queryOf } from '../../../http/request.ts'
import { isGroupName } from '../../../model/group.ts'
import { isOwnerId, type OwnerId } from '../../../model/ids.ts'
import { changeGroupMembers, listGroupMembers } from '../../../operations/group-members.ts'
import {
  changeGroup,
  createGroup,
  deleteGroup,
  listGroups,
  readGroup,
} from '../../../operations/groups.ts'
import { findCursor } from '../../../operations/lists.ts'
import { hide, sayName } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderGo, renderRow, renderRows } from '../../../paper/rows.ts'
import { sayWhen } from '../../../paper/time.ts'
import type { RouteRow } from '../../../route.ts'
import type { CountedGroup, GroupMember } from '../../../store/contract/group.ts'
import type { Page } from '../../../store/contract/trace.ts'
import { showPage } from '../../visit.ts'
import { type ActionRows, offer, openActions, renderAction, renderButtonsOf } from '../actions.ts'
import {
  type ConsolePageGiven,
  getSubjectPath,
  renderFact,
  renderFacts,
  renderLink,
  renderSubject,
} from '../frame.ts'
import { consoleLimits } from '../limits.ts'
import { type ListPage, type ListRow, openList } from '../list.ts'
import {
  answerConsole,
  type Console,
  type ConsoleNeeds,
  type ConsoleVisit,
  findConsoleNotice,
} from '../visit.ts'
import { consoleGroupsWords } from './words.ts'

type GroupsWords = ReturnType<typeof consoleGroupsWords>

export const groupList: ListRow<CountedGroup, ListPage<CountedGroup>, GroupsWords> = {
  operation: listGroups,
  words: consoleGroupsWords,
  fields: ({ prefix }) => [{ name: 'search', label: prefix, kind: 'search', most: 100 }],
  says(given, _page, words) {
    const { view, role } = given
    const name = html`<label class="field"><span>${words.name}</span><input name="name" required autocomplete="off" maxlength="100"></label>`
    return {
      above: html`<p class="lead">${words.about}</p>
`,
      row: ({ id, name, members, createdAt }) => ({
        title: renderLink(view, 'groups', id, sayName(name)),
        says: html`${words.members}: ${String(members)}`,
        end: sayWhen(createdAt, view.at, view),
      }),
      below:
        role === 'operator'
          ? html`<section class="card"><h2>${words.create}</h2>${renderAction(given, '/admin/groups', 'create', [words.createNow], name)}</section>`
          : null,
    }
  },
}

const actions = {
  add: offer(changeGroupMembers, 'add', 'added', (form) => ({
    add: [form.find('username') ?? ''],
  })),
  out: offer(changeGroupMembers, 'out', 'taken', (form) => ({
    remove: [form.find('owner') ?? ''],
  })),
  rename: offer(changeGroup, 'rename', 'renamed', (form) => ({ name: form.find('name') ?? '' })),
  delete: offer(deleteGroup, 'remove', 'removed'),
} satisfies ActionRows<GroupsWords, CountedGroup>

export interface GroupPage {
  readonly group: CountedGroup
  readonly members: Page<GroupMember>
  readonly notice: string | null
}

export const renderGroup = (
  given: ConsolePageGiven,
  { group, members, notice }: GroupPage,
): string => {
  const { view, role } = given
  const words = consoleGroupsWords(view.language)
  const path = getSubjectPath('groups', group.id)
  const button = renderButtonsOf(actions, given, path, words)
  const isOperator = role === 'operator'
  const field = (name: string, label: string, value = ''): Markup =>
    html`<label class="field"><span>${label}</span><input name="${name}" value="${value}" required autocomplete="off" autocapitalize="none" spellcheck="false"></label>`
  const row = ({ ownerId, username, name, byOperator, upstreams }: GroupMember): Markup =>
    renderRow({
      title: renderLink(view, 'owners', ownerId, sayName(name || username)),
      says: html`${sayName(username)} · ${words.by}: ${[...(byOperator ? [words.operator] : []), ...upstreams].join(', ')}`,
      end: isOperator ? button('out', hide('owner', ownerId)) : null,
    })
  const forms = html`<section class="card"><h2>${words.addHeading}</h2>${button('add', field('username', words.username))}</section>
<section class="card"><h2>${words.renameHeading}</h2><p class="quiet small">${words.renameHint}</p>${button('rename', field('name', words.name, group.name))}</section>
<section class="card">${button('delete')}</section>`
  const { rows, next } = members
  return renderSubject(given, {
    part: 'groups',
    heading: words.heading,
    title: group.name,
    name: sayName(group.name),
    notice,
    left: html`<section class="card"><h2>${words.members}</h2>
${rows.length === 0 ? html`<p class="quiet">${words.nobody}</p>` : renderRows(rows.map(row))}${
  next === null
    ? null
    : html`
<p class="actions">${renderGo(view, path, words.more, { after: next })}</p>`
}</section>`,
    right: html`${renderFacts(
      null,
      html`${renderFact(words.members, String(group.members))}
${renderFact(words.id, html`<code>${group.id}</code>`)}
${renderFact(words.since, sayWhen(group.createdAt, view.at, view))}`,
    )}
${isOperator ? forms : null}`,
  })
}

export const openGroups = ({ store }: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const list = openList(groupList, entry, async ({ request }, { search = '' }) => {
    const after = findCursor<string>(queryOf(request), isGroupName)
    const { rows, next } = await store.listGroups(search, after, consoleLimits.rows)
    return { items: rows, next }
  })

  const show = async (visit: ConsoleVisit): Promise<Answer> => {
    const group = await entry.find(visit, readGroup)
    const after = findCursor<OwnerId>(queryOf(visit.request), isOwnerId)
    const members = await store.listGroupMembers(group.id, after, consoleLimits.rows)
    const notice = findConsoleNotice(visit, consoleGroupsWords(visit.view.language).done)
    return showPage(visit, renderGroup(visit.given, { group, members, notice }))
  }

  const create = entry.change(
    '/admin/groups',
    async (visit, form) => {
      const given = { name: form.find('name') ?? '' }
      const { id } = await entry.perform(visit, { operation: createGroup, given })
      return answerConsole(visit, getSubjectPath('groups', String(id)), 'created')
    },
    [createGroup],
  )

  return [
    list,
    create,
    entry.page('/admin/groups/:id', show, { offers: [readGroup, listGroupMembers] }),
    openActions({ of: readGroup, actions }, entry),
  ]
}
