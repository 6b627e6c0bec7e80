/** The clients of the service. */

import { describeForOperator, describeSecret } from '../clients/describe.ts'
import { findClient } from '../clients/find.ts'
import { clientForms } from '../clients/metadata.ts'
import { changeByOperator, createByOperator } from '../clients/operate.ts'
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
import { type CommandRow, needMembers, yes } from './surface/cli.ts'
import { clientFlags, readMetadata, readNewClient, saySecret } from './surface/client-flags.ts'
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

/** A command that sets one member. */
const setMember = (
  name: string,
  body: object,
  does: string,
  said: string,
  example = 'printer',
): CommandRow => ({
  usage: `client ${name} <id>`,
  does,
  examples: [`latchkey client ${name} ${example}`],
  body: () => body,
  text: ({ name: id }) => `${id} ${said}`,
})

const document = 'https://app.example/client.json'

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

export const createClient = operation({
  route: 'POST /admin/api/clients',
  says: 'Create a client; its secret is shown this once',
  commands: {
    usage: 'client add',
    does: 'register a client and show its secret, this once',
    examples: [
      'latchkey client add --name "Photo Printer" --redirect https://printer.example/callback',
      'latchkey client add --name "Nightly report" --grant client_credentials --scope photos:read',
    ],
    flags: [
      ['--name <name>', 'what people are told it is called', 'needed'],
      ...clientFlags,
      ['--public', 'it cannot keep a secret: a browser or mobile application'],
      ['--trusted', 'it may use the password grant'],
      ['--may-introspect', 'it may introspect the tokens of all clients'],
      ['--id <id>', 'the client id (default: a generated one)'],
    ],
    first: true,
    body: readNewClient,
    faults: { conflict: (_name, { id }) => `there is already a client ${id}` },
    text: ({ json }) => saySecret(json),
  },
  body: {
    form: formOf('NewClient', (z) =>
      clientForms().operator.extend({ client_id: z.string().optional() }),
    ),
    example: {
      client_name: 'Example Shop',
      redirect_uris: ['https://shop.example/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'photos:read',
    },
  },
  answers: { 201: clientForm },
  madeAs: 'client_id',
  async run({ operator, given, exchange }, parts) {
    const { client, secret } = await createByOperator(
      given,
      (scope) => checkScope(operator, scope),
      exchange,
      parts,
    )
    return { ...describeForOperator(client), ...describeSecret(secret) }
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

export const changeClient = operation({
  route: `PATCH ${oneClient}`,
  says: 'Change the members of a client that the body has',
  commands: [
    {
      usage: 'client change <id>',
      does: 'change the members of a client that the flags name',
      examples: [
        'latchkey client change printer --redirect https://printer.example/callback --access-token-seconds 600',
        'latchkey client change printer --set logo_uri=https://printer.example/logo.png',
      ],
      flags: [
        ['--name <name>', 'what people are told it is called'],
        ...clientFlags,
        ['--trusted', 'it may use the password grant'],
        ['--no-trusted', 'it may not use the password grant'],
        ['--may-introspect', 'it may introspect the tokens of all clients'],
        ['--no-may-introspect', 'it may introspect its own tokens only'],
      ],
      body: (flags) => needMembers(readMetadata(flags)),
    },
    setMember(
      'disable',
      { disabled: true },
      'refuse a client and all of its tokens until it is enabled',
      'is disabled: it gets no tokens, and its tokens are refused until it is enabled.',
    ),
    setMember('enable', { disabled: false }, 'take a disabled client again', 'is enabled.'),
    setMember(
      'pin',
      { pinned: true },
      'stop fetching the metadata document that a client is',
      'is pinned: its document is not fetched any more.',
      document,
    ),
    setMember(
      'unpin',
      { pinned: false },
      'fetch again the metadata document that a client is',
      'is not pinned: its document is fetched again.',
      document,
    ),
  ],
  body: {
    form: formOf('ClientChange', () => clientForms().operatorsChange),
    example: { client_name: 'Example Store' },
  },
  answers: { 200: clientForm },
  find: findNamedClient,
  async run({ on, operator, given, exchange }, parts) {
    const changed = await changeByOperator(
      on,
      given,
      (scope) => checkScope(operator, scope),
      exchange,
      parts,
    )
    if (changed === null) throw await refusedFor(on, parts)
    return { ...describeForOperator(changed.client), ...describeSecret(changed.secret) }
  },
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

export const clientOperations = {
  listClients,
  createClient,
  readClient,
  changeClient,
  deleteClient,
}
