/** The challenge of an API (RFC 6750 section 3, RFC 9449 section 7.1), pointing at the resource's metadata (RFC 9728 section 5.1). */
import { type Answer, answerJson } from '../http/answer.ts'
import type { HttpRequest } from '../http/request.ts'
import { type Refusal, tellRefusal } from '../protocol/refusal.ts'
import { dpopAlgorithms } from './dpop-proof.ts'

/** Where the metadata of the resource at a path stands (RFC 9728 section 3.1). */
export const makeMetadataUrl = (issuer: string, path: string): string => {
  const { origin, pathname } = new URL(issuer)
  const base = pathname.replace(/\/$/, '')
  const [, area = '', name = ''] = path.slice(base.length).split('/')
  const isNamed = area === 'api' && /^[a-z][a-z0-9-]*$/.test(name)
  const isAdmin = area === 'admin' && name === 'api'
  const resource = isNamed || isAdmin ? `/${area}/${name}` : ''
  return `${origin}/.well-known/oauth-protected-resource${base}${resource}`
}

/** Where the metadata of a resource with a URL of its own stands (RFC 9728 section 3.1). */
export const makeOwnMetadataUrl = (resource: string): string => {
  const { origin, pathname, search } = new URL(resource)
  const path = pathname === '/' ? '' : pathname
  return `${origin}/.well-known/oauth-protected-resource${path}${search}`
}

/** What no parameter of a challenge may hold (RFC 6750 section 3). */
const unquotable = /[^\x20-\x21\x23-\x5b\x5d-\x7e]/g

/** What challenges point to. */
export interface Pointers {
  /** The URL of the resource's metadata; null without any. */
  readonly metadata: string | null
  /** The base of `error_uri`; null without one. */
  readonly errorUri: string | null
  /** With which the refusal can be explained later. */
  readonly reference?: string
}

/** The refusal as it is told to a request whose token came under DPoP: in that scheme (RFC 9449 section 7.1). */
export const followScheme = (
  refusal: Refusal,
  { headers }: Pick<HttpRequest, 'headers'>,
): Refusal =>
  /^dpop( |$)/i.test(headers.get('authorization') ?? '') ? refusal.challengeDpop() : refusal

/** The value of `WWW-Authenticate`. */
export const formatChallenge = (refusal: Refusal, { metadata, errorUri }: Pointers): string => {
  const parameters: [string, string][] = [
    ['realm', 'latchkey'],
    ...Object.entries(tellRefusal(refusal, errorUri)),
  ]
  if (refusal.scheme === 'DPoP') parameters.push(['algs', dpopAlgorithms.join(' ')])
  if (refusal.acrValues.length > 0) parameters.push(['acr_values', refusal.acrValues.join(' ')])
  if (refusal.maxAge !== null) parameters.push(['max_age', String(refusal.maxAge)])
  if (refusal.scope !== null) parameters.push(['scope', refusal.scope])
  if (metadata !== null) parameters.push(['resource_metadata', metadata])
  const quoted = parameters.map(([name, value]) => `${name}="${value.replace(unquotable, "'")}"`)
  return `${refusal.scheme} ${quoted.join(', ')}`
}

/** A whole answer with the challenge; the same is told in the body. */
export const answerChallenge = (refusal: Refusal, pointers: Pointers): Answer =>
  answerJson(tellRefusal(refusal, pointers.errorUri, pointers.reference), refusal.status, {
    ...([400, 401, 403].includes(refusal.status)
      ? { 'WWW-Authenticate': formatChallenge(refusal, pointers) }
      : {}),
    'Cache-Control': 'private, no-store',
    ...refusal.headers,
  })
