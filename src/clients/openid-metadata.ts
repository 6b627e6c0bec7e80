/** The members of a registration that are about OpenID Connect (OpenID Connect Registration section 2). */

import { jwsAlgorithms } from '../model/key.ts'
import type { Z } from '../protocol/schema.ts'
import { requestLimits } from '../requests/limits.ts'
import { storeLimits } from '../store/limits.ts'
import { keyMembers } from './key-metadata.ts'
import { clientLimits } from './limits.ts'
import { subjectMembers } from './subject-metadata.ts'

const algorithm = (z: Z) => z.enum(jwsAlgorithms).nullish().describe(jwsAlgorithms.join(', '))

const logoutUri = (z: Z) =>
  z
    .string()
    .max(requestLimits.redirectUriCharacters)
    .nullish()
    .describe(`a URL of at most ${requestLimits.redirectUriCharacters} characters`)

const flag = (z: Z) => z.boolean().nullish().describe('true or false')

/** An operator takes one back with `null`. */
export const openidMembers = (z: Z) => ({
  id_token_signed_response_alg: algorithm(z),
  post_logout_redirect_uris: z
    .array(z.string())
    .max(storeLimits.redirectUris)
    .transform((list) => [...new Set(list)])
    .nullish()
    .describe(`a list of at most ${storeLimits.redirectUris} URIs`),
  backchannel_logout_uri: logoutUri(z),
  backchannel_logout_session_required: flag(z),
  frontchannel_logout_uri: logoutUri(z),
  frontchannel_logout_session_required: flag(z),
  ...subjectMembers(z),
  ...keyMembers(z),
  default_max_age: z
    .int()
    .min(0)
    .max(clientLimits.lifetimeSeconds)
    .nullish()
    .describe(`a whole number of seconds up to ${clientLimits.lifetimeSeconds}`),
  require_auth_time: flag(z),
  default_acr_values: z
    .array(z.string().regex(/^[\x21-\x7e]{1,200}$/))
    .max(requestLimits.contexts)
    .nullish()
    .describe(`a list of at most ${requestLimits.contexts} words`),
})
