/** The members of a registration about keys, request objects and encrypted answers, and their rules. */
import type { Client } from '../model/client.ts'
import {
  contentEncryptions,
  jwsAlgorithms,
  keyEncryptions,
  type PublicKey,
  requestObjectAlgorithms,
} from '../model/key.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Z } from '../protocol/schema.ts'
import { keySetWords, keysIn } from './key-set.ts'
import { clientKeyLimits } from './limits.ts'
import { fetchable } from './subject-metadata.ts'

const oneOf = <Name extends string>(z: Z, names: readonly [Name, ...Name[]]) =>
  z.enum(names).nullish().describe(names.join(', '))

const keySet = (z: Z) =>
  z
    .custom<{ readonly keys: readonly PublicKey[] }>((given) => keysIn(given, 'refused') !== null)
    .transform((given) => {
      const keys = keysIn(given, 'refused') ?? []
      return keys.length === 0 ? null : { keys }
    })
    .nullish()
    .describe(keySetWords)

export const keyMembers = (z: Z) => ({
  jwks: keySet(z),
  jwks_uri: fetchable(z),
  request_uris: z
    .array(fetchable(z).unwrap().unwrap())
    .max(clientKeyLimits.requestUris)
    .nullish()
    .describe(`a list of at most ${clientKeyLimits.requestUris} https URLs`),
  request_object_signing_alg: oneOf(z, requestObjectAlgorithms),
  require_signed_request_object: z.boolean().nullish().describe('true or false'),
  id_token_encrypted_response_alg: oneOf(z, keyEncryptions),
  id_token_encrypted_response_enc: oneOf(z, contentEncryptions),
  userinfo_signed_response_alg: oneOf(z, jwsAlgorithms),
  userinfo_encrypted_response_alg: oneOf(z, keyEncryptions),
  userinfo_encrypted_response_enc: oneOf(z, contentEncryptions),
})

const invalid = (reason: string, description: string): Refusal =>
  new Refusal('invalid_client_metadata', reason, description)

/** Each of them needs a key of the client. */
const needingKeys = [
  'id_token_encrypted_response_alg',
  'userinfo_encrypted_response_alg',
  'require_signed_request_object',
] as const

/** @throws Refusal `invalid_client_metadata` */
export const checkKeys = ({ openid }: Pick<Client, 'openid'>): void => {
  const { jwks, jwks_uri: uri } = openid
  if (jwks !== undefined && uri !== undefined) {
    throw invalid('two_key_sets', 'jwks and jwks_uri exclude each other')
  }
  for (const what of ['id_token', 'userinfo'] as const) {
    const [alg, enc] = [`${what}_encrypted_response_alg`, `${what}_encrypted_response_enc`] as const
    if (openid[enc] === undefined || openid[alg] !== undefined) continue
    throw invalid('encryption_without_alg', `${enc} needs ${alg}`)
  }
  if (jwks !== undefined || uri !== undefined) return
  const needing = needingKeys.find((name) => (openid[name] ?? false) !== false)
  if (needing === undefined) return
  throw invalid('missing_keys', `${needing} needs the keys of the client: jwks or jwks_uri`)
}
