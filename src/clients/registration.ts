/** Registering and changing clients (RFC 7591, RFC 7592): over `/register`, the admin API and the CLI alike. */
import { type Askable, limitScope, listOwnerPermissions } from '../access/permission.ts'
import type { Settings } from '../config/settings.ts'
import { hashText, makeSalt, makeSecret } from '../crypto/digest.ts'
import type { Vault } from '../crypto/wrap.ts'
import { listRegistrationNetworks } from '../http/address.ts'
import type { Client, ClientChange, Registration } from '../model/client.ts'
import { pickHeld } from '../model/client-change.ts'
import {
  type ClientId,
  clientIdCharacters,
  type Given,
  isChosenClientId,
  makeId,
} from '../model/ids.ts'
import type { Permissions } from '../model/resource.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { RegistrationQuota } from '../store/contract/client.ts'
import { storeLimits } from '../store/limits.ts'
import { refuseBuiltIn } from './command-line.ts'
import { deriveTypes, keepKnownTypes, type Registrable } from './grant-types.ts'
import { invalidMetadata } from './invalid.ts'
import { clientLimits } from './limits.ts'
import {
  type ClientMetadata,
  listSettled,
  mergeDisplay,
  mergeIdentity,
  mergeOpenid,
  parseChange,
  parseMetadata,
  type Registrar,
} from './metadata.ts'
import { clientSecretBasic } from './methods/client-secret.ts'
import { privateKeyJwt } from './methods/private-key-jwt.ts'
import {
  checkRegistration,
  checkUris,
  parseRequiredScope,
  pickDetailTypes,
  pickScope,
} from './rules.ts'
import { type ChangedClient, makeNewSecret, settleSecret } from './secrets.ts'

interface RegisteredBy {
  readonly by: Registrar
  readonly registries: Registrable
}

interface NewClientParts {
  readonly vault: Vault
  readonly settings: Pick<Settings, 'accessTokenSeconds' | 'refreshTokenSeconds' | 'demo'>
  readonly resources: Askable
}

export type RegistrationParts = Given & NewClientParts

/** Default values (RFC 7591 section 2). */
const makeDefaults = (by: Registrar, { settings, resources }: NewClientParts): Registration => ({
  name: 'Unnamed application',
  authenticationMethod: clientSecretBasic.name,
  redirectUris: [],
  grantTypes: ['authorization_code'],
  responseTypes: ['code'],
  scope: by === 'operator' ? listOwnerPermissions(resources.list()) : [],
  requiredScope: [],
  accessTokenSeconds: settings.accessTokenSeconds,
  refreshTokenSeconds: settings.refreshTokenSeconds,
  trusted: false,
  mayIntrospect: false,
  disabled: false,
  display: {},
  openid: {},
  identity: {},
})

/** Metadata over the earlier values; the record is built from known members only. */
const mergeMetadata = (
  metadata: ClientMetadata,
  before: Registration,
  { by, registries }: RegisteredBy,
  { settings, resources }: NewClientParts,
): Registration => {
  const { scope: asked, access_token_seconds: seconds } = metadata
  const scope = asked === undefined ? before.scope : pickScope(asked, by, resources)
  const registration: Registration = {
    name: metadata.client_name ?? before.name,
    authenticationMethod: metadata.token_endpoint_auth_method ?? before.authenticationMethod,
    redirectUris: metadata.redirect_uris ?? before.redirectUris,
    ...deriveTypes(
      by === 'itself' ? keepKnownTypes(metadata, registries) : metadata,
      before,
      registries,
    ),
    scope,
    requiredScope:
      metadata.required_scope === undefined
        ? before.requiredScope
        : parseRequiredScope(metadata.required_scope, scope, resources),
    accessTokenSeconds: seconds === undefined ? before.accessTokenSeconds : seconds,
    refreshTokenSeconds: metadata.refresh_token_seconds ?? before.refreshTokenSeconds,
    trusted: metadata.trusted ?? before.trusted,
    mayIntrospect: metadata.may_introspect ?? before.mayIntrospect,
    disabled: metadata.disabled ?? before.disabled,
    display: mergeDisplay(metadata, before.display),
    openid: mergeOpenid(pickDetailTypes(metadata, by, resources), before.openid),
    identity: mergeIdentity(metadata, before.identity),
  }
  return checkRegistration(registration, by, registries, settings.demo)
}

const parseChosenId = (id: string): ClientId => {
  refuseBuiltIn(id)
  if (isChosenClientId(id)) return id as ClientId
  throw invalidMetadata(
    'bad_client_id',
    `client_id has to be 1 to ${clientIdCharacters.word} letters, digits or any of ._-, unlike generated ids, or a normal https URL of at most ${clientIdCharacters.url} characters`,
  )
}

/**
 * A client out of metadata, not stored yet. Its secret is null where its method needs none. Shown once: only
 * digests are kept. A registration token manages the registration (RFC 7592) of a client that registers itself.
 *
 * @throws Refusal `invalid_redirect_uri`, `invalid_client_metadata`
 */
export const makeClient = (
  given: Readonly<Record<string, unknown>>,
  registrar: RegisteredBy & { readonly id?: string; readonly secret?: string },
  parts: RegistrationParts,
) => {
  const metadata = parseMetadata(given, registrar.by)
  const usual = makeDefaults(registrar.by, parts)
  // With a platform, a client needs no secret.
  const hasPlatform = (metadata.federated_credentials ?? null) !== null
  const defaults = hasPlatform ? { ...usual, authenticationMethod: privateKeyJwt.name } : usual
  const registration = mergeMetadata(metadata, defaults, registrar, parts)
  const registrationToken = registrar.by === 'itself' ? makeSecret('lk_reg_', parts.random) : null
  const id = registrar.id === undefined ? makeId<ClientId>(parts) : parseChosenId(registrar.id)
  const { registries, secret: chosen } = registrar
  const { secret, kept } = makeNewSecret({ ...registration, id }, registries, parts, chosen)
  const client: Client = {
    ...registration,
    id,
    ...kept,
    scopeLimits: registrar.by === 'operator',
    oldSecret: null,
    setByOperator: [],
    registeredBy: registrar.by,
    registrationDigest: registrationToken === null ? null : hashText(registrationToken),
    salt: makeSalt(parts.random),
    familySalt: '',
    shortened: null,
    hasEndings: false,
    createdAt: Math.floor(parts.clock() / 1000),
  }
  return { client, secret, registrationToken }
}

/** Whether anything is to be changed: the salt alone changes nothing. */
export const isChange = ({ newSalt: _, ...members }: ClientChange): boolean =>
  Object.keys(members).length > 0

/** What an operator has taken from a client it cannot give back to itself. Words are never taken from it. */
const limitRegistration = (scope: Permissions, wanted: Registration): Registration => {
  const left = limitScope(wanted.scope, scope)
  if (left.length > 0)
    return { ...wanted, scope: left, requiredScope: limitScope(wanted.requiredScope, left) }
  throw invalidMetadata(
    'scope_beyond_registration',
    'scope has to lie within what the client is registered for',
  )
}

const tooManyUris = (): Refusal =>
  new Refusal(
    'invalid_redirect_uri',
    'too_many_redirect_uris',
    `add_redirect_uris: a client has at most ${storeLimits.redirectUris} redirect URIs`,
  )

/** Whether redirect URIs were added, as others may have been meanwhile. @throws Refusal `invalid_redirect_uri` */
export const checkAdded = ({ addedRedirectUris = [] }: ClientChange, after: Client): void => {
  if (addedRedirectUris.some((uri) => !after.redirectUris.includes(uri))) throw tooManyUris()
}

const selectNewUris = (added: readonly string[], named: readonly string[]): readonly string[] => {
  checkUris(added, 'add_redirect_uris')
  const missing = added.filter((uri) => !named.includes(uri))
  const count = named.length + missing.length
  if (missing.length > 0 && count > storeLimits.redirectUris) throw tooManyUris()
  return missing
}

/** Members in an operator's change that were not the operator's before. A scope becomes a limit. */
const listNewlyHeld = (
  { registeredBy, setByOperator, scopeLimits }: Client,
  given: Readonly<Record<string, unknown>>,
): Pick<ClientChange, 'setByOperator' | 'scopeLimits'> => {
  const named = listSettled(given).filter((name) => !setByOperator.includes(name))
  return {
    ...(registeredBy === 'operator' || named.length === 0 ? {} : { setByOperator: named }),
    ...(scopeLimits || given.scope === undefined ? {} : { scopeLimits: true }),
  }
}

/** @throws Refusal `invalid_client_metadata` for a client that is no metadata document */
const makePinChange = (
  { document, pinned: before = false }: Client,
  pinned: boolean | undefined,
): Pick<ClientChange, 'pinned'> => {
  if (pinned === undefined) return {}
  if (document !== undefined) return pinned === before ? {} : { pinned }
  throw invalidMetadata('not_a_document', 'pinned is for clients that are metadata documents')
}

/**
 * The change from metadata. An operator changes only the named members. A client itself replaces
 * all of them (RFC 7592 section 2.2), except for the operator's.
 *
 * @throws Refusal `invalid_redirect_uri`, `invalid_client_metadata`
 */
export const makeClientChange = (
  client: Client,
  given: Readonly<Record<string, unknown>>,
  registrar: RegisteredBy,
  parts: RegistrationParts,
): ChangedClient => {
  refuseBuiltIn(client.id, given)
  const { accessTokenSeconds, refreshTokenSeconds, trusted, mayIntrospect, disabled } = client
  const { identity } = client
  const terms = {
    ...{ accessTokenSeconds, refreshTokenSeconds, trusted, mayIntrospect, disabled },
    identity,
  }
  const scope = client.scopeLimits ? client.scope : []
  const own = { ...makeDefaults('itself', parts), scope, ...terms, ...pickHeld(client) }
  const before = registrar.by === 'operator' ? client : own
  const {
    add_redirect_uris: added = [],
    pinned,
    keep_ways_in: _ways,
    ...metadata
  } = parseChange(given, registrar.by)
  const named = metadata.redirect_uris ?? before.redirectUris
  const missing = selectNewUris(added, named)
  const all = { ...metadata, redirect_uris: [...named, ...missing] }
  const wanted = mergeMetadata(all, before, registrar, parts)
  const isFree = registrar.by === 'operator' || !client.scopeLimits
  const after = isFree ? wanted : limitRegistration(client.scope, wanted)
  const differing = Object.entries(after).filter(
    ([member, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(client, member)),
  )
  const { change, secret } = settleSecret(client, after, registrar.registries, parts)
  const held = registrar.by === 'operator' ? listNewlyHeld(client, given) : {}
  const pin = makePinChange(client, pinned)
  const members: ClientChange = { ...Object.fromEntries(differing), ...change, ...held, ...pin }
  if (missing.length === 0 || metadata.redirect_uris !== undefined)
    return { change: members, secret }
  // Others may be added at this very moment, so the list as it was seen is not sent along.
  const { redirectUris: _, ...others } = members
  return { change: { ...others, addedRedirectUris: missing }, secret }
}

/** The demo counts no networks: everybody there is on this machine. */
export const getQuota = (
  address: string,
  { settings }: { readonly settings: Settings },
): RegistrationQuota => {
  const { demo, registrationsPerNetwork, registrationsInTotal } = settings
  const { registrationsOfNetwork: times } = clientLimits
  const perWindow = listRegistrationNetworks(address).map(({ key, bits }) => ({
    network: key,
    most: registrationsPerNetwork * times[bits],
  }))
  const widest = perWindow.at(-1)
  if (demo || widest === undefined) {
    return { perWindow: [], share: null, mostInTotal: registrationsInTotal }
  }
  const { network, most } = widest
  // At least as many as may come in an hour.
  const share = Math.max(most, Math.ceil(registrationsInTotal * times.share))
  return { perWindow, share: { network, most: share }, mostInTotal: registrationsInTotal }
}
