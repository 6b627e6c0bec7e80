/** The bearer challenge (RFC 6750 section 3), pointing at the resource's metadata (RFC 9728 section 5.1). */
import type { Refusal } from '../protocol/refusal.ts'

/** Where the metadata of the resource at a path stands (RFC 9728 section 3.1). */
export const metadataUrl = (issuer: string, path: string): string => {
  const { origin, pathname } = new URL(issuer)
  const base = pathname.replace(/\/$/, '')
  const [, area = '', name = ''] = path.slice(base.length).split('/')
  const resource = area === 'api' && /^[a-z][a-z0-9-]*$/.test(name) ? `/api/${name}` : ''
  return `${origin}/.well-known/oauth-protected-resource${base}${resource}`
}

/**
 * The value of `WWW-Authenticate`. Where no token came there is no `error`: whoever asked did not
 * know that one is needed (RFC 6750 section 3.1).
 */
export const bearerChallenge = (refusal: Refusal, issuer: string, path: string): string => {
  const parameters: [string, string][] = [['realm', 'latchkey']]
  if (refusal.reason !== 'missing_token') {
    parameters.push(['error', refusal.code], ['error_description', refusal.description])
  }
  if (refusal.scope !== null) parameters.push(['scope', refusal.scope])
  parameters.push(['resource_metadata', metadataUrl(issuer, path)])
  return `Bearer ${parameters.map(([name, value]) => `${name}="${value}"`).join(', ')}`
}
