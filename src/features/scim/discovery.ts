/** The abilities of the SCIM API (RFC 7644 section 4), for everybody: directories ask before they have a token. */

import type { Exchange } from '../../http/exchange.ts'
import { queryOf } from '../../http/request.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import type { Handler, RouteRow } from '../../route.ts'
import { scimApi } from './api.ts'
import { unknownResource, unsupported } from './errors.ts'
import { scimLimits } from './limits.ts'
import { answerList, answerScim, whole } from './list.ts'
import type { ScimMembers } from './members.ts'
import { scimRow } from './rows.ts'
import { groupKind, type ResourceKind, userKind } from './schema.ts'

const kinds = [userKind, groupKind]
const urn = 'urn:ietf:params:scim:schemas:core:2.0'

const describeService = (base: string): ScimMembers => ({
  schemas: [`${urn}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: scimLimits.page },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'OAuth Bearer Token',
      description: `An access token of a client with the permission ${scimApi.permission}`,
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

const describeType = (
  { name, endpoint, schema, description }: ResourceKind,
  base: string,
): ScimMembers => ({
  schemas: [`${urn}:ResourceType`],
  id: name,
  name,
  description,
  endpoint,
  schema,
  schemaExtensions: [],
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
})

const describeSchema = (
  { name, schema, description, own }: ResourceKind,
  base: string,
): ScimMembers => ({
  schemas: [`${urn}:Schema`],
  id: schema,
  name,
  description,
  attributes: own,
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema}` },
})

/** RFC 7644 section 4. */
const refuseFilter = ({ request }: Exchange): void => {
  if (queryOf(request).find('filter') === null) return
  throw new Refusal('access_denied', 'scim_filtered_discovery', 'this list takes no filter')
}

const isSameId = (a: unknown, b: string | undefined): boolean =>
  String(a).toLowerCase() === b?.toLowerCase()

const refuseAll = (path: string, refuse: () => Refusal): readonly RouteRow[] =>
  (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => ({
    ...scimRow,
    method,
    path: scimApi.path + path,
    handler: () => {
      throw refuse()
    },
  }))

export const openDiscovery = ({ settings: { issuer } }: ServiceParts): readonly RouteRow[] => {
  const base = issuer + scimApi.path
  const makeRows = (path: string, resources: readonly ScimMembers[]): readonly RouteRow[] => {
    const list: Handler = (exchange) => {
      refuseFilter(exchange)
      return answerList(resources, resources.length, whole, null, exchange)
    }
    const show: Handler = (exchange) => {
      const found = resources.find(({ id }) => isSameId(id, exchange.params.id))
      if (found === undefined) throw unknownResource()
      return answerScim(found, exchange)
    }
    return [
      { ...scimRow, method: 'GET', path, handler: list },
      { ...scimRow, method: 'GET', path: `${path}/:id`, handler: show },
    ]
  }
  const showService: Handler = (exchange) => {
    refuseFilter(exchange)
    return answerScim(describeService(base), exchange)
  }
  return [
    {
      ...scimRow,
      method: 'GET',
      path: `${scimApi.path}/ServiceProviderConfig`,
      handler: showService,
    },
    ...makeRows(
      `${scimApi.path}/ResourceTypes`,
      kinds.map((kind) => describeType(kind, base)),
    ),
    ...makeRows(
      `${scimApi.path}/Schemas`,
      kinds.map((kind) => describeSchema(kind, base)),
    ),
    ...refuseAll('/Me', () =>
      unsupported('a token of this API is of a client, and no user stands behind it'),
    ),
    ...refuseAll('/Bulk', () =>
      unsupported('there are no bulk requests, as ServiceProviderConfig says'),
    ),
  ]
}

/** Any other path of the API is refused in its form. Comes last, since the first row that fits answers. */
export const listUnknownRows = (): readonly RouteRow[] =>
  refuseAll(
    '/*',
    () => new Refusal('not_found', 'unknown_path', 'the SCIM API has nothing at this path'),
  )
