/** The token formats of the service; a further one is one file and one entry. */

import type { AccessToken } from '../../model/token.ts'
import type { Parts } from '../../parts.ts'
import type { ClaimedAccessToken, TokenFormat } from './format.ts'
import { opaque } from './opaque.ts'

export const tokenFormats: readonly TokenFormat[] = [opaque]

/** The parts that write and read access tokens. */
export interface FormatParts extends Pick<Parts, 'keyring'> {
  readonly registries: { readonly tokenFormats: readonly TokenFormat[] }
}

export const writeAccessToken = (
  token: AccessToken,
  salt: string,
  { registries, keyring }: FormatParts,
): string => {
  const format = registries.tokenFormats.findLast((known) => known.takes(token)) ?? opaque
  return format.write(token, salt, keyring)
}

/** Null where a text is in none of the formats. */
export const claimedAccessToken = (
  text: string,
  { registries }: FormatParts,
): ClaimedAccessToken | null => {
  for (const format of registries.tokenFormats) {
    const claimed = format.read(text)
    if (claimed !== null) return claimed
  }
  return null
}
