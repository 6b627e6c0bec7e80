/** Client metadata in a request (RFC 7591 section 2): its members and their values. */

import type { z } from 'zod'
import type { ClientDisplay, ClientIdentity, ClientOpenid } from '../model/client.ts'
import { groupLimits, isGroupName } from '../model/group.ts'
import { clientIdCharacters, isClientId } from '../model/ids.ts'
import { jwsAlgorithms } from '../model/key.ts'
import { parseMembers } from '../protocol/members.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import { defineKeptWays, makeSchema, type Z } from '../protocol/schema.ts'
import { parseWebUri } from '../protocol/web-uri.ts'
import { requestLimits } from '../requests/limits.ts'
import { assertionLimits, clientLimits } from './limits.ts'
import {
  boundedText,
  fetchable,
  isFetchable,
  oneOf,
  openidMembers,
  refuseTwoKeySets,
  uris,
  urisForm,
} from './openid-metadata.ts'

/** Who registers: an operator, or the client itself over `/register`. */
export type Registrar = 'operator' | 'itself'

/** Neither control characters nor halves of surrogate pairs, in which two different texts may look equal. */
const plain = /^[^\p{Cc}\p{Cs}]*$/u

const isWebUri = (text: string): boolean => {
  const url = /^https?:\/\/[^\s\p{Cc}\p{Cs}]+$/iu.test(text) ? parseWebUri(text) : null
  return url !== null && url.username === '' && url.password === ''
}

const webUri = (z: Z) => boundedText(z, 'an http or https URL', isWebUri)

const line = (z: Z, most: number = parameterLimits.textCharacters) =>
  z
    .string()
    .max(most)
    .regex(plain)
    .nullish()
    .describe(`text of at most ${most} characters without control characters`)

const credentialText = (z: Z) => z.string().min(1).max(parameterLimits.textCharacters).regex(plain)

const names = (z: Z) =>
  z
    .array(z.string().max(clientIdCharacters.word))
    .max(clientLimits.metadataEntries)
    .transform((list) => [...new Set(list)])
    .optional()

const flag = (z: Z) => z.boolean().optional().describe('true or false')

/** Kept as the client said it; an operator takes one back with `null`. */
const display = (z: Z) => ({
  client_uri: webUri(z),
  logo_uri: webUri(z),
  tos_uri: webUri(z),
  policy_uri: webUri(z),
  contacts: z
    .array(z.string().max(parameterLimits.textCharacters).regex(plain))
    .max(clientLimits.metadataEntries)
    .nullish()
    .describe(`a list of at most ${clientLimits.metadataEntries} addresses`),
  initiate_login_uri: boundedText(
    z,
    'an https URL',
    (text) => isWebUri(text) && /^https:/i.test(text),
  ),
  introspection_signed_response_alg: oneOf(z, jwsAlgorithms),
  software_id: line(z),
  software_version: line(z),
  application_type: z.enum(['native', 'web']).nullish().describe('native or web'),
  required_scope_reason: line(z, clientLimits.reasonCharacters),
})

const redirectUris = (z: Z) => uris(z).optional().describe(urisForm)

const claims = (z: Z) => ({
  client_name: z
    .string()
    .transform((name) => name.normalize('NFC').trim())
    .pipe(z.string().min(1).max(requestLimits.clientNameCharacters).regex(plain))
    .optional()
    .describe(
      `text of 1 to ${requestLimits.clientNameCharacters} characters without control characters`,
    ),
  redirect_uris: redirectUris(z),
  grant_types: names(z).describe('a list of grant types'),
  response_types: names(z).describe('a list of response types'),
  token_endpoint_auth_method: z
    .string()
    .optional()
    .describe('the name of a client authentication method'),
  scope: z.string().optional().describe('names separated by spaces'),
  required_scope: z.string().optional().describe('names separated by spaces'),
  ...display(z),
  ...openidMembers(z),
})

/** An empty list is none: it would be easy to take for "nobody". */
const groupNames = (z: Z, effect: string) =>
  z
    .array(
      z
        .string()
        .transform((name) => name.normalize('NFC'))
        .refine(isGroupName),
    )
    .min(1)
    .max(groupLimits.ofClient)
    .transform((list) => [...new Set(list)])
    .nullish()
    .describe(`a list of 1 to ${groupLimits.ofClient} names of groups, or null: ${effect}`)

/** Operators alone set them, and take one back with `null`. */
const identity = (z: Z) => ({
  accept_token_endpoint_audience: z
    .boolean()
    .nullish()
    .transform((is) => (is === false ? null : is))
    .describe('true or false'),
  federated_credentials: z
    .array(
      z
        .strictObject({
          issuer: credentialText(z),
          subject: credentialText(z),
          audience: credentialText(z),
          jwks_uri: fetchable(z).unwrap().unwrap().optional(),
        })
        .refine(({ issuer, jwks_uri: uri }) => uri !== undefined || isFetchable(issuer)),
    )
    .max(assertionLimits.credentials)
    .nullish()
    .transform((list) => (list?.length === 0 ? null : list))
    .describe(
      `a list of at most ${assertionLimits.credentials} objects of issuer, subject, audience and maybe jwks_uri; without jwks_uri the issuer is an https URL`,
    ),
  may_act: z
    .array(z.string().refine((text): boolean => isClientId(text)))
    .max(clientLimits.actors)
    .nullish()
    .transform((list) => (list?.length === 0 ? null : list))
    .describe(
      `a list of at most ${clientLimits.actors} client ids: these clients may exchange its tokens`,
    ),
  allowed_groups: groupNames(z, 'only owners in one of them may use it'),
  told_groups: groupNames(z, 'it is told of no others'),
})

const terms = (z: Z) => ({
  access_token_seconds: z
    .int()
    .min(1)
    .max(clientLimits.lifetimeSeconds)
    .nullish()
    .describe(`a whole number from 1 to ${clientLimits.lifetimeSeconds}, or null for unlimited`),
  refresh_token_seconds: z
    .int()
    .min(1)
    .max(clientLimits.lifetimeSeconds)
    .optional()
    .describe(`a whole number from 1 to ${clientLimits.lifetimeSeconds}`),
  trusted: flag(z),
  may_introspect: flag(z),
  disabled: flag(z),
  ...identity(z),
})

/** The forms of client metadata. The description of the API is made of them as well. */
export const clientForms = makeSchema((z) => ({
  display: display(z),
  openid: openidMembers(z),
  identity: identity(z),
  /** Unknown members of strangers are ignored (RFC 7591 section 2). */
  claims: z.object(claims(z)),
  /** An operator is told of a member that is not known: it may be a slip of the pen. */
  operator: z.strictObject({ ...claims(z), ...terms(z) }),
  operatorsChange: z.strictObject({
    ...claims(z),
    ...terms(z),
    add_redirect_uris: redirectUris(z),
    pinned: flag(z),
    keep_ways_in: defineKeptWays(z),
  }),
}))

type Schemas = ReturnType<typeof clientForms>

export type ClientMetadata = z.output<Schemas['claims']> & Partial<z.output<Schemas['operator']>>

const getCode = (member: string) =>
  member.endsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata'

/**
 * Reads client metadata, each member by itself; `registration.ts` checks them together. Only
 * members that this registrar may set come through.
 *
 * @throws Refusal `invalid_redirect_uri`, `invalid_client_metadata`
 */
export const parseMetadata = (
  given: Readonly<Record<string, unknown>>,
  by: Registrar,
): ClientMetadata => {
  refuseTwoKeySets(given)
  if (by === 'operator') return parseMembers(clientForms().operator, given, getCode)
  // RFC 7592 section 2.2: null is as good as absent.
  const said = Object.entries(given).filter(([, value]) => value !== null)
  return parseMembers(clientForms().claims, Object.fromEntries(said), getCode)
}

/**
 * The same for a change. An operator may name redirect URIs to add.
 *
 * @throws Refusal `invalid_redirect_uri`, `invalid_client_metadata`
 */
export const parseChange = (
  given: Readonly<Record<string, unknown>>,
  by: Registrar,
): ClientMetadata & {
  readonly add_redirect_uris?: readonly string[] | undefined
  readonly pinned?: boolean | undefined
  readonly keep_ways_in?: readonly string[] | undefined
} => {
  if (by === 'itself') return parseMetadata(given, by)
  refuseTwoKeySets(given)
  return parseMembers(clientForms().operatorsChange, given, getCode)
}

/** The ways to log in that a client keeps with permissions of the admin API. Null: nothing was said. */
export const readKeptWays = (given: Readonly<Record<string, unknown>>): readonly string[] | null =>
  parseChange(given, 'operator').keep_ways_in ?? null

/**
 * The client's own members that an operator's change settles. `scope` is missing: the operator's
 * scope is a bound, and the client may choose within it.
 */
export const listSettled = (given: Readonly<Record<string, unknown>>): readonly string[] => {
  const named = Object.keys(given).map((name) => name.replace(/^add_/, ''))
  return named.filter((name) => name !== 'scope' && name in clientForms().claims.shape)
}

/** The named members, over those that there were before. A member that is null goes. */
const mergeMembers = <Members extends object>(
  names: readonly string[],
  metadata: ClientMetadata,
  before: Members,
): Members => {
  const said = Object.entries(metadata).filter(([, value]) => value !== undefined)
  const given: Readonly<Record<string, unknown>> = { ...before, ...Object.fromEntries(said) }
  const left = names.map((name) => [name, given[name]] as const)
  return Object.fromEntries(left.filter(([, value]) => value != null)) as Members
}

export const mergeDisplay = (metadata: ClientMetadata, before: ClientDisplay): ClientDisplay =>
  mergeMembers(Object.keys(clientForms().display), metadata, before)

export const mergeOpenid = (metadata: ClientMetadata, before: ClientOpenid): ClientOpenid =>
  mergeMembers(Object.keys(clientForms().openid), metadata, before)

export const mergeIdentity = (metadata: ClientMetadata, before: ClientIdentity): ClientIdentity =>
  mergeMembers(Object.keys(clientForms().identity), metadata, before)
