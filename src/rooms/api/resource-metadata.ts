/** Protected resource metadata (RFC 9728): which service hands out tokens for a resource, and how to send them. */

import { adminUri, resourceUri, uriOf } from '../../access/audience.ts'
import { ownerPermissions, withWords } from '../../access/permission.ts'
import { findResource } from '../../access/resources.ts'
import { type Answer, answerPublicJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { rawPath } from '../../http/request.ts'
import { english, textIn } from '../../model/language.ts'
import { adminPermissions, type Permissions, type Resource } from '../../model/resource.ts'
import { isTold, type OwnClaims, scopeWords } from '../../model/scope-word.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import type { MetadataFragment } from '../../route.ts'
import { basePath } from '../paths.ts'

const wellKnown = '/.well-known/oauth-protected-resource'

/** What a metadata document says of a resource. */
interface DescribedResource {
  readonly resource: string
  readonly name: string
  readonly scopes: Permissions
  readonly methods: readonly string[]
}

const isBuiltIn = ({ uri }: Resource): boolean => uri === null

const ofOwners = (
  resource: string,
  name: string,
  reached: readonly Resource[],
): DescribedResource => ({
  resource,
  name,
  scopes: ownerPermissions(reached),
  methods: ['header', 'body', 'query'],
})

/** The whole service, `/userinfo` included. */
const ofService = (
  issuer: string,
  builtIn: readonly Resource[],
  own: readonly OwnClaims[],
): DescribedResource => {
  const described = ofOwners(issuer, 'Latchkey', builtIn)
  const words = scopeWords(own).filter(isTold)
  return { ...described, scopes: withWords(described.scopes, words) }
}

const ofOperators = (issuer: string): DescribedResource => ({
  resource: adminUri(issuer),
  name: 'Latchkey admin API',
  scopes: adminPermissions,
  methods: ['header'],
})

/** @param path the path of the resource, below that of the issuer */
const findDescribed = (
  path: string,
  issuer: string,
  resources: readonly Resource[],
  own: readonly OwnClaims[],
): DescribedResource | null => {
  if (path === '') return ofService(issuer, resources, own)
  if (path === '/api') return ofOwners(`${issuer}/api`, 'Latchkey API', resources)
  if (path === '/admin/api') return ofOperators(issuer)
  const found = resources.find(({ name }) => path === `/api/${name}`)
  return found === undefined
    ? null
    : ofOwners(resourceUri(issuer, found.name), textIn(found.title, english), [found])
}

/** `GET /.well-known/oauth-protected-resource`, `.../api`, `.../api/:resource` and `.../admin/api` */
export const protectedResourceMetadata = async (
  exchange: Exchange,
  parts: ServiceParts,
): Promise<Answer> => {
  const { settings, resources } = parts
  const [, after = ''] = rawPath(exchange.request).split(wellKnown)
  const base = basePath(parts)
  const path = after.startsWith(base) ? after.slice(base.length) : after
  const [, name] = path.match(/^\/api\/(.+)$/) ?? []
  if (name !== undefined) await findResource(name, parts)
  const described = findDescribed(
    path,
    settings.issuer,
    resources.list().filter(isBuiltIn),
    resources.words,
  )
  if (described === null) {
    throw new Refusal('not_found', 'unknown_resource', 'there is no such resource')
  }
  return answerPublicJson({
    resource: described.resource,
    resource_name: described.name,
    authorization_servers: [settings.issuer],
    scopes_supported: described.scopes,
    bearer_methods_supported: described.methods,
  })
}

/** The other direction: which resources this service issues tokens for (RFC 9728 section 4). */
export const resourcesMetadata: MetadataFragment = ({ settings, resources }) => {
  const { issuer } = settings
  const named = resources.list().map((resource) => uriOf(resource, issuer))
  return { protected_resources: [issuer, `${issuer}/api`, ...named, adminUri(issuer)] }
}
