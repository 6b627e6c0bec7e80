/** The clients of the service. */
import {
  endClientTokens,
  parseKeepOldSeconds,
  revokeRegistration as revokeRegistrationOf,
  rotateClientSecret,
  rotationForm,
} from '../clients/credentials.ts'
import { describeForOperator, describeSecret } from '../clients/describe.ts'
import { findClient } from '../clients/find.ts'
import { clientForms } from '../clients/metadata.ts'
import { changeByOperator, createByOperator } from '../clients/operate.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Client } from '../model/client.ts'
import { isClientId } from '../model/client-id.ts'
import type { Parts } from '../parts.ts'
import type { Refusal } from '../protocol/refusal.ts'
import type { Z } from '../protocol/schema.ts'
import type { EndpointParts } from '../registries.ts'
import { checkScope } from './elevation.ts'
import { oneOf, search } from './filters.ts'
import { formOf, operation, pageOf } from './operation.ts'
import { type Operator, rightsChanged, unknown } from './operator.ts'
import { describeFound, describePage, findCursor, findSearchCursor } from './paging.ts'

/** What nobody sets: the service tells it. */
export const toldMembers = (z: Z) => ({
  client_id: z.string(),
  client_id_issued_at: z.int(),
  client_secret: z.string().optional().describe('shown this once'),
  client_secret_expires_at: z.literal(0).optional(),
})

const clientForm = formOf('Client', (z) =>
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

const one = '/admin/api/clients/:client_id'

const find = async ({ params }: Exchange, parts: Pick<Parts, 'store'>): Promise<Client> => {
  const client = await findClient(params.client_id ?? '', parts, 'disabled')
  if (client === null) throw unknown('client')
  return client
}

/** For what changes or ends a client without a look at its new scope. */
const findChangeable = async (
  exchange: Exchange,
  parts: EndpointParts,
  operator: Operator,
): Promise<Client> => {
  const client = await find(exchange, parts)
  checkScope(operator, client.scope)
  return client
}

/** After a step that did nothing: the client is gone, or the checked scope does not hold any more. */
const refusedFor = async ({ id }: Client, parts: Pick<Parts, 'store'>): Promise<Refusal> =>
  (await findClient(id, parts, 'disabled')) === null ? unknown('client') : rightsChanged('scope')

const listClients = operation({
  id: 'listClients',
  method: 'GET',
  path: '/admin/api/clients',
  permission: 'clients:read',
  says: 'List or search clients',
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

const createClient = operation({
  id: 'createClient',
  method: 'POST',
  path: '/admin/api/clients',
  permission: 'clients:write',
  says: 'Create a client; its secret is shown this once',
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

const readClient = operation({
  id: 'readClient',
  method: 'GET',
  path: one,
  permission: 'clients:read',
  says: 'Read a client',
  answers: { 200: clientForm },
  find,
  run: async ({ on }) => describeForOperator(on),
})

const changeClient = operation({
  id: 'changeClient',
  method: 'PATCH',
  path: one,
  permission: 'clients:write',
  says: 'Change the members of a client that the body has',
  body: {
    form: formOf('ClientChange', () => clientForms().operatorsChange),
    example: { client_name: 'Example Store' },
  },
  answers: { 200: clientForm },
  find,
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

const deleteClient = operation({
  id: 'deleteClient',
  method: 'DELETE',
  path: one,
  permission: 'clients:write',
  says: 'Delete a client',
  answers: { 204: null },
  find: findChangeable,
  async run({ on, trace }, parts) {
    if (!(await parts.store.deleteClient(on.id, trace(), on.scope))) {
      throw await refusedFor(on, parts)
    }
    return null
  },
})

/** Tokens that the client got for itself with the old secret end with it. */
const rotateSecret = operation({
  id: 'rotateSecret',
  method: 'POST',
  path: `${one}/rotate-secret`,
  permission: 'clients:write',
  says: 'Give a client a new secret, shown this once',
  body: {
    form: formOf('Rotation', rotationForm),
    example: { keep_old_seconds: 3600 },
    optional: true,
  },
  answers: {
    200: formOf('RotatedSecret', (z) =>
      z.looseObject({
        client_id: z.string(),
        client_secret: z.string().describe('shown this once'),
      }),
    ),
  },
  find: findChangeable,
  async run({ on, given, trace }, parts) {
    const rotated = await rotateClientSecret(on, parseKeepOldSeconds(given), trace(), parts)
    if (rotated === null) throw await refusedFor(on, parts)
    return { ...describeForOperator(rotated.client), ...describeSecret(rotated.secret) }
  },
})

/** Approvals of owners stay, so they are not asked again. */
const endTokens = operation({
  id: 'endClientTokens',
  method: 'POST',
  path: `${one}/end-tokens`,
  permission: 'clients:write',
  says: 'End all tokens of a client and of its owners',
  answers: { 200: clientForm },
  find: findChangeable,
  async run({ on, trace }, parts) {
    const changed = await endClientTokens(on, trace(), parts)
    if (changed === null) throw await refusedFor(on, parts)
    return describeForOperator(changed)
  },
})

/** From then on only operators change the client. */
const revokeRegistration = operation({
  id: 'revokeRegistration',
  method: 'POST',
  path: `${one}/revoke-registration`,
  permission: 'clients:write',
  says: 'End the registration token of a client',
  answers: { 200: clientForm },
  find: findChangeable,
  async run({ on, trace }, parts) {
    const changed = await revokeRegistrationOf(on, trace(), parts)
    if (changed === null) throw await refusedFor(on, parts)
    return describeForOperator(changed)
  },
})

export const clientOperations = [
  listClients,
  createClient,
  readClient,
  changeClient,
  deleteClient,
  rotateSecret,
  endTokens,
  revokeRegistration,
]
