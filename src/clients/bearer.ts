/** The bearer token of an `Authorization` header (RFC 6750 section 2.1). */
import { limits } from '../config/limits.ts'

/**
 * Null where there is no such header; '' where it holds something else than a bearer token, which
 * no token ever equals.
 */
export const bearerToken = (request: Request): string | null => {
  const header = request.headers.get('authorization')
  if (header === null) return null
  const [, token = ''] = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(header) ?? []
  return token.length > limits.tokenCharacters ? '' : token
}
