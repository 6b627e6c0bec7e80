/** The start of a simulation: the demo, clients with short-lived tokens, a second key. */

import { makeClient } from '../../src/clients/registration.ts'
import { readMembers } from '../../src/config/members.ts'
import { hashText, makeSalt } from '../../src/crypto/digest.ts'
import { createVault, getKeyPurpose, wrapKey } from '../../src/crypto/wrap.ts'
import { readTrustedIssuer } from '../../src/features/trusted-issuers/issuer.ts'
import { type ClientId, makeId, type OwnerId } from '../../src/model/ids.ts'
import { builtIn } from '../../src/registries.ts'
import { createServer } from '../../src/server.ts'
import type { Trace } from '../../src/store/contract/trace.ts'
import { createSqlStore } from '../../src/store/sql/sql-store.ts'
import { beginStep } from '../../src/store/sql/steps.ts'
import { keyMakers, makeKey } from '../../src/tokens/keys/kinds.ts'
import { sampleKey } from '../store/sample.ts'
import { backchannelGrant } from '../support/backchannel.ts'
import { deviceGrant } from '../support/devices.ts'
import { jwtBearerType } from '../support/issuers.ts'
import { callback } from '../support/printing.ts'
import { chanceOf } from './chance.ts'
import { simulatedPasswords, simulatedSettings } from './node.ts'
import type { Memory } from './shared-store.ts'
import { clientKeySet, issuerKeySet } from './signing.ts'

/** When every simulation begins. */
export const beginning = Date.UTC(2026, 10, 21, 12)

export interface SimulatedClient {
  readonly id: string
  /** Null: it signs. */
  readonly secret: string | null
  readonly redirectUri: string
  /** The grant type that it polls with, and the parameter with its code; null: it does not poll. */
  readonly polls: { readonly grant: string; readonly parameter: string } | null
}

const client = (
  id: string,
  secret: string | null = `${id}-secret`,
  polls: SimulatedClient['polls'] = null,
): SimulatedClient => ({ id, secret, redirectUri: callback, polls })

/**
 * `kiosk`: its access tokens live so briefly that they end while a simulation runs. `signer` pushes its
 * requests, asks in detail, and signs: assertions, and proofs of the key that its tokens are bound to.
 */
export const clients = [client('photo-printer'), client('kiosk'), client('signer', null)] as const

/** A device without a browser. */
const device = { grant: deviceGrant, parameter: 'device_code' }
export const screen = client('screen', 'screen-secret', device)

/** It asks owners who are elsewhere. `cash-desk` may do the same, and has nothing to do with its requests. */
const backchannel = { grant: backchannelGrant, parameter: 'auth_req_id' }
export const till = client('till', 'till-secret', backchannel)
export const otherTill = client('cash-desk', 'cash-desk-secret', backchannel)

/** It exchanges tokens of `photo-printer` and `kiosk`. */
export const helper = client('helper')

/** It names its grants, changes them and gives them back. */
export const bookkeeper = client('bookkeeper')

/** It follows the ends of tokens at `photos`. */
export const listener = client('nightly-report')

/** A company decides for its people what this client may do. */
export const notebook = client('notebook')
export const company = {
  id: 'acme',
  issuer: 'https://login.acme.example',
  title: 'Acme',
  owner: 'username',
  grants: ['jwt-bearer'],
  scope: 'photos',
} as const

const ofKiosk = {
  client_name: 'Kiosk',
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  access_token_seconds: 15,
  refresh_token_seconds: 40,
  may_act: ['helper'],
}

const ofScreen = {
  client_name: 'Screen',
  grant_types: [deviceGrant, 'refresh_token'],
  response_types: [],
}

const ofTill = {
  client_name: 'Checkout',
  grant_types: [backchannelGrant, 'refresh_token'],
  response_types: [],
}

const ofBookkeeper = {
  client_name: 'Bookkeeper',
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  response_types: ['code'],
  scope: 'photos contacts grant_management_query grant_management_revoke',
}

const ofNotebook = {
  client_name: 'Notebook',
  grant_types: [jwtBearerType],
  response_types: [],
  access_token_seconds: 20,
}

const ofSigner = {
  client_name: 'Signer',
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: clientKeySet,
  dpop_bound_access_tokens: true,
  require_pushed_authorization_requests: true,
}

export interface Person {
  readonly id: string
  readonly username: string
  readonly password: string
}

/** The second key comes into use while a simulation runs, at each node when its clock says so. */
const keyAfterSeconds = 25

/** Fills an empty database, at once and always in the same way. */
export const settle = async ({ query }: Memory): Promise<readonly Person[]> => {
  const chance = chanceOf(0, 'people')
  const clock = (): number => beginning
  const random = (bytes: number): Uint8Array => chance.bytes(bytes)
  const store = createSqlStore({
    read: async (sql, params) => query({ sql, params }),
    run: async (name, ...args) => {
      const step = beginStep({ name, args })
      let next = step.next([])
      while (!next.done) next = step.next(query(next.value))
      return next.value as never
    },
    readsWait: false,
    close: async () => {},
  })
  const resources = { list: () => simulatedSettings.resources, words: [] }
  const parts = { clock, random, settings: simulatedSettings, resources }
  const at = beginning / 1000
  const trace = (): Trace => ({
    eventId: makeId(parts),
    at,
    requestId: null,
    actor: { type: 'service' },
  })
  await createServer({
    clock,
    random,
    settings: simulatedSettings,
    store,
    passwords: simulatedPasswords,
    tell: () => {},
  })
  const vault = createVault({ inForce: () => null, known: [] }, random)
  const register = async (
    metadata: Readonly<Record<string, unknown>>,
    id: string,
    secret: string | null,
  ) => {
    const by = { by: 'operator', id, registries: builtIn } as const
    const { client: made } = makeClient(metadata, by, { ...parts, vault })
    const digest = secret === null ? {} : { secretDigest: hashText(secret) }
    await store.createClient({ ...made, ...digest }, trace())
  }
  await register(ofKiosk, 'kiosk', 'kiosk-secret')
  await register(ofSigner, 'signer', null)
  await register(ofScreen, screen.id, screen.secret)
  await register(ofTill, till.id, till.secret)
  await register(ofNotebook, notebook.id, notebook.secret)
  await register(ofBookkeeper, bookkeeper.id, bookkeeper.secret)
  const trusted = readMembers({ ...company, jwks: issuerKeySet }, '/', readTrustedIssuer)
  await store.createTrustedIssuer(trusted, 1, trace(), false)
  const following = { introspectionClients: [listener.id as ClientId] }
  await store.changeResource('photos', following, trace())
  const printer = 'photo-printer' as ClientId
  const acting = { identity: { may_act: [helper.id] }, newSalt: makeSalt(random) }
  await store.changeClient(printer, acting, trace())
  // Made while a simulation runs, it would take a time of its own on another thread.
  const maker = keyMakers.find(({ algorithm }) => algorithm === 'ES256')
  if (maker === undefined) throw new Error('there is no key to sign with')
  await store.addKey(await makeKey(maker, at, at, vault, parts), 0, trace())
  const usableFrom = at + keyAfterSeconds
  const wrapped = wrapKey(random(32), null, random(12), getKeyPurpose('sealing'))
  await store.addKey(
    { ...sampleKey('second', usableFrom), wrapped, createdAt: at },
    usableFrom,
    trace(),
  )
  const people = [
    { username: 'alice', password: 'wonderland' },
    { username: 'bob', password: 'builder' },
  ]
  return Promise.all(
    people.map(async (person) => {
      const owner = await store.findOwnerByName(person.username)
      const id: OwnerId | undefined = owner?.id
      if (id === undefined) throw new Error(`${person.username} is not there`)
      return { ...person, id }
    }),
  )
}
