/** The kinds of applications, one row for each. A kind is a form alone: nothing stores it. */
import { createClient } from '../../../../operations/client-changes.ts'
import { changeResource, createResource } from '../../../../operations/resource-changes.ts'
import { html } from '../../../../paper/markup.ts'
import { renderGo } from '../../../../paper/rows.ts'
import { renderLink } from '../../frame.ts'
import {
  listNeeded,
  listTyped,
  machineScope,
  personMore,
  personScope,
  proof,
  refresh,
  secretOrNothing,
  tokenFormat,
} from './fields.ts'
import type { ApplicationKind } from './kind.ts'
import {
  writeApi,
  writeBrowser,
  writeMachine,
  writeMcp,
  writeNative,
  writeWeb,
} from './snippets.ts'

const codeFlow = { grant_types: ['authorization_code'], response_types: ['code'] }
const publicFlow = { ...codeFlow, token_endpoint_auth_method: 'none' }

/**
 * The resource comes first, since it has all that was typed: a refusal leaves nothing behind. If a later
 * step fails, the page of the resource takes a client by hand.
 */
const makeApi: ApplicationKind['make'] = async (given, visit, perform) => {
  const { name } = await perform(visit, { operation: createResource, given })
  const client = await perform(visit, {
    operation: createClient,
    given: {
      client_name: `${String(name)} API`,
      grant_types: ['client_credentials'],
      scope: 'openid',
    },
  })
  await perform(
    { ...visit, params: { name: String(name) } },
    { operation: changeResource, given: { introspection_clients: [client.client_id] } },
  )
  return client
}

const renderMcp: ApplicationKind['above'] = (view, { settings, resources }, { mcp }) => {
  const { registration } = settings
  const servers = resources.list().filter(({ uri }) => uri !== null)
  const list =
    servers.length === 0
      ? html`<p>${mcp.noServer}</p>
<p class="actions">${renderGo(view, '/admin/new-client/api', mcp.declare)}</p>`
      : html`<p>${mcp.enter}</p>
<ul>${servers.map(({ name, uri }) => html`<li>${renderLink(view, 'resources', name, html`<code>${uri}</code>`)}</li>`)}</ul>`
  const itself = registration === 'open' ? mcp.open : mcp.closed
  return html`<section class="card"><h2>${mcp.heading}</h2>
<p>${registration === 'off' ? mcp.off : `${mcp.documents} ${itself}`}</p>
${list}</section>`
}

export const clientKinds: readonly ApplicationKind[] = [
  {
    name: 'web',
    icon: 'globe',
    settled: { ...codeFlow, application_type: 'web' },
    fields: [...listNeeded('client_name', 'redirect_uris'), personScope, refresh, ...proof],
    more: personMore,
    snippet: writeWeb,
  },
  {
    name: 'browser',
    icon: 'panes',
    settled: { ...publicFlow, application_type: 'web' },
    fields: [...listNeeded('client_name', 'redirect_uris'), personScope, refresh],
    more: personMore,
    snippet: writeBrowser,
  },
  {
    name: 'native',
    icon: 'phone',
    settled: { ...publicFlow, application_type: 'native' },
    fields: [...listNeeded('client_name', 'redirect_uris'), personScope, refresh],
    more: personMore,
    snippet: writeNative,
  },
  {
    name: 'machine',
    icon: 'bolt',
    settled: { grant_types: ['client_credentials'] },
    fields: [...listNeeded('client_name'), machineScope, ...proof],
    more: listTyped('client_id', 'contacts', 'access_token_seconds', 'may_introspect'),
    snippet: writeMachine,
  },
  {
    name: 'api',
    icon: 'shield',
    settled: {},
    fields: listNeeded('title', 'name', 'uri', 'read', 'write'),
    more: [...listTyped('actions', 'destructive', 'details'), tokenFormat],
    make: makeApi,
    snippet: writeApi,
  },
  {
    name: 'mcp',
    icon: 'link',
    settled: codeFlow,
    fields: [...listNeeded('client_name', 'redirect_uris'), personScope, refresh, secretOrNothing],
    more: personMore,
    above: renderMcp,
    snippet: writeMcp,
  },
]

export const findKind = (name: string): ApplicationKind | null =>
  clientKinds.find((kind) => kind.name === name) ?? null
