/** The clients of the service. */

import { describeForOperator } from '../clients/describe.ts'
import { findClient } from '../clients/find.ts'
import { clientForms } from '../clients/metadata.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Client } from '../model/client.ts'
import { isClientId } from '../model/ids.ts'
import type { Refusal } from '../protocol/refusal.ts'
import type { Z } from '../protocol/schema.ts'
import {
  describeFound,
  describePage,
  findCursor,
  findSearchCursor,
  oneOf,
  search,
} from './lists.ts'
import { formOf, operation, pageOf } from './operation.ts'
import { type AdminNeeds, checkScope, type Operator, rightsChanged, unknown } from './operator.ts'
import { yes } from './surface/cli.ts'
import { shown } from './surface/said.ts'

/** What nobody sets: the service tells it. */
export const toldMembers = (z: Z) => ({
  client_id: z.string(),
  client_id_issued_at: z.int(),
  client_secret: z.string().optional().describe('shown this once'),
  client_secret_expires_at: z.literal(0).optional(),
})

export const clientForm = formOf('Client', (z) =>
  z.strictObject({
    ...clientForms().operator.shape,
    ...toldMembers(z),
    old_secret_expires_at: z.int().nullable(),
    registered_by: z.enum(['operator', 'itself']),
    set_by_operator: z.array(z.string()),
    manages_itself: z.boolean(),
    pinned: z.boolean().optional(),
    document_fetched_at: z.int().optional(),
    document_fresh_until: z.int().optional(),
  }),
)

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
  checkScope(operator, client.scope)
  return client
}

/** After a step that did nothing: the client is gone, or the checked scope does not hold any more. */
export const refusedFor = async ({ id }: Client, parts: AdminNeeds): Promise<Refusal> =>
  (await findClient(id, parts, 'disabled')) === null ? unknown('client') : rightsChanged('scope')

export const listClients = operation({
  route: 'GET /admin/api/clients',
  says: 'List or search clients',
  commands: {
    usage: 'client list',
    does: 'list all clients',
    examples: ['latchkey client list --search photo --json'],
    flags: [['--search <text>', 'only clients whose name begins with it']],
    list: {
      cells: ({ client_id: id, client_name: name }) => [shown(id), shown(name)],
      empty: 'There are no clients.',
    },
  },
  filters: { search, by: oneOf(['name', 'client_id'], 'the text that is searched') },
  answers: { 200: pageOf('ClientPage', clientForm.make) },
  async run({ filters: { search: prefix, by = 'name' }, query, limit }, { store }) {
    if (prefix === undefined) {
      return describePage(
        await store.listClients(findCursor(query, isClientId), limit),
        describeForOperator,
      )
    }
    const found = await store.listClientsBy({ by, prefix }, findSearchCursor(query), limit)
    return describeFound(found, describeForOperator)
  },
})

export const readClient = operation({
  route: `GET ${oneClient}`,
  says: 'Read a client',
  commands: {
    usage: 'client show <id>',
    does: 'show all that is known of a client',
    examples: ['latchkey client show printer'],
  },
  answers: { 200: clientForm },
  find: findNamedClient,
  run: async ({ on }) => describeForOperator(on),
})

export const deleteClient = operation({
  route: `DELETE ${oneClient}`,
  says: 'Delete a client',
  commands: [
    {
      usage: 'client delete <id>',
      does: 'delete a client, with all that owners approved for it',
      examples: ['latchkey client delete printer --yes'],
      flags: [yes],
      confirm: ({ name: id, found: { client_name: name } }) =>
        `${shown(name) === '' ? id : `${shown(name)} (${id})`} goes, with its tokens and all that owners approved for it.`,
      json: ({ name }) => ({ deleted: name }),
      text: ({ name }) => `${name} is deleted, with all that owners approved for it.`,
    },
  ],
  answers: { 204: null },
  find: findChangeable,
  async run({ on, trace }, parts) {
    if (!(await parts.store.deleteClient(on.id, trace(), on.scope))) {
      throw await refusedFor(on, parts)
    }
    return null
  },
})

export const clientOperations = { listClients, readClient, deleteClient }
