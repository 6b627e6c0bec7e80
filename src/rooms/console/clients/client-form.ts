/** `/admin/new-client` and `/admin/clients/{client_id}/edit`: creating and changing an application, with every member that the admin API knows. */
import {
  changesIn,
  type FieldTexts,
  type FormGroup,
  fieldNamedIn,
  fieldsIn,
  fieldsOf,
  formMembers,
  metadataIn,
  versionOf,
} from '../../../clients/form-members.ts'
import { grantTypesOf } from '../../../clients/grant-types.ts'
import { describedMembers } from '../../../clients/metadata.ts'
import { limits } from '../../../config/limits.ts'
import type { Answer } from '../../../http/answer.ts'
import type { Client } from '../../../model/client.ts'
import { jwsAlgorithms } from '../../../model/key.ts'
import { changeClient, createClient, findNamedClient } from '../../../operations/clients.ts'
import { hidden, named } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { pageUrl } from '../../../paper/view.ts'
import type { MemberKind } from '../../../protocol/members.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import type { RouteRow } from '../../../route.ts'
import { showPage } from '../../visit.ts'
import { type ConsolePageGiven, renderConsolePage } from '../frame.ts'
import { renderMemberField } from '../member-field.ts'
import { clientPath } from '../pieces.ts'
import {
  answerConsole,
  type Console,
  type ConsoleNeeds,
  type ConsoleVisit,
  changedMeanwhile,
  orShowForm,
  unlessGone,
} from '../visit.ts'
import { renderNewSecret } from './client-page.ts'
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

/** A secret is shown once, in the answer to the form. */
const answerOperated = (
  visit: ConsoleVisit,
  operated: Awaited<ReturnType<Console['perform']>> | null,
  what: 'created' | 'changed',
): Answer => {
  if (operated === null) return answerConsole(visit, '/admin/clients', 'gone')
  const { client_id, client_name, client_secret: secret } = operated
  const [id, name] = [String(client_id), String(client_name)]
  return secret === undefined
    ? answerConsole(visit, clientPath(id), what)
    : showPage(visit, renderNewSecret(visit.given, { id, name }, String(secret)))
}

const edit = '/admin/clients/:client_id/edit'

export const openClientForm = (needs: ConsoleNeeds, entry: Console): readonly RouteRow[] => {
  const { registries, resources } = needs
  const find = (visit: ConsoleVisit): Promise<Client> => findNamedClient(visit, needs)

  const listChoices = (): ClientForm['choices'] => ({
    grant_types: grantTypesOf(registries),
    response_types: registries.responseTypes.map(({ type }) => type),
    token_endpoint_auth_method: registries.clientMethods.map(({ name }) => name),
    scope: resources.list().map(({ name }) => name),
    application_type: ['web', 'native'],
    id_token_signed_response_alg: jwsAlgorithms,
  })

  const show = (
    visit: ConsoleVisit,
    form: Omit<ClientForm, 'problem' | 'choices'>,
    refusal: Refusal | null = null,
  ): Answer => {
    const says = refusal?.description ?? ''
    const field = says.startsWith('client_id') ? 'client_id' : fieldNamedIn(says)
    const problem = refusal === null ? null : { field, says }
    const html = renderClientForm(visit.given, { ...form, problem, choices: listChoices() })
    const { status = 200, reason = null } = refusal ?? {}
    return showPage(visit, html, { status, reason })
  }

  const showNew = (visit: ConsoleVisit): Answer =>
    show(visit, { client: null, fields: {}, id: '', version: '' })

  const create = (visit: ConsoleVisit, form: Parameters): Promise<Answer> => {
    const fields = fieldsIn(form)
    const id = (form.find('client_id') ?? '').trim().slice(0, limits.clientIdCharacters.url)
    const given = { ...metadataIn(fields), ...(id === '' ? {} : { client_id: id }) }
    return orShowForm(
      async () =>
        answerOperated(
          visit,
          await entry.perform(visit, { operation: createClient, given }),
          'created',
        ),
      (refusal) => show(visit, { client: null, fields, id, version: '' }, refusal),
    )
  }

  const showOld = async (visit: ConsoleVisit): Promise<Answer> => {
    const client = await find(visit)
    const fields = fieldsOf(client)
    return show(visit, { client, fields, id: '', version: versionOf(fields) })
  }

  const change = async (visit: ConsoleVisit, form: Parameters): Promise<Answer> => {
    const client = await find(visit)
    const before = fieldsOf(client)
    const version = form.find('version') ?? ''
    const typed = fieldsIn(form)
    // The form of a client without a document has no field for its copy.
    const fields = client.document === undefined ? { ...typed, pinned: before.pinned ?? '' } : typed
    return orShowForm(
      async () => {
        if (version !== versionOf(before)) throw changedMeanwhile()
        const given = changesIn(fields, before)
        const asked = { operation: changeClient, given, found: client }
        return answerOperated(visit, await unlessGone(entry.perform(visit, asked)), 'changed')
      },
      (refusal) => show(visit, { client, fields, id: '', version }, refusal),
    )
  }

  return [
    entry.form('/admin/new-client', showNew),
    entry.change('/admin/new-client', create, [createClient]),
    entry.form(edit, showOld),
    entry.change(edit, change, [changeClient]),
  ]
}
