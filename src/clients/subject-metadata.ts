/** The members of a registration about subjects (OpenID Connect Registration section 2). */
import { isLoopback } from '../config/issuer.ts'
import { subjectTypes } from '../model/client.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import type { Z } from '../protocol/schema.ts'
import { parseWebUri } from '../protocol/web-uri.ts'

/** Plain http reaches this machine alone, and only in the demo. */
const isFetchable = (text: string): boolean => {
  const url = /^[^\s\p{Cc}\p{Cs}]+$/u.test(text) ? parseWebUri(text) : null
  if (url === null || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || isLoopback(url.hostname)
}

/** A URL that this service fetches. */
export const fetchable = (z: Z) =>
  z
    .string()
    .max(parameterLimits.textCharacters)
    .refine(isFetchable)
    .nullish()
    .describe(`an https URL of at most ${parameterLimits.textCharacters} characters`)

export const subjectMembers = (z: Z) => ({
  subject_type: z.enum(subjectTypes).nullish().describe(subjectTypes.join(' or ')),
  sector_identifier_uri: fetchable(z),
})
