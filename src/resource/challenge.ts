/** The bearer challenge (RFC 6750 section 3), pointing at the resource's metadata (RFC 9728 section 5.1). */
import { type Answer, answerJson } from '../http/answer.ts'
import type { Refusal } from '../protocol/refusal.ts'

/** Where the metadata of the resource at a path stands (RFC 9728 section 3.1). */
export const metadataUrl = (issuer: string, path: string): string => {
  const { origin, pathname } = new URL(issuer)
  const base = pathname.replace(/\/$/, '')
  const [, area = '', name = ''] = path.slice(base.length).split('/')
  const isNamed = area === 'api' && /^[a-z][a-z0-9-]*$/.test(name)
  const isAdmin = area === 'admin' && name === 'api'
  const resource = isNamed || isAdmin ? `/${area}/${name}` : ''
  return `${origin}/.well-known/oauth-protected-resource${base}${resource}`
}

/** What no parameter of a challenge may hold (RFC 6750 section 3). */
const unquotable = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/g

/**
 * The value of `WWW-Authenticate`. Where no token came there is no `error`: whoever asked did not
 * know that one is needed (RFC 6750 section 3.1).
 *
 * @param metadata where the resource's metadata stands, or null where it has none
 */
export const bearerChallenge = (refusal: Refusal, metadata: string | null): string => {
  const parameters: [string, string][] = [['realm', 'latchkey']]
  if (refusal.reason !== 'missing_token') {
    parameters.push(['error', refusal.code], ['error_description', refusal.description])
  }
  if (refusal.scope !== null) parameters.push(['scope', refusal.scope])
  if (metadata !== null) parameters.push(['resource_metadata', metadata])
  const quoted = parameters.map(([name, value]) => `${name}="${value.replace(unquotable, "'")}"`)
  return `Bearer ${quoted.join(', ')}`
}

/** A whole answer with the challenge; the same is told in the body. */
export const answerChallenge = (refusal: Refusal, metadata: string | null): Answer =>
  answerJson({ error: refusal.code, error_description: refusal.description }, refusal.status, {
    ...([400, 401, 403].includes(refusal.status)
      ? { 'WWW-Authenticate': bearerChallenge(refusal, metadata) }
      : {}),
    'Cache-Control': 'private, no-store',
    ...refusal.headers,
  })
