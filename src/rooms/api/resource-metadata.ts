/** Protected resource metadata (RFC 9728): which service hands out tokens for a resource, and how to send them. */

import {
  getAdminUri,
  getApiUri,
  getResourceUri,
  getUri,
  listOperatorUris,
} from '../../access/audience.ts'
import { addNames, listOwnerPermissions } from '../../access/permission.ts'
import type { Settings } from '../../config/settings.ts'
import { featureApis } from '../../features/apis.ts'
import { answerPublicJson } from '../../http/answer.ts'
import { getRawPath } from '../../http/request.ts'
import { english, pickText } from '../../model/language.ts'
import { adminPermissions, type Permissions, type Resource } from '../../model/resource.ts'
import { isTold, type OwnClaims, sortWords } from '../../model/scope-word.ts'
import { isForbidden, isStrongAlgorithm } from '../../protocol/profile.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { dpopAlgorithms } from '../../resource/dpop-proof.ts'
import { type Handler, type MetadataFragment, published, type RouteRow } from '../../route.ts'
import { certificate } from '../../tokens/proofs/certificate.ts'
import { getBasePath } from '../visit.ts'
import type { ApiNeeds } from './needs.ts'

const wellKnown = '/.well-known/oauth-protected-resource'

/** @param path the path of the resource, below that of the issuer @param builtIn the resources of owners */
const findDescribed = (
  path: string,
  settings: Settings,
  builtIn: readonly Resource[],
  own: readonly OwnClaims[],
) => {
  const { issuer, profile } = settings
  const isOpen = !isForbidden('query_token', profile)
  const ofOwners = ['header', 'body', ...(isOpen ? ['query'] : [])]
  const algorithms = isForbidden('weak_proof', profile)
    ? dpopAlgorithms.filter(isStrongAlgorithm)
    : dpopAlgorithms
  const types = builtIn.map(({ name }) => name)
  const describe = (
    resource: string,
    name: string,
    scopes: Permissions,
    details: readonly string[],
    methods = ofOwners,
  ) => ({
    resource,
    resource_name: name,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: methods,
    ...certificate.describe(settings),
    dpop_signing_alg_values_supported: algorithms,
    ...(details.length === 0 ? {} : { authorization_details_types_supported: details }),
  })
  const reached = listOwnerPermissions(builtIn)
  switch (path) {
    case '': {
      const words = sortWords(own).filter(isTold)
      return describe(issuer, 'Latchkey', addNames(reached, words), types)
    }
    case '/api':
      return describe(`${issuer}/api`, 'Latchkey API', reached, types)
    case '/admin/api':
      return describe(getAdminUri(issuer), 'Latchkey admin API', adminPermissions, [], ['header'])
  }
  const api = featureApis.find((one) => one.path === path)
  if (api !== undefined) {
    return describe(getApiUri(api, issuer), api.title, [api.permission], [], ['header'])
  }
  const found = builtIn.find(({ name }) => path === `/api/${name}`)
  if (found === undefined) return null
  const title = pickText(found.title, english)
  return describe(getResourceUri(issuer, found.name), title, listOwnerPermissions([found]), [
    found.name,
  ])
}

/** The other direction: which resources this service issues tokens for (RFC 9728 section 4). */
const getResourcesMetadata: MetadataFragment = ({ settings, resources }) => {
  const { issuer } = settings
  const named = resources.list().map((resource) => getUri(resource, issuer))
  return { protected_resources: [issuer, `${issuer}/api`, ...named, ...listOperatorUris(issuer)] }
}

export const openResourceMetadata = (needs: ApiNeeds): readonly RouteRow[] => {
  const { resources } = needs
  const base = getBasePath(needs)

  const show: Handler = async ({ request }) => {
    const [, after = ''] = getRawPath(request).split(wellKnown)
    const path = after.startsWith(base) ? after.slice(base.length) : after
    const [, name] = path.match(/^\/api\/(.+)$/) ?? []
    if (name !== undefined) await resources.look(name)
    const builtIn = resources.list().filter(({ uri }) => uri === null)
    const described = findDescribed(path, needs.settings, builtIn, resources.words)
    if (described === null) {
      throw new Refusal('not_found', 'unknown_resource', 'there is no such resource')
    }
    return answerPublicJson(described)
  }

  return [
    { ...published, path: wellKnown, handler: show, metadata: getResourcesMetadata },
    { ...published, path: `${wellKnown}/api`, handler: show },
    { ...published, path: `${wellKnown}/api/:resource`, handler: show },
    { ...published, path: `${wellKnown}/admin/api`, handler: show },
    ...featureApis.map(({ path }) => ({ ...published, path: wellKnown + path, handler: show })),
  ]
}
