/** `/admin/new-client` and `/admin/clients/{client_id}/edit`: creating and changing an application. */

import {
  changesIn,
  fieldNamedIn,
  fieldsIn,
  fieldsOf,
  metadataIn,
  versionOf,
} from '../../../clients/form-members.ts'
import { grantTypesOf } from '../../../clients/grant-types.ts'
import type { Answer } from '../../../http/answer.ts'
import { clientIdCharacters } from '../../../model/ids.ts'
import { jwsAlgorithms } from '../../../model/key.ts'
import { changeClient, createClient, findNamedClient } from '../../../operations/clients.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import type { Refusal } from '../../../protocol/refusal.ts'
import type { ServiceParts } from '../../../registries.ts'
import { showPage } from '../../visit.ts'
import { perform, performUnlessGone } from '../perform.ts'
import { orShowForm } from '../typed.ts'
import {
  answerConsole,
  type ConsoleVisit,
  changedMeanwhile,
  consoleAction,
  consoleForm,
} from '../visit.ts'
import { type ClientForm, renderClientForm } from './client-form-page.ts'
import { renderNewSecret } from './client-page.ts'
import { clientPath } from './clients-page.ts'

const choicesOf = ({ registries, resources }: ServiceParts): ClientForm['choices'] => ({
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
  refusal: Refusal | null,
  parts: ServiceParts,
): Answer => {
  const says = refusal?.description ?? ''
  const field = says.startsWith('client_id') ? 'client_id' : fieldNamedIn(says)
  const problem = refusal === null ? null : { field, says }
  const html = renderClientForm(visit.given, { ...form, problem, choices: choicesOf(parts) })
  return showPage(visit, html, {
    ...(refusal === null ? {} : { status: refusal.status, reason: refusal.reason }),
  })
}

/** A secret is shown once, in the answer to the form. */
const answerOperated = (
  visit: ConsoleVisit,
  operated: Awaited<ReturnType<typeof performUnlessGone>>,
  what: 'created' | 'changed',
): Answer => {
  if (operated === null) return answerConsole(visit, '/admin/clients', 'gone')
  const { client_id, client_name, client_secret: secret } = operated
  const [id, name] = [String(client_id), String(client_name)]
  return secret === undefined
    ? answerConsole(visit, clientPath(id), what)
    : showPage(visit, renderNewSecret(visit.given, { id, name }, String(secret)))
}

const typedId = (form: Parameters): string =>
  (form.find('client_id') ?? '').trim().slice(0, clientIdCharacters.url)

const create = (visit: ConsoleVisit, form: Parameters, parts: ServiceParts): Promise<Answer> => {
  const fields = fieldsIn(form)
  const id = typedId(form)
  const given = { ...metadataIn(fields), ...(id === '' ? {} : { client_id: id }) }
  return orShowForm(
    async () =>
      answerOperated(
        visit,
        await perform(visit, { operation: createClient, given }, parts),
        'created',
      ),
    (refusal) => show(visit, { client: null, fields, id, version: '' }, refusal, parts),
  )
}

const change = async (
  visit: ConsoleVisit,
  form: Parameters,
  parts: ServiceParts,
): Promise<Answer> => {
  const client = await findNamedClient(visit, parts)
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
      return answerOperated(visit, await performUnlessGone(visit, asked, parts), 'changed')
    },
    (refusal) => show(visit, { client, fields, id: '', version }, refusal, parts),
  )
}

export const showNewClient = consoleForm((visit, parts) =>
  show(visit, { client: null, fields: {}, id: '', version: '' }, null, parts),
)

export const createConsoleClient = consoleAction(create)

export const showClientForm = consoleForm(async (visit, parts) => {
  const client = await findNamedClient(visit, parts)
  const fields = fieldsOf(client)
  return show(visit, { client, fields, id: '', version: versionOf(fields) }, null, parts)
})

export const changeConsoleClient = consoleAction(change)
