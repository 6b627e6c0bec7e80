/** Protected resource metadata (RFC 9728): which service hands out tokens for a resource, and how to send them. */

import { adminUri, resourceUri, uriOf } from '../../access/audience.ts'
import { ownerPermissions, withWords } from '../../access/permission.ts'
import { answerPublicJson } from '../../http/answer.ts'
import { rawPath } from '../../http/request.ts'
import { english, textIn } from '../../model/language.ts'
import { adminPermissions, type Permissions, type Resource } from '../../model/resource.ts'
import { isTold, type OwnClaims, scopeWords } from '../../model/scope-word.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { type Handler, type MetadataFragment, published, type RouteRow } from '../../route.ts'
import { basePath } from '../paths.ts'
import type { ApiNeeds } from './needs.ts'

const wellKnown = '/.well-known/oauth-protected-resource'

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

/** The other direction: which resources this service issues tokens for (RFC 9728 section 4). */
const resourcesMetadata: MetadataFragment = ({ settings, resources }) => {
  const { issuer } = settings
  const named = resources.list().map((resource) => uriOf(resource, issuer))
  return { protected_resources: [issuer, `${issuer}/api`, ...named, adminUri(issuer)] }
}

export const openResourceMetadata = (needs: ApiNeeds): readonly RouteRow[] => {
  const { resources } = needs
  const { issuer } = needs.settings
  const base = basePath(needs)

  const show: Handler = async ({ request }) => {
    const [, after = ''] = rawPath(request).split(wellKnown)
    const path = after.startsWith(base) ? after.slice(base.length) : after
    const [, name] = path.match(/^\/api\/(.+)$/) ?? []
    if (name !== undefined) await resources.look(name)
    const builtIn = resources.list().filter(isBuiltIn)
    const described = findDescribed(path, issuer, builtIn, resources.words)
    if (described === null) {
      throw new Refusal('not_found', 'unknown_resource', 'there is no such resource')
    }
    return answerPublicJson({
      resource: described.resource,
      resource_name: described.name,
      authorization_servers: [issuer],
      scopes_supported: described.scopes,
      bearer_methods_supported: described.methods,
    })
  }

  return [
    { ...published, path: wellKnown, handler: show, metadata: resourcesMetadata },
    { ...published, path: `${wellKnown}/api`, handler: show },
    { ...published, path: `${wellKnown}/api/:resource`, handler: show },
    { ...published, path: `${wellKnown}/admin/api`, handler: show },
  ]
}
