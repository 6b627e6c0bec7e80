/** `/admin/resources`: the resources of the service, one of them, and its form with every member that the admin API knows. */
import { describeResource } from '../../../config/resources.ts'
import type { Answer } from '../../../http/answer.ts'
import { pickText } from '../../../model/language.ts'
import type { Resource } from '../../../model/resource.ts'
import { changeResource, createResource } from '../../../operations/resource-changes.ts'
import { deleteResource, listResources, readResource } from '../../../operations/resources.ts'
import { sayName } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { renderGo } from '../../../paper/rows.ts'
import type { RouteRow } from '../../../route.ts'
import { showPage } from '../../visit.ts'
import { type ActionRows, offer, openActions, renderButtonsOf } from '../actions.ts'
import { consoleClientsWords } from '../clients/words.ts'
import {
  type ConsolePageGiven,
  getSubjectPath,
  renderFact,
  renderFacts,
  renderLink,
  renderLinks,
  renderSubject,
} from '../frame.ts'
import { type ListPage, type ListRow, openList } from '../list.ts'
import { type FormMember, makeMembers } from '../member.ts'
import { type MemberForm, openMemberForm } from '../member-form.ts'
import { type Console, type ConsoleNeeds, type ConsoleVisit, findConsoleNotice } from '../visit.ts'
import { consoleServiceWords } from './words.ts'

type ResourceWords = ReturnType<typeof consoleServiceWords>['resources']

export const resourceList: ListRow<Resource, ListPage<Resource>, ResourceWords> = {
  operation: listResources,
  words: (language) => consoleServiceWords(language).resources,
  says: ({ view }, _page, words) => ({
    create: ['/admin/new-resource', words.create],
    row: ({ name, title, uri }) => ({
      title: renderLink(view, 'resources', name, sayName(pickText(title, view.language))),
      says: html`<code>${name}</code>`,
      end: uri === null ? words.builtIn : html`<code>${uri}</code>`,
    }),
  }),
}

const resourceActions = {
  delete: offer(deleteResource, 'delete', 'deleted'),
} satisfies ActionRows<ResourceWords, Resource>

export const renderResource = (
  given: ConsolePageGiven,
  resource: Resource,
  notice: string | null,
): string => {
  const { view, role } = given
  const words = consoleServiceWords(view.language).resources
  const { name, uri } = resource
  const text = (of: Resource['title']): Markup => sayName(pickText(of, view.language))
  const actions = [
    ['read', resource.read] as const,
    ['write', resource.write] as const,
    ...Object.entries(resource.actions),
  ]
  const permissions = actions.map(
    ([action, meaning]) => html`<code>${name}:${action}</code> ${text(meaning)}<br>`,
  )
  const details = Object.entries(resource.details).map(
    ([member, meaning]) => html`<code>${member}</code> ${text(meaning)}<br>`,
  )
  const path = getSubjectPath('resources', name)
  return renderSubject(given, {
    part: 'resources',
    heading: words.heading,
    title: name,
    name: text(resource.title),
    about: html`<code>${name}</code>`,
    beside: renderGo(view, `${path}/edit`, words.edit),
    notice,
    left: renderFacts(
      null,
      html`${renderFact(words.address, uri === null ? words.builtIn : html`<code>${uri}</code>`)}
${renderFact(words.permissions, permissions)}
${renderFact(words.details, details.length === 0 ? null : details)}
${renderFact(words.destructive, html`<code>${resource.destructive.join(' ')}</code>`)}
${renderFact(words.format, html`<code>${[resource.accessTokenFormat, resource.accessTokenAlgorithm ?? ''].join(' ').trim()}</code>`)}
${renderFact(words.clients, renderLinks(view, 'clients', resource.introspectionClients))}`,
    ),
    right:
      role === 'operator' ? renderButtonsOf(resourceActions, given, path, words)('delete') : null,
  })
}

const listMembers = makeMembers([createResource])

export const resourceForm: MemberForm<Resource> = {
  newPath: '/admin/new-resource',
  read: readResource,
  create: createResource,
  change: changeResource,
  members: () => Object.values(listMembers()),
  separator: /\s+/,
  isCard: true,
  hides: (resource) => (resource === null ? [] : ['name']),
  describe: describeResource,
  says({ view }, resource) {
    const words = consoleServiceWords(view.language).resources
    if (resource === null) {
      const { create, heading, createNow } = words
      return { heading: create, title: create, back: heading, submit: createNow }
    }
    const name = html`<code>${resource.name}</code>`
    const heading = words.changeHeading({ name })
    return { heading, title: resource.name, back: name, submit: words.save }
  },
  fields({ view }, { members }, renderField) {
    const { perLanguage } = consoleServiceWords(view.language).resources
    const { oneOnEachLine } = consoleClientsWords(view.language)
    const hints = { worded: perLanguage, lines: oneOnEachLine, object: 'JSON' }
    const hintOf = ({ kind }: FormMember): string => (kind in hints ? hints[kind as 'lines'] : '')
    return members.map((member) => renderField(member, hintOf(member)))
  },
}

const one = '/admin/resources/:name'

export const openResources = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const list = openList(resourceList, entry, async () => {
    await needs.resources.learn()
    return { items: needs.resources.list(), next: null }
  })

  const show = async (visit: ConsoleVisit): Promise<Answer> => {
    const notice = findConsoleNotice(visit, consoleServiceWords(visit.view.language).resources.done)
    return showPage(
      visit,
      renderResource(visit.given, await entry.find(visit, readResource), notice),
    )
  }

  const remove = openActions(
    {
      of: readResource,
      actions: resourceActions,
    },
    entry,
  )

  return [
    list,
    ...openMemberForm(resourceForm, entry),
    entry.page(one, show, { offers: [readResource] }),
    remove,
  ]
}
