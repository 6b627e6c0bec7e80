/** The token endpoint (RFC 6749 section 3.2). The endpoint owns the phases; a grant only proves its credential. */

import { readClientForm } from '../../clients/authenticate.ts'
import { listGrants } from '../../clients/grant-types.ts'
import { describeMethods } from '../../clients/methods/describe.ts'
import type { Grant } from '../../grants/grant.ts'
import { answerJson } from '../../http/answer.ts'
import { isPublic } from '../../model/client.ts'
import { type Parameters, refuseUnsupported } from '../../protocol/parameters.ts'
import { checkProfile, getProfile, grantRules } from '../../protocol/profile.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { unsupported } from '../../requests/unsupported.ts'
import { type Handler, type MetadataFragment, openJson, type RouteRow } from '../../route.ts'
import { makeOnlyTrace } from '../../store/trace.ts'
import type { Earned } from '../../tokens/issue.ts'
import { refusalOf } from '../refused.ts'
import type { ClientNeeds } from './needs.ts'

const unregisteredGrant = (): Refusal =>
  new Refusal(
    'unauthorized_client',
    'grant_type_not_registered',
    'the client may not use this grant_type',
  )

/** To ignore the parameter would grant something else than the request. */
const refuseDetails = (parameters: Parameters, { type }: Grant): void => {
  if (parameters.find('authorization_details') === null) return
  const said = `authorization_details is not for the grant type ${type}: the resource owner has to see it`
  throw new Refusal('invalid_authorization_details', 'details_without_page', said)
}

/** A member that no grant declared could have the name of another one. */
const checkMembers = ({ members = {} }: Earned, { members: declared = [] }: Grant): void => {
  const other = Object.keys(members).find((name) => !declared.includes(name))
  if (other !== undefined) throw new Error(`the grant adds the member ${other} undeclared`)
}

const describeToken: MetadataFragment = ({ settings, registries }) => ({
  token_endpoint: `${settings.issuer}/token`,
  grant_types_supported: listGrants(registries),
  ...Object.assign({}, ...registries.grants.map(({ metadata = {} }) => metadata)),
  ...Object.assign({}, ...registries.proofs.map((proof) => proof.describe(settings))),
  ...describeMethods('token', registries.clientMethods),
  refresh_token_expiration_types_supported: ['authorization', 'token_timeout'],
})

const nothing = { grant: null, redeem: null } as const

export const openToken = (needs: ClientNeeds): readonly RouteRow[] => {
  const { settings, authenticate, noteUse, resources, tokens, meter, registries } = needs
  const opened = new Map(
    registries.grants.map((grant) => [grant.type, { grant, redeem: grant.open(needs) }]),
  )

  const token: Handler = async (exchange) => {
    const { request, address, at, caller } = exchange
    const parameters = await readClientForm(request)
    const type = parameters.find('grant_type')
    const { grant, redeem } = opened.get(type ?? '') ?? nothing
    try {
      if (!grant?.takesAudience) refuseUnsupported(parameters, unsupported)
      const found = await authenticate(exchange, parameters)
      if (type === null) parameters.require('grant_type')
      if (grant === null) {
        const said = `grant_type has to be one of ${[...opened.keys()].join(', ')}`
        throw new Refusal('unsupported_grant_type', 'unknown_grant_type', said)
      }
      const isHeld = settings.profile !== 'spec' || found.openid.profile !== undefined
      const rule = grantRules.get(grant.type)
      if (isHeld && rule !== undefined) checkProfile(rule, getProfile(found, settings))
      const isRegistered =
        found.grantTypes.includes(grant.type) &&
        (grant.clients === 'any' || !isPublic(found)) &&
        (grant.clients !== 'trusted' || found.trusted)
      if (!isRegistered) throw unregisteredGrant()
      if (!grant.takesDetails) refuseDetails(parameters, grant)
      if (found.openid.id_token_encrypted_response_alg !== undefined) {
        await tokens.checkEncryption(found, exchange)
      }
      const isProven = registries.proofs.some(
        ({ header, member }) => request.headers.get(header) !== null || found.openid[member],
      )
      const key = isProven ? await tokens.proveKey(exchange, found) : null
      if (isHeld && key === null) checkProfile('unbound_token', getProfile(found, settings))
      const isKnown = found.registeredBy === 'operator' && !isPublic(found)
      if (isKnown && !grant.isPolled) await key?.claim()
      await resources.learnAsked(parameters)
      const client = { ...found, scope: await resources.keepKnown(found.scope) }
      const trace = makeOnlyTrace(exchange)
      const earned = await redeem({ client, parameters, address, key, caller, trace })
      await key?.claim()
      if (earned.members !== undefined) checkMembers(earned, grant)
      const issued = await tokens.issue(client, earned, trace, key?.confirmation ?? null)
      // The id of a public client proves nothing, but what it was given for does.
      if (client.registeredBy === 'itself' && isPublic(client)) await noteUse(client, at)
      if (type === 'authorization_code') meter.countStep(client, 'token')
      if (rule !== undefined) meter.countLax(client, rule)
      if (isPublic(client)) meter.countLax(client, 'weak_client')
      if (key === null) meter.countLax(client, 'unbound_token')
      meter.countGrant(grant.type, 'issued')
      return answerJson(issued)
    } catch (fault) {
      meter.countGrant(grant?.type ?? 'unknown', refusalOf(fault).code)
      throw fault
    }
  }

  return [{ ...openJson, method: 'POST', path: '/token', handler: token, metadata: describeToken }]
}
