/** What the benchmark does at Latchkey's admin API, as the operator's client of the demo. */
import {
  type Application,
  application,
  type Credentials,
  jwtResource,
  password,
} from './load/job.ts'
import { keySet } from './proofs.ts'

/** A request of the operator's at the service on a port. */
type Ask = (method: string, path: string, body: object, passing?: number) => Promise<unknown>

const asOperator = async (port: number, scope: string): Promise<Ask> => {
  const origin = `http://127.0.0.1:${port}`
  const answer = await fetch(`${origin}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('latchkey-admin:latchkey-admin-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  })
  const { access_token } = (await answer.json()) as { readonly access_token: string }
  return async (method, path, body, passing) => {
    const answered = await fetch(`${origin}/admin/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { ok, status } = answered
    if (!ok && status !== passing) throw new Error(`${method} ${path} was answered with ${status}`)
    return status === 204 ? null : answered.json()
  }
}

/** People who log in, each with a name of their own. */
export const addPeople = async (port: number, count: number): Promise<readonly string[]> => {
  const ask = await asOperator(port, 'owners:write')
  const names = Array.from({ length: count }, (_, i) => `person-${i}`)
  await Promise.all(
    names.map((username) =>
      ask('POST', 'owners', {
        username,
        password,
        name: username,
        email: `${username}@example.com`,
      }),
    ),
  )
  return names
}

/**
 * Makes the client that asks about tokens a resource server, as those who ask are: each time it asks
 * is a use then, which the owner's ledger tells of.
 */
export const makeResourceServer = async (port: number): Promise<void> => {
  const ask = await asOperator(port, 'clients:write')
  await ask('PATCH', `clients/${application.id}`, { may_introspect: true })
}

/** Adds a client whose ID tokens are signed with ES256. */
export const addIdTokenClient = async (port: number): Promise<Application> => {
  const ask = await asOperator(port, 'clients:write')
  const { redirectUri } = application
  const added = await ask('POST', 'clients', {
    client_name: 'Photo Printer',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'photos:read',
    id_token_signed_response_alg: 'ES256',
  })
  const { client_id: id, client_secret: secret } = added as Readonly<
    Record<'client_id' | 'client_secret', string>
  >
  return { id, secret, redirectUri }
}

/** Adds a client that proves itself by the key of the benchmark. */
export const addKeyClient = async (port: number): Promise<string> => {
  const ask = await asOperator(port, 'clients:write')
  const added = await ask('POST', 'clients', {
    client_name: 'Nightly Report',
    grant_types: ['client_credentials'],
    scope: 'photos:read',
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: keySet,
  })
  return (added as { readonly client_id: string }).client_id
}

/** Adds an API that takes JWTs, and a client that gets tokens for it. */
export const addJwtClient = async (port: number): Promise<Credentials> => {
  const ask = await asOperator(port, 'clients:write resources:write')
  const { uri, scope } = jwtResource
  const words = { title: 'Orders', read: 'See your orders', write: 'Change your orders' }
  const resource = { name: 'orders', ...words, uri, access_token_format: 'jwt' }
  // It is there already where the service was started again.
  await ask('POST', 'resources', resource, 409)
  const added = await ask('POST', 'clients', {
    client_name: 'Order Report',
    grant_types: ['client_credentials'],
    scope,
  })
  const { client_id: id, client_secret: secret } = added as Readonly<
    Record<'client_id' | 'client_secret', string>
  >
  return { id, secret }
}
