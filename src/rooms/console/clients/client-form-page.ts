/** The form of an application, with every member that the admin API knows. */
import { type FieldTexts, type FormGroup, formMembers } from '../../../clients/form-members.ts'
import { describedMembers } from '../../../clients/metadata.ts'
import type { Client } from '../../../model/client.ts'
import { hidden, named } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { MemberKind } from '../../../protocol/members.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import { renderMemberField } from '../member-field.ts'
import { clientPath } from './clients-page.ts'
import { consoleClientsWords } from './words.ts'

export interface ClientForm {
  /** Null for a new one. */
  readonly client: Client | null
  /** What is typed for the id of a new one. */
  readonly id: string
  /** Of the values that the form began with. */
  readonly version: string
  readonly fields: FieldTexts
  /** The answer of the admin API, and the field that it names. */
  readonly problem: { readonly field: string | null; readonly says: string } | null
  /** Names to choose from, by the field. */
  readonly choices: Readonly<Record<string, readonly string[]>>
}

type ClientWords = ReturnType<typeof consoleClientsWords>

/** The words of the admin API are English. */
const renderHint = (
  name: string,
  kind: MemberKind,
  form: ClientForm,
  words: ClientWords,
): Markup => {
  const also = kind === 'lines' ? words.oneOnEachLine : kind === 'lifetime' ? words.orUnlimited : ''
  const names = form.choices[name]
  const known = names === undefined ? describedMembers()[name] : names.join(', ')
  return html`<span lang="en" dir="ltr">${known ?? ''}</span>${also === '' ? null : ` · ${also}`}`
}

const renderGroup = (group: FormGroup, form: ClientForm, words: ClientWords): Markup => {
  const members = Object.entries<MemberKind>(formMembers[group]).filter(
    ([name]) => name !== 'pinned' || form.client?.document !== undefined,
  )
  const fields = members.map(([name, kind]) =>
    renderMemberField({
      name,
      kind,
      value: form.fields[name] ?? '',
      problem: form.problem?.field === name ? form.problem.says : null,
      hint: renderHint(name, kind, form, words),
    }),
  )
  const heading = words.groups[group]
  if (group === 'main') return html`<section class="card"><h2>${heading}</h2>${fields}</section>`
  const isOpen = members.some(([name]) => form.problem?.field === name)
  return html`<details class="card"${isOpen ? html` open` : null}><summary>${heading}</summary>${fields}</details>`
}

const renderId = ({ id, problem }: ClientForm, words: ClientWords): Markup => {
  const says = problem?.field === 'client_id' ? problem.says : null
  const field = { name: 'client_id', kind: 'text', value: id, hint: words.chosenId } as const
  return html`<section class="card">${renderMemberField({ ...field, problem: says })}
<p class="quiet small">${words.emptyFields}</p></section>`
}

export const renderClientForm = (given: ConsolePageGiven, form: ClientForm): string => {
  const { view, csrf } = given
  const { client, problem } = form
  const words = consoleClientsWords(view.language)
  const path = client === null ? '/admin/new-client' : clientPath(client.id, '/edit')
  const back = client === null ? '/admin/clients' : clientPath(client.id)
  const heading =
    client === null ? words.newHeading : words.changeHeading({ client: named(client.name) })
  return renderConsolePage(given, {
    part: 'clients',
    heading,
    title: client?.name ?? words.newHeading,
    head: html`<p class="back"><a href="${pageUrl(view, back)}">${client === null ? words.heading : named(client.name)}</a></p><h1>${heading}</h1>`,
    problem: problem?.says ?? null,
    main: html`<form method="post" action="${pageUrl(view, path)}">${hidden('csrf', csrf)}${hidden('version', form.version)}
${client === null ? renderId(form, words) : null}
${(Object.keys(formMembers) as FormGroup[]).map((group) => renderGroup(group, form, words))}
<p class="actions"><button class="primary" type="submit">${client === null ? words.createNow : words.save}</button></p></form>`,
  })
}
