/** Refusals in the form of SCIM (RFC 7644 section 3.12). */
import { answerJson } from '../../http/answer.ts'
import type { HttpRequest } from '../../http/request.ts'
import { Refusal, type RefusalDetails } from '../../protocol/refusal.ts'
import { formatChallenge, makeOwnMetadataUrl } from '../../resource/challenge.ts'
import type { WriteRefusal } from '../../route.ts'
import { scimApi } from './api.ts'

/** The `scimType` of each reason. Other refusals have none. */
const types: Readonly<Record<string, string>> = {
  scim_bad_filter: 'invalidFilter',
  scim_bad_path: 'invalidPath',
  scim_bad_value: 'invalidValue',
  scim_bad_syntax: 'invalidSyntax',
  scim_read_only: 'mutability',
  scim_no_target: 'noTarget',
  scim_too_many: 'tooMany',
  scim_taken: 'uniqueness',
  bad_json: 'invalidSyntax',
  json_too_deep: 'invalidSyntax',
  json_not_object: 'invalidSyntax',
}

const refuse =
  (reason: string, details: RefusalDetails = {}) =>
  (said: string): Refusal =>
    new Refusal('invalid_request', reason, said, details)

export const badFilter = refuse('scim_bad_filter')
export const badPath = refuse('scim_bad_path')
export const badValue = refuse('scim_bad_value')
export const badSyntax = refuse('scim_bad_syntax')
export const readOnly = refuse('scim_read_only')
export const noTarget = refuse('scim_no_target')
export const tooMany = refuse('scim_too_many')
export const unsupported = refuse('scim_unsupported', { status: 501 })

/** A value as text: some senders write numbers and booleans for texts. Null for none. @throws Refusal `invalidValue` */
export const readWord = (given: unknown, name: string): string | null => {
  if (given === undefined || given === null) return null
  if (typeof given === 'string') return given
  if (typeof given === 'number' || typeof given === 'boolean') return String(given)
  throw badValue(`${name} has to be a text`)
}

export const taken = (said: string): Refusal => new Refusal('conflict', 'scim_taken', said)

export const unknownResource = (): Refusal =>
  new Refusal('not_found', 'scim_unknown_resource', 'the client has no resource with this id')

/** The type that the sender prefers: some know `application/json` alone (RFC 7644 section 3.8). */
export const pickType = ({ headers }: HttpRequest): string => {
  const accepted = headers.get('accept') ?? ''
  const isPlain = /application\/json/i.test(accepted) && !/scim\+json/i.test(accepted)
  return isPlain ? 'application/json' : 'application/scim+json'
}

export const writeScimRefusal: WriteRefusal = (refusal, { request }, { issuer, errorUri }) => {
  const { status, reason, description, headers } = refusal
  const type = reason.startsWith('bad_') && status === 400 ? 'invalidValue' : undefined
  const scimType = types[reason] ?? type
  const metadata = makeOwnMetadataUrl(issuer + scimApi.path)
  const challenge = [401, 403].includes(status)
    ? { 'WWW-Authenticate': formatChallenge(refusal, { metadata, errorUri }) }
    : {}
  const body = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: description,
  }
  return answerJson(body, status, { 'Content-Type': pickType(request), ...challenge, ...headers })
}
