/** The token formats of the service; a further one is one file and one entry. */

import type { AccessToken } from '../../model/token.ts'
import type { ClaimedAccessToken, TokenFormat, TokenHolder, WritingParts } from './format.ts'
import { jwt } from './jwt.ts'
import { opaque } from './opaque.ts'

export const tokenFormats: readonly TokenFormat[] = [opaque, jwt]

export interface FormatParts extends WritingParts {
  readonly registries: { readonly tokenFormats: readonly TokenFormat[] }
}

/** An access token as it is handed out. */
interface WrittenToken {
  readonly text: string
  /** Unix seconds; null = unlimited. */
  readonly expiresAt: number | null
}

export const writeAccessToken = async (
  token: AccessToken,
  holder: TokenHolder,
  parts: FormatParts,
): Promise<WrittenToken> => {
  const { tokenFormats: formats } = parts.registries
  const format = formats.findLast((known) => known.takes(token, parts)) ?? opaque
  const expiresAt =
    format.endOf === undefined ? token.expiresAt : await format.endOf(token, holder, parts)
  const ended = expiresAt === token.expiresAt ? token : { ...token, expiresAt }
  return { text: await format.write(ended, holder, parts), expiresAt }
}

/** Null where a text is in none of the formats. */
export const claimedAccessToken = async (
  text: string,
  parts: FormatParts,
): Promise<ClaimedAccessToken | null> => {
  for (const format of parts.registries.tokenFormats) {
    const claimed = await format.read(text, parts)
    if (claimed !== null) return claimed
  }
  return null
}
