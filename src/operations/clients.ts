/** The clients of the service. */

import { describeActs, readActs } from '../clients/acts.ts'
import { isCommandLine, refuseForgotten } from '../clients/command-line.ts'
import { describeForOperator } from '../clients/describe.ts'
import { findClient } from '../clients/find.ts'
import { clientForms } from '../clients/metadata.ts'
import { listStricter } from '../clients/stricter.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Client } from '../model/client.ts'
import { adminPermissions } from '../model/resource.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Z } from '../protocol/schema.ts'
import { clientBringers, clientKinds } from '../store/contract/client.ts'
import {
  allow,
  describeFound,
  findTextCursor,
  pickPresent,
  searchWords,
  timeFilter,
} from './lists.ts'
import { defineRow, makeForm, makeFoundPage } from './operation.ts'
import { type AdminNeeds, checkScope, type Operator, rightsChanged, unknown } from './operator.ts'
import { stateChanged } from './seen.ts'
import { yes } from './surface/cli.ts'
import { sayClient } from './surface/client-flags.ts'
import { show } from './surface/said.ts'

/** What nobody sets: the service tells it. */
export const listToldMembers = (z: Z) => ({
  client_id: z.string(),
  client_id_issued_at: z.int(),
  client_secret: z.string().optional().describe('shown this once'),
  client_secret_expires_at: z.literal(0).optional(),
})

const defineClient = (z: Z) =>
  z.strictObject({
    ...clientForms().operator.shape,
    ...listToldMembers(z),
    old_secret_expires_at: z.int().nullable(),
    registered_by: z.enum(['operator', 'itself']),
    set_by_operator: z.array(z.string()),
    manages_itself: z.boolean(),
    pinned: z.boolean().optional(),
    document_fetched_at: z.int().optional(),
    document_fresh_until: z.int().optional(),
  })

export const clientForm = makeForm('Client', defineClient)

export const oneClient = '/admin/api/clients/:client_id'

/** @throws Refusal `not_found` */
export const findNamedClient = async (
  { params }: Pick<Exchange, 'params'>,
  parts: AdminNeeds,
): Promise<Client> => {
  const client = await findClient(params.client_id ?? '', parts, 'disabled')
  if (client === null) throw unknown('client')
  return client
}

/** For what changes or ends a client without a look at its new scope. */
export const findChangeable = async (
  exchange: Exchange,
  parts: AdminNeeds,
  operator: Operator,
): Promise<Client> => {
  const client = await findNamedClient(exchange, parts)
  checkScope(operator, isCommandLine(client) ? adminPermissions : client.scope)
  return client
}

/** After a step that did nothing: the client is gone, or is not as it was checked. */
export const explainRefused = async (
  { id }: Client,
  seen: Client | undefined,
  parts: AdminNeeds,
  about: 'change' | 'deletion' = 'change',
): Promise<Refusal> => {
  if ((await findClient(id, parts, 'disabled')) === null) return unknown('client')
  if (about === 'deletion' && (await parts.store.isKeepingOwners(id))) {
    return new Refusal(
      'conflict',
      'client_keeps_owners',
      'the client keeps people of a directory: rotate its secret, disable it, or delete these people first',
    )
  }
  return seen === undefined ? rightsChanged('scope') : stateChanged()
}

export const listClients = defineRow({
  route: 'GET /admin/api/clients',
  says: 'List or search clients',
  commands: {
    usage: 'client list',
    does: 'list or search clients, in the order of found words and client_id',
    examples: [
      'latchkey client list --search photo --json',
      'latchkey client list --registered-by itself --used-before 2026-08-01T00:00:00Z',
    ],
    flags: [
      ['--search <text>', 'only clients with words of name or client_id that begin so'],
      ['--registered-by <whom>', 'only clients by an operator, by itself or by a document'],
      ['--kind <kind>', 'only clients that are public, or have a secret or keys'],
      ['--state <state>', 'only clients that are enabled or disabled'],
      ['--used-since <time>', 'only clients whose last use is not before'],
      ['--used-before <time>', 'only clients whose last use is before, or was never'],
      ['--limit <number>', 'so many at most (default: all)'],
    ],
    list: {
      cells: ({ client_id: id, client_name: name }) => [show(id), show(name)],
      empty: 'There are no clients.',
    },
  },
  filters: {
    search: searchWords,
    registered_by: allow(clientBringers, 'who brought the client'),
    kind: allow(clientKinds, 'how the client proves itself'),
    state: allow(['enabled', 'disabled'], 'only clients in this state'),
    used_since: timeFilter('the last use is not before this time: unix seconds, or RFC 3339'),
    used_before: timeFilter('the last use is before this time, or there is none'),
  },
  answers: { 200: makeFoundPage('ClientPage', clientForm.make) },
  async run({ filters, query, limit }, { store }) {
    const { search, kind, state, registered_by: broughtBy } = filters
    const { used_since: usedSince, used_before: usedBefore } = filters
    const disabled = state && state === 'disabled'
    const filter = pickPresent({ search, kind, disabled, broughtBy, usedSince, usedBefore })
    const found = await store.listClientsBy(filter, findTextCursor(query), limit)
    return describeFound(found, describeForOperator)
  },
})

const defineActs = (z: Z) =>
  z
    .strictObject({
      last_token_at: z.int().nullable(),
      last_used_at: z.int().nullable(),
      owners: z.int().describe('with a live approval'),
      has_more_owners: z.boolean(),
      days: z.array(z.strictObject({ day: z.string(), tokens: z.int(), refused: z.int() })),
      refusals: z.array(z.strictObject({ reason: z.string(), count: z.int(), last_at: z.int() })),
      refused_by: z
        .array(z.strictObject({ profile: z.string(), rules: z.array(z.string()) }))
        .describe('stricter profiles that these acts broke'),
    })
    .describe('of 31 days (UTC)')

export const readClient = defineRow({
  route: `GET ${oneClient}`,
  says: 'Read a client',
  commands: {
    usage: 'client show <id>',
    does: 'show all that is known of a client, and what it did in 31 days',
    examples: ['latchkey client show printer'],
    text: ({ json }) => sayClient(json),
  },
  answers: {
    200: makeForm('ClientWithActs', (z) => defineClient(z).extend({ acts: defineActs(z) })),
  },
  find: findNamedClient,
  shows: describeForOperator,
  async run({ on, exchange: { at } }, parts) {
    const [acts, stricter] = await Promise.all([
      readActs(on, at, parts),
      listStricter(on.id, at, parts),
    ])
    return { ...describeForOperator(on), acts: describeActs(acts, stricter) }
  },
})

export const deleteClient = defineRow({
  route: `DELETE ${oneClient}`,
  says: 'Delete a client',
  commands: [
    {
      usage: 'client delete <id>',
      does: 'delete a client, with all that owners approved for it',
      examples: ['latchkey client delete printer --yes'],
      flags: [yes],
      confirm: ({ name: id, found: { client_name: name } }) =>
        `${show(name) === '' ? id : `${show(name)} (${id})`} goes, with its tokens and all that owners approved for it.`,
      json: ({ name }) => ({ deleted: name }),
      text: ({ name }) => `${name} is deleted, with all that owners approved for it.`,
    },
  ],
  answers: { 204: null },
  find: findChangeable,
  shows: describeForOperator,
  async run({ on, seen, trace }, parts) {
    refuseForgotten(on)
    const state = isCommandLine(on) ? (seen ?? on) : seen
    if (!(await parts.store.deleteClient(on.id, trace(), on.scope, state))) {
      throw await explainRefused(on, state, parts, 'deletion')
    }
    return null
  },
})

export const clientOperations = { listClients, readClient, deleteClient }
