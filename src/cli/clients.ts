/** `latchkey client ...` and `latchkey init`: registering clients where no admin API can be reached yet. */
import { intersection } from '../access/permission.ts'
import { describeForOperator, describeSecret } from '../clients/describe.ts'
import { newClient } from '../clients/registration.ts'
import { limits } from '../config/limits.ts'
import { type Client, publicMethod } from '../model/client.ts'
import { adminPermissions } from '../model/resource.ts'
import { builtIn } from '../registries.ts'
import { type Flags, type StoreParts, seedFirst } from './store.ts'

interface AddedClient {
  readonly client: Client
  readonly secret: string | null
}

const register = async (
  metadata: Flags,
  id: string | undefined,
  parts: StoreParts,
): Promise<AddedClient> => {
  const chosen = id === undefined ? {} : { id }
  const registrar = { by: 'operator', registries: builtIn, ...chosen } as const
  const { client, secret } = newClient(metadata, registrar, parts)
  if ((await parts.store.createClient(client, parts.trace())) === 'taken') {
    throw new Error(`there is already a client ${client.id}`)
  }
  return { client, secret }
}

export const showSecret = ({ client, secret }: AddedClient): string =>
  [
    `client_id      ${client.id}`,
    ...(secret === null ? [] : [`client_secret  ${secret}`, '', 'The secret is shown this once.']),
  ].join('\n')

export const asJson = (value: unknown): string => JSON.stringify(value, null, 2)

/**
 * A client with redirect URIs wants codes, and tokens that outlast an hour. Other response types need
 * the implicit grant beside them (OpenID Connect Registration section 2).
 */
const defaultGrants = ({ responseType }: Flags): readonly string[] => {
  const types = Array.isArray(responseType) ? responseType : ['code']
  return [
    ...(types.some((type) => /\bcode\b/.test(type)) ? ['authorization_code', 'refresh_token'] : []),
    ...(types.some((type) => type !== 'code') ? ['implicit'] : []),
  ]
}

/** Flags in the words of RFC 7591; what is not said is left to the registration. */
const metadataOf = (flags: Flags): Flags => {
  const given: Flags = {
    client_name: flags.name,
    redirect_uris: flags.redirect,
    grant_types: flags.grant ?? (flags.redirect ? defaultGrants(flags) : undefined),
    response_types: flags.responseType,
    id_token_signed_response_alg: flags.idTokenAlg,
    post_logout_redirect_uris: flags.postLogoutRedirect,
    backchannel_logout_uri: flags.backChannelLogout,
    frontchannel_logout_uri: flags.frontChannelLogout,
    scope: Array.isArray(flags.scope) ? flags.scope.join(' ') : undefined,
    required_scope: Array.isArray(flags.requiredScope) ? flags.requiredScope.join(' ') : undefined,
    token_endpoint_auth_method: flags.public === true ? publicMethod : undefined,
    trusted: flags.trusted,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

export const addClient = async (flags: Flags, parts: StoreParts): Promise<string> => {
  await seedFirst(parts)
  const id = typeof flags.id === 'string' ? flags.id : undefined
  const registered = await register(metadataOf(flags), id, parts)
  return flags.json === true
    ? asJson({ ...describeForOperator(registered.client), ...describeSecret(registered.secret) })
    : showSecret(registered)
}

const allClients = async ({ store }: StoreParts): Promise<readonly Client[]> => {
  const clients: Client[] = []
  let after: string | null = null
  do {
    const page = await store.listClients(after, limits.pageRows)
    clients.push(...page.rows)
    after = page.next
  } while (after !== null)
  return clients
}

export const listClients = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const clients = await allClients(parts)
  if (flags.json === true) return asJson(clients.map(describeForOperator))
  if (clients.length === 0) return 'There are no clients.'
  const width = Math.max(...clients.map(({ id }) => id.length))
  return clients.map(({ id, name }) => `${id.padEnd(width)}  ${name}`).join('\n')
}

const isOperator = (client: Client): boolean =>
  intersection(client.scope, adminPermissions).length > 0

/** The first operator: a client that may do everything the admin API offers. */
export const initialise = async (flags: Flags, parts: StoreParts): Promise<string> => {
  if (parts.settings.demo) {
    throw new Error(
      'this is the demo, which has its operator already (latchkey-admin); set LATCHKEY_ISSUER, or LATCHKEY_DEMO=0',
    )
  }
  const operator = (await allClients(parts)).find(isOperator)
  if (operator !== undefined) {
    throw new Error(`there is already an operator, the client ${operator.id}; it can add others`)
  }
  const metadata = {
    client_name: 'Operator',
    grant_types: ['client_credentials'],
    response_types: [],
    scope: adminPermissions.join(' '),
  }
  const id = typeof flags.id === 'string' ? flags.id : undefined
  const registered = await register(metadata, id, parts)
  const { client, secret } = registered
  return flags.json === true
    ? asJson({ ...describeForOperator(client), ...describeSecret(secret) })
    : `${showSecret(registered)}\n\nIt may use all of ${parts.settings.issuer}/admin/api.`
}
