/** Grant management (Grant Management for OAuth 2.0 section 6): a client sees its grants, and gives them back. */
import { listAudiences, refuseOtherAudience } from '../../access/audience.ts'
import { keepDetailsInForce } from '../../access/details/narrow.ts'
import { formatScope, limitScope } from '../../access/permission.ts'
import { findClient } from '../../clients/find.ts'
import { answerJson, answerNothing } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { getDetailTypes, getScopeLimit } from '../../model/client.ts'
import { type AuthorizationId, type ClientId, isId } from '../../model/ids.ts'
import type { Permissions } from '../../model/resource.ts'
import { type ClientPermission, claimNames, isScopeWord } from '../../model/scope-word.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { grantActions, isGrantOf } from '../../requests/asked-grant.ts'
import { readTokenHeader } from '../../resource/bearer.ts'
import { missingPermission, openAdmission, privately } from '../../rooms/api/admission.ts'
import type { Handler, MetadataFragment, RouteRow } from '../../route.ts'
import { traceOf } from '../../store/trace.ts'

const describeGrants: MetadataFragment = ({ settings }) => ({
  grant_management_endpoint: `${settings.issuer}/grants`,
  grant_management_actions_supported: [...grantActions, 'query', 'revoke'],
})

/** All look alike: ids are public, and nobody learns of the grants of others. */
const unknownGrant = (): Refusal =>
  new Refusal('not_found', 'no_such_grant', 'the client has no such grant')

/** @throws Refusal `not_found` */
const readId = ({ params: { id = '' } }: Exchange): AuthorizationId => {
  if (!isId(id)) throw unknownGrant()
  return id as AuthorizationId
}

export const openGrantManagement = (needs: ServiceParts): readonly RouteRow[] => {
  const { settings, store, resources } = needs
  const { verify } = openAdmission(needs)

  /** @throws Refusal `invalid_token`, `insufficient_scope` */
  const admit = async (exchange: Exchange, needed: ClientPermission): Promise<ClientId> => {
    const token = readTokenHeader(exchange.request)
    const presented = token && { ...token, way: 'header' as const, form: null }
    const access = await verify(presented, needed, exchange)
    refuseOtherAudience(access, settings.issuer, resources.latest.site)
    const isOwn = access.subject === 'client' && access.permissions.includes(needed)
    if (!isOwn) throw missingPermission(access, needed)
    return access.clientId
  }

  /** One entry for each API, and one for the words, which are about the owner. */
  const listScopes = (permissions: Permissions) => {
    const { site } = resources.latest
    const findApi = (name: Permissions[number]): string | null =>
      isScopeWord(name)
        ? null
        : (listAudiences({ permissions: [name], details: [] }, site)[0] ?? null)
    return [...Map.groupBy(permissions, findApi)].map(([api, names]) => ({
      scope: formatScope(names),
      ...(api === null ? {} : { resource: [api] }),
    }))
  }

  const query: Handler = async (exchange) => {
    const clientId = await admit(exchange, 'grant_management_query')
    const grant = await store.findAuthorization(readId(exchange), exchange.at)
    const client = await findClient(clientId, needs)
    if (client === null || grant === null || !isGrantOf(clientId, grant)) throw unknownGrant()
    const { permissions, details } = grant
    const inForce = await resources.keepKnown(limitScope(permissions, getScopeLimit(client)))
    const { words } = resources
    const answer = {
      scopes: listScopes(inForce),
      claims: inForce.flatMap((name) => (isScopeWord(name) ? claimNames(name, words) : [])),
      authorization_details: keepDetailsInForce(
        details,
        details,
        getDetailTypes(client),
        resources,
      ),
    }
    return answerJson(answer, 200, privately)
  }

  const revoke: Handler = async (exchange) => {
    const clientId = await admit(exchange, 'grant_management_revoke')
    // A read would not find the grant of a disabled owner.
    const trace = traceOf(exchange, needs)
    const isEnded = await store.endAuthorization(readId(exchange), null, trace, clientId)
    if (!isEnded) throw unknownGrant()
    return answerNothing()
  }

  // No page of another origin has a token of the client itself.
  const row = { refusedAs: 'bearer', path: '/grants/:id' } as const
  return [
    { ...row, method: 'GET', handler: query, metadata: describeGrants },
    { ...row, method: 'DELETE', handler: revoke },
  ]
}
