/** Protected resource metadata (RFC 9728): which service hands out tokens for a resource, and how to send them. */

import { ownerPermissions } from '../access/permission.ts'
import { resourceUri } from '../access/resource-indicator.ts'
import type { Settings } from '../config/settings.ts'
import { type Answer, answerPublicJson } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { rawPath } from '../http/request.ts'
import type { Resource } from '../model/resource.ts'
import type { Parts } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import { basePath } from './paths.ts'

const wellKnown = '/.well-known/oauth-protected-resource'

/** What a metadata document is about: an identifier, a name and the resources that it reaches. */
interface Described {
  readonly resource: string
  readonly name: string
  readonly reached: readonly Resource[]
}

/** @param path the path of the resource, below that of the issuer */
const findDescribed = (path: string, { issuer, resources }: Settings): Described | null => {
  if (path === '') return { resource: issuer, name: 'Latchkey', reached: resources }
  if (path === '/api')
    return { resource: `${issuer}/api`, name: 'Latchkey API', reached: resources }
  const found = resources.find(({ name }) => path === `/api/${name}`)
  return found === undefined
    ? null
    : { resource: resourceUri(issuer, found.name), name: found.title.en, reached: [found] }
}

/** `GET /.well-known/oauth-protected-resource`, `.../api` and `.../api/:resource` */
export const protectedResourceMetadata = (exchange: Exchange, parts: Parts): Answer => {
  const { settings } = parts
  const [, after = ''] = rawPath(exchange.request).split(wellKnown)
  const base = basePath(parts)
  const path = after.startsWith(base) ? after.slice(base.length) : after
  const described = findDescribed(path, settings)
  if (described === null) {
    throw new Refusal('not_found', 'unknown_resource', 'there is no such resource')
  }
  return answerPublicJson({
    resource: described.resource,
    resource_name: described.name,
    authorization_servers: [settings.issuer],
    scopes_supported: ownerPermissions(described.reached),
    bearer_methods_supported: ['header', 'body', 'query'],
  })
}
