/** The form of a resource, with every member that the admin API knows. */
import {
  type ResourceTexts,
  resourceFieldKind,
  resourceFields,
} from '../../../access/resource-form.ts'
import { hidden } from '../../../paper/fields.ts'
import { html } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import { consoleClientsWords } from '../clients/words.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import { renderMemberField } from '../member-field.ts'
import { resourcePath } from './resources-page.ts'
import { consoleServiceWords } from './words.ts'

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
