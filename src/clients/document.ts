/**
 * Reads a client ID metadata document (draft-ietf-oauth-client-id-metadata-document-02 section 4), and makes the
 * choices that it leaves (OpenID Connect Relying Party Metadata Choices 1.0).
 */
import { parseJsonObject } from '../http/body.ts'
import type { Answered } from '../http/outbound-exchange.ts'
import { type Client, type DocumentCopy, publicMethod, subjectTypes } from '../model/client.ts'
import type { ClientId } from '../model/ids.ts'
import { decodeUtf8 } from '../model/json.ts'
import {
  contentEncryptions,
  jwsAlgorithms,
  keyEncryptions,
  signatureAlgorithms,
} from '../model/key.ts'
import { Refusal } from '../protocol/refusal.ts'
import { listBeginning, listGrants, type Registrable } from './grant-types.ts'
import { invalidMetadata } from './invalid.ts'
import { makeClient, type RegistrationParts } from './registration.ts'
import { pickScope } from './rules.ts'

type DocumentMembers = Readonly<Record<string, unknown>>

/** The members to choose, and what is offered here. An `enc` stands behind the `alg` that it needs. */
const offers: Readonly<Record<string, readonly string[]>> = {
  subject_type: subjectTypes,
  id_token_signed_response_alg: jwsAlgorithms,
  userinfo_signed_response_alg: jwsAlgorithms,
  request_object_signing_alg: signatureAlgorithms,
  authorization_signed_response_alg: jwsAlgorithms,
  authorization_encrypted_response_alg: keyEncryptions,
  authorization_encrypted_response_enc: contentEncryptions,
  introspection_signed_response_alg: jwsAlgorithms,
  id_token_encrypted_response_alg: keyEncryptions,
  id_token_encrypted_response_enc: contentEncryptions,
  userinfo_encrypted_response_alg: keyEncryptions,
  userinfo_encrypted_response_enc: contentEncryptions,
}

/** `id_token_signing_alg_values_supported` is the list for `id_token_signed_response_alg`. */
const listOf = (member: string): string => {
  const name = member
    .replace('_signed_response_', '_signing_')
    .replace('_encrypted_response_', '_encryption_')
  return name === 'subject_type' ? 'subject_types_supported' : `${name}_values_supported`
}

const readNames = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** The members with each choice made. A list without an offered value changes nothing. */
const makeChoices = (given: DocumentMembers): DocumentMembers => {
  const hasKeys = (given.jwks ?? given.jwks_uri ?? null) !== null
  const members: Record<string, unknown> = { ...given }
  for (const [member, offered] of Object.entries(offers)) {
    const preferred = members[member]
    const found = readNames(members[listOf(member)]).find((name) => offered.includes(name))
    const isOffered = offered.some((name) => name === preferred)
    // Nothing is encrypted to a client without keys.
    const isUsable = offered !== keyEncryptions || hasKeys
    const isMeant =
      offered !== contentEncryptions || (members[member.replace(/enc$/, 'alg')] ?? null) !== null
    if (!isOffered && found !== undefined && isUsable && isMeant) members[member] = found
  }
  return members
}

const jsonType = /^application\/([a-z0-9!#$&^_.-]+\+)?json *(;|$)/i

/** A document is public, so a secret in it is none (section 4.1). */
const refuseSecrets = (members: DocumentMembers): void => {
  const secret = ['client_secret', 'client_secret_expires_at'].find((name) => name in members)
  if (secret === undefined) return
  throw invalidMetadata('document_secret', `${secret} must not be in a public document`)
}

/**
 * The preferred method of the document, or one of its list (OpenID Connect Relying Party Metadata
 * Choices 1.0). Documents have no secrets, and this service takes no keys from them yet.
 */
const checkMethod = (members: DocumentMembers): void => {
  const preferred = members.token_endpoint_auth_method ?? null
  const listed = readNames(members.token_endpoint_auth_methods_supported)
  const isSilent = preferred === null && listed.length === 0
  if (isSilent || preferred === publicMethod || listed.includes(publicMethod)) return
  throw invalidMetadata(
    'document_method',
    `token_endpoint_auth_method has to be ${publicMethod}, or token_endpoint_auth_methods_supported has to list it: this service takes no other method from a document`,
  )
}

/**
 * The known grant types and response types of public clients, in pairs that match.
 *
 * @throws Refusal where grant types are named, and none of them is for public clients
 */
const selectTypes = (members: DocumentMembers, known: Registrable): DocumentMembers => {
  const given = readNames(members.grant_types)
  const offered = listGrants(known).filter((type) => {
    const grant = known.grants.find((one) => one.type === type)
    return grant === undefined || grant.clients === 'any'
  })
  const grants = offered.filter((type) => given.includes(type))
  if (Array.isArray(members.grant_types) && grants.length === 0) {
    throw invalidMetadata('document_grants', `grant_types has to name one of ${offered.join(', ')}`)
  }
  const responses = known.responseTypes.filter(
    ({ type, grantTypes }) =>
      readNames(members.response_types).includes(type) &&
      (grants.length === 0 || grantTypes.every((grant) => grants.includes(grant))),
  )
  const beginning = listBeginning(known)
  const begun = responses.flatMap(({ grantTypes }) => grantTypes)
  const kept =
    responses.length === 0
      ? grants
      : grants.filter((type) => !beginning.includes(type) || begun.includes(type))
  return {
    ...(kept.length === 0 ? {} : { grant_types: kept }),
    ...(responses.length === 0 ? {} : { response_types: responses.map(({ type }) => type) }),
  }
}

const keepScope = ({ scope }: DocumentMembers, parts: RegistrationParts): DocumentMembers => {
  if (typeof scope !== 'string') return {}
  try {
    pickScope(scope, 'itself', parts.resources)
    return { scope }
  } catch (fault) {
    if (fault instanceof Refusal) return {}
    throw fault
  }
}

/** The members of a document, checked as far as documents have rules of their own. */
const readMembers = (id: string, { headers, body }: Answered): DocumentMembers => {
  if (!jsonType.test(headers.get('content-type') ?? '')) {
    throw invalidMetadata(
      'document_type',
      'its Content-Type has to be application/json or end in +json',
    )
  }
  const text = decodeUtf8(body)
  if (text === null) throw invalidMetadata('document_not_utf8', 'it is not UTF-8')
  const members = parseJsonObject(text)
  if (members.client_id !== id) {
    throw invalidMetadata(
      'document_client_id',
      'its client_id has to be its URL, character by character',
    )
  }
  for (const name of ['client_name', 'redirect_uris']) {
    if ((members[name] ?? null) === null) {
      throw invalidMetadata('document_member_missing', `${name} is missing`)
    }
  }
  refuseSecrets(members)
  checkMethod(members)
  return members
}

/**
 * The client that a document describes. The rules are those of a registration by a stranger. Unlike
 * there, an unknown grant type, response type or scope is never a fault.
 *
 * @throws Refusal with the fault of the document as its description
 */
export const makeDocumentClient = (
  id: ClientId,
  answer: Answered,
  copy: DocumentCopy,
  parts: RegistrationParts & { readonly registries: Registrable },
): Client => {
  const members = readMembers(id, answer)
  const choices = makeChoices(members)
  // Nobody signs here with the method that a document gets.
  const { scope, grant_types, response_types, token_endpoint_auth_signing_alg, ...others } = choices
  const given = {
    ...others,
    ...selectTypes(members, parts.registries),
    ...keepScope(members, parts),
    token_endpoint_auth_method: publicMethod,
  }
  const { client } = makeClient(given, { by: 'itself', registries: parts.registries }, parts)
  return { ...client, id, registrationDigest: null, document: copy }
}
