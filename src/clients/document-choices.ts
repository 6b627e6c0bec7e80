/**
 * Choices that a document leaves to this service (OpenID Connect Relying Party Metadata Choices 1.0). The
 * preferred value is taken where this service offers it, otherwise the first offered one of the list.
 */

import { subjectTypes } from '../model/client.ts'
import {
  contentEncryptions,
  jwsAlgorithms,
  keyEncryptions,
  requestObjectAlgorithms,
} from '../model/key.ts'

/** A document as it came. */
export type DocumentMembers = Readonly<Record<string, unknown>>

interface Choice {
  readonly member: string
  readonly list: string
  readonly offered: readonly string[]
  /** Another member, without which this one means nothing. */
  readonly needs?: string
}

const encryptionOf = (what: 'id_token' | 'userinfo'): readonly Choice[] => [
  {
    member: `${what}_encrypted_response_alg`,
    list: `${what}_encryption_alg_values_supported`,
    offered: keyEncryptions,
  },
  {
    member: `${what}_encrypted_response_enc`,
    list: `${what}_encryption_enc_values_supported`,
    offered: contentEncryptions,
    needs: `${what}_encrypted_response_alg`,
  },
]

/** In this order: the later ones may need the earlier ones. */
const choices: readonly Choice[] = [
  { member: 'subject_type', list: 'subject_types_supported', offered: subjectTypes },
  {
    member: 'id_token_signed_response_alg',
    list: 'id_token_signing_alg_values_supported',
    offered: jwsAlgorithms,
  },
  {
    member: 'userinfo_signed_response_alg',
    list: 'userinfo_signing_alg_values_supported',
    offered: jwsAlgorithms,
  },
  {
    member: 'request_object_signing_alg',
    list: 'request_object_signing_alg_values_supported',
    offered: requestObjectAlgorithms,
  },
  {
    member: 'introspection_signed_response_alg',
    list: 'introspection_signing_alg_values_supported',
    offered: ['RS256'],
  },
  ...encryptionOf('id_token'),
  ...encryptionOf('userinfo'),
]

/** The texts in a list of a document. */
export const namesIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** The members with each choice made. A list without an offered value changes nothing. */
export const withChoices = (given: DocumentMembers): DocumentMembers => {
  const hasKeys = (given.jwks ?? given.jwks_uri ?? null) !== null
  const members: Record<string, unknown> = { ...given }
  for (const { member, list, offered, needs } of choices) {
    const preferred = members[member]
    const found = namesIn(members[list]).find((name) => offered.includes(name))
    const isOffered = offered.some((name) => name === preferred)
    // Nothing is encrypted to a client without keys.
    const isUsable = offered !== keyEncryptions || hasKeys
    const isMeant = needs === undefined || (members[needs] ?? null) !== null
    if (!isOffered && found !== undefined && isUsable && isMeant) members[member] = found
  }
  return members
}
