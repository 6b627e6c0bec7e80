/** The members of a client as the fields of a form: what is typed becomes metadata, and back. */
import { digest } from '../crypto/digest.ts'
import type { Client } from '../model/client.ts'
import type { MemberKind } from '../protocol/members.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { describeForOperator } from './describe.ts'

/** The members that an operator sets, by their place in the form. */
export const formMembers = {
  main: {
    client_name: 'text',
    redirect_uris: 'lines',
    grant_types: 'lines',
    response_types: 'lines',
    token_endpoint_auth_method: 'text',
    scope: 'text',
    required_scope: 'text',
    required_scope_reason: 'text',
  },
  rights: {
    access_token_seconds: 'lifetime',
    refresh_token_seconds: 'number',
    trusted: 'flag',
    may_introspect: 'flag',
    disabled: 'flag',
    pinned: 'flag',
  },
  about: {
    client_uri: 'text',
    logo_uri: 'text',
    tos_uri: 'text',
    policy_uri: 'text',
    contacts: 'lines',
    initiate_login_uri: 'text',
    introspection_signed_response_alg: 'text',
    software_id: 'text',
    software_version: 'text',
    application_type: 'text',
  },
  openid: {
    id_token_signed_response_alg: 'text',
    subject_type: 'text',
    sector_identifier_uri: 'text',
    default_max_age: 'number',
    require_auth_time: 'flag',
    default_acr_values: 'lines',
    post_logout_redirect_uris: 'lines',
    backchannel_logout_uri: 'text',
    backchannel_logout_session_required: 'flag',
    frontchannel_logout_uri: 'text',
    frontchannel_logout_session_required: 'flag',
  },
  keys: {
    jwks: 'json',
    jwks_uri: 'text',
    request_uris: 'lines',
    request_object_signing_alg: 'text',
    require_signed_request_object: 'flag',
    id_token_encrypted_response_alg: 'text',
    id_token_encrypted_response_enc: 'text',
    userinfo_signed_response_alg: 'text',
    userinfo_encrypted_response_alg: 'text',
    userinfo_encrypted_response_enc: 'text',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, MemberKind>>>>

export type FormGroup = keyof typeof formMembers

export const kinds: Readonly<Record<string, MemberKind>> = Object.assign(
  {},
  ...Object.values(formMembers),
)

/** The values of the fields, as text; a ticked flag is `1`. */
export type FieldTexts = Readonly<Record<string, string>>

const written = (value: unknown, kind: MemberKind): string => {
  if (kind === 'lifetime' && value === null) return 'unlimited'
  if (value === undefined || value === null) return ''
  if (kind === 'flag') return value === true ? '1' : ''
  if (kind === 'json') return JSON.stringify(value, null, 2)
  return Array.isArray(value) ? value.join('\n') : String(value)
}

export const fieldsOf = (client: Client): FieldTexts => {
  const described: Readonly<Record<string, unknown>> = describeForOperator(client)
  return Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, written(described[name], kind)]),
  )
}

/** The fields as a browser sent them. Browsers end lines with a return and a line feed. */
export const fieldsIn = (form: Parameters): FieldTexts =>
  Object.fromEntries(
    Object.keys(kinds).map((name) => [
      name,
      (form.find(name) ?? '').replaceAll('\r\n', '\n').trim(),
    ]),
  )

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const numberIn = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text)

/** A value that breaks a rule stays as it is: the rules of the admin API refuse it. */
const typedValue = (text: string, kind: MemberKind): unknown => {
  switch (kind) {
    case 'lines':
      return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
    case 'flag':
      return text === '1'
    case 'lifetime':
      return text === 'unlimited' ? null : numberIn(text)
    case 'number':
      return numberIn(text)
    case 'json':
      return jsonIn(text)
    case 'text':
      return text
  }
}

/** These have no value for `none`: an empty one is refused or stands for itself. */
const neverNull = [
  'client_name',
  'redirect_uris',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
  'scope',
  'required_scope',
  'refresh_token_seconds',
  'access_token_seconds',
]

const changedValue = (name: string, text: string, kind: MemberKind): unknown =>
  text === '' && kind !== 'flag' && !neverNull.includes(name) ? null : typedValue(text, kind)

/** Metadata of a new client: empty fields are left out. */
export const metadataIn = (fields: FieldTexts): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(kinds)
      .filter(([name]) => (fields[name] ?? '') !== '')
      .map(([name, kind]) => [name, typedValue(fields[name] ?? '', kind)]),
  )

/** Tells the values of two moments apart: a form of old values must not undo a newer change. */
export const versionOf = (fields: Readonly<Record<string, string>>): string =>
  digest(JSON.stringify(Object.entries(fields))).slice(0, 16)

/** Metadata of a change: the fields with another value than before. */
export const changesIn = (
  fields: FieldTexts,
  before: FieldTexts,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(kinds)
      .filter(([name]) => fields[name] !== before[name])
      .map(([name, kind]) => [name, changedValue(name, fields[name] ?? '', kind)]),
  )

/** The first field in the words of a refusal. Null for none. */
export const fieldNamedIn = (description: string): string | null => {
  const words = description.split(/[^a-z_]+/)
  return words.find((word) => Object.hasOwn(kinds, word)) ?? null
}
