/** Which kind of credential a text claims to be, by its prefix: so that a refusal can name a mix-up. */

import { featureKinds } from '../features/kinds.ts'

const kinds = {
  lk_at_: 'an access token',
  lk_rt_: 'a refresh token',
  lk_ac_: 'an authorization code',
  lk_cs_: 'a client secret',
  lk_reg_: 'a registration access token',
  ...featureKinds,
} as const

type Prefix = keyof typeof kinds

const prefixes = Object.keys(kinds) as readonly Prefix[]

/** The kind of credential that a text claims to be; null for any other text. */
export const findKind = (text: string): string | null => {
  const found = prefixes.find((prefix) => text.startsWith(prefix))
  return found === undefined ? null : kinds[found]
}

/** Names the kind that came instead of `expected`; null for the right prefix, or an unknown one. */
export const findMixUp = (text: string, expected: Prefix): string | null => {
  const found = prefixes.find((prefix) => text.startsWith(prefix))
  if (found === undefined || found === expected) return null
  return `this is ${kinds[found]} (${found}...), but ${kinds[expected]} (${expected}...) belongs here`
}
