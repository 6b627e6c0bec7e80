/** `/admin/resources`: the resources of the service, one of them, and its form with every member that the admin API knows. */
import {
  newResourceIn,
  type ResourceTexts,
  resourceChangesIn,
  resourceFieldKind,
  resourceFields,
  resourceTexts,
  typedResource,
} from '../../../access/resource-form.ts'
import { versionOf } from '../../../clients/form-members.ts'
import { describeResource } from '../../../config/resources.ts'
import type { Answer } from '../../../http/answer.ts'
import { textIn } from '../../../model/language.ts'
import type { Resource } from '../../../model/resource.ts'
import {
  changeResource,
  createResource,
  deleteResource,
  findNamedResource,
  listResources,
  readResource,
} from '../../../operations/resources.ts'
import { hidden, named } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import type { RouteRow } from '../../../route.ts'
import { showPage } from '../../visit.ts'
import { type ActionRows, button, openActions, renderAction } from '../actions.ts'
import { consoleClientsWords } from '../clients/words.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import { type ListPage, type ListRow, openList } from '../list.ts'
import { renderMemberField } from '../member-field.ts'
import { renderFact, resourcePath } from '../pieces.ts'
import {
  answerConsole,
  type Console,
  type ConsoleNeeds,
  type ConsoleVisit,
  changedMeanwhile,
  consoleNotice,
  orShowForm,
  unlessGone,
} from '../visit.ts'
import { consoleServiceWords } from './words.ts'

type ResourceWords = ReturnType<typeof consoleServiceWords>['resources']

export const resourceList: ListRow<Resource, ListPage<Resource>> = {
  operation: listResources,
  part: 'resources',
  path: '/admin/resources',
  says({ view, role }) {
    const words = consoleServiceWords(view.language).resources
    const create = html`<a class="button primary" href="${pageUrl(view, '/admin/new-resource')}">${words.create}</a>`
    return {
      heading: words.heading,
      beside: role === 'operator' ? create : null,
      columns: [
        [
          words.name,
          ({ name }) =>
            html`<a href="${pageUrl(view, resourcePath(name))}"><code>${name}</code></a>`,
        ],
        [words.title, ({ title }) => named(textIn(title, view.language))],
        [
          words.address,
          ({ uri }) =>
            uri === null
              ? html`<span class="quiet">${words.builtIn}</span>`
              : html`<code>${uri}</code>`,
          'aside',
        ],
      ],
    }
  },
}

const resourceActions = {
  delete: button(deleteResource, 'delete', 'deleted'),
} satisfies ActionRows<ResourceWords, Resource>

export const renderResource = (
  given: ConsolePageGiven,
  resource: Resource,
  notice: string | null,
): string => {
  const { view, role } = given
  const words = consoleServiceWords(view.language).resources
  const { name, uri } = resource
  const text = (of: Resource['title']): Markup => named(textIn(of, view.language))
  const actions = [
    ['read', resource.read] as const,
    ['write', resource.write] as const,
    ...Object.entries(resource.actions),
  ]
  const permissions = actions.map(
    ([action, meaning]) => html`<code>${name}:${action}</code> ${text(meaning)}<br>`,
  )
  const remove = resourceActions.delete.says(words)
  return renderConsolePage(given, {
    part: 'resources',
    heading: name,
    title: name,
    head: html`<p class="back"><a href="${pageUrl(view, '/admin/resources')}">${words.heading}</a></p>
<div class="head"><h1>${text(resource.title)}</h1>${role === 'operator' ? html`<a class="button" href="${pageUrl(view, resourcePath(name, '/edit'))}">${words.edit}</a>` : null}</div>`,
    notice,
    main: html`<section class="card"><dl class="facts">
${renderFact(words.name, html`<code>${name}</code>`)}
${renderFact(words.address, uri === null ? words.builtIn : html`<code>${uri}</code>`)}
${renderFact(words.permissions, permissions)}
${renderFact(words.destructive, html`<code>${resource.destructive.join(' ')}</code>`)}
${renderFact(words.format, html`<code>${describeResource(resource).access_token_format}</code>`)}
${renderFact(words.clients, html`<code>${resource.introspectionClients.join(' ')}</code>`)}</dl></section>
${role === 'operator' ? html`<section class="card">${renderAction(given, resourcePath(name), 'delete', remove)}</section>` : null}`,
  })
}

export interface ResourceForm {
  /** Null for a new one. */
  readonly name: string | null
  readonly fields: ResourceTexts
  /** Of the values that the form began with. */
  readonly version: string
  /** In the English of the admin API. */
  readonly problem: string | null
}

/** The first field that the words name in quotes; null for none. */
const fieldIn = (problem: string): string | null =>
  resourceFields.find((name) => problem.includes(`"${name}"`)) ??
  resourceFields.find((name) => problem.startsWith(name)) ??
  null

export const renderResourceForm = (
  given: ConsolePageGiven,
  { name, fields, version, problem }: ResourceForm,
): string => {
  const { view, csrf } = given
  const words = consoleServiceWords(view.language).resources
  const { oneOnEachLine } = consoleClientsWords(view.language)
  const path = name === null ? '/admin/new-resource' : resourcePath(name, '/edit')
  const back = name === null ? '/admin/resources' : resourcePath(name)
  const heading =
    name === null ? words.create : words.changeHeading({ name: html`<code>${name}</code>` })
  const wrong = problem === null ? null : fieldIn(problem)
  const shown = resourceFields.filter((field) => name === null || field !== 'name')
  return renderConsolePage(given, {
    part: 'resources',
    heading,
    title: name ?? words.create,
    head: html`<p class="back"><a href="${pageUrl(view, back)}">${name === null ? words.heading : html`<code>${name}</code>`}</a></p><h1>${heading}</h1>`,
    problem,
    main: html`<form class="card" method="post" action="${pageUrl(view, path)}">${hidden('csrf', csrf)}${hidden('version', version)}
${shown.map((field) => {
  const { kind, isWorded } = resourceFieldKind(field)
  const hint = isWorded
    ? words.perLanguage
    : kind === 'lines'
      ? oneOnEachLine
      : kind === 'json'
        ? 'JSON'
        : ''
  const says = wrong === field ? problem : null
  return renderMemberField({ name: field, kind, value: fields[field] ?? '', problem: says, hint })
})}
<p class="actions"><button class="primary" type="submit">${name === null ? words.createNow : words.save}</button></p></form>`,
  })
}

const one = '/admin/resources/:name'

export const openResources = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const find = (visit: ConsoleVisit): Promise<Resource> => findNamedResource(visit, needs)
  const noticeFor = (visit: ConsoleVisit): string | null =>
    consoleNotice(visit, consoleServiceWords(visit.view.language).resources.done)

  const list = openList(resourceList, entry, async (visit, filter) => {
    await needs.resources.learn()
    const items = needs.resources.list()
    return { filter, items, next: null, isFirst: true, notice: noticeFor(visit) }
  })

  const show = async (visit: ConsoleVisit): Promise<Answer> =>
    showPage(visit, renderResource(visit.given, await find(visit), noticeFor(visit)))

  const remove = openActions(
    {
      path: one,
      actions: resourceActions,
      find,
      pathOf: ({ name }) => resourcePath(name),
      list: '/admin/resources',
    },
    entry,
  )

  const showForm = (
    visit: ConsoleVisit,
    name: string | null,
    fields: ResourceTexts,
    version: string,
    refusal: Refusal | null = null,
  ): Answer => {
    const { description: problem = null, status = 200, reason = null } = refusal ?? {}
    const html = renderResourceForm(visit.given, { name, fields, version, problem })
    return showPage(visit, html, { status, reason })
  }

  const showNew = (visit: ConsoleVisit): Answer => showForm(visit, null, {}, '')

  const create = (visit: ConsoleVisit, form: Parameters): Promise<Answer> => {
    const typed = typedResource(form)
    return orShowForm(
      async () => {
        const asked = { operation: createResource, given: newResourceIn(typed) }
        const { name } = await entry.perform(visit, asked)
        return answerConsole(visit, resourcePath(String(name)), 'created')
      },
      (refusal) => showForm(visit, null, typed, '', refusal),
    )
  }

  const showOld = async (visit: ConsoleVisit): Promise<Answer> => {
    const resource = await find(visit)
    const fields = resourceTexts(resource)
    return showForm(visit, resource.name, fields, versionOf(fields))
  }

  const change = async (visit: ConsoleVisit, form: Parameters): Promise<Answer> => {
    const resource = await find(visit)
    const typed = typedResource(form)
    const before = resourceTexts(resource)
    const version = form.find('version') ?? ''
    return orShowForm(
      async () => {
        if (version !== versionOf(before)) throw changedMeanwhile()
        const given = resourceChangesIn(typed, before)
        const asked = { operation: changeResource, given }
        const changed = await unlessGone(entry.perform(visit, asked))
        return changed === null
          ? answerConsole(visit, '/admin/resources', 'gone')
          : answerConsole(visit, resourcePath(resource.name), 'changed')
      },
      (refusal) => showForm(visit, resource.name, typed, version, refusal),
    )
  }

  return [
    list,
    entry.form('/admin/new-resource', showNew),
    entry.change('/admin/new-resource', create, [createResource]),
    entry.page(one, show, { offers: [readResource] }),
    remove,
    entry.form(`${one}/edit`, showOld),
    entry.change(`${one}/edit`, change, [changeResource]),
  ]
}
