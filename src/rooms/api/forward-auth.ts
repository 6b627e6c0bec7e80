/**
 * `GET /forward-auth`: a proxy asks whether to let a request through to an API behind it. Any
 * status but 200 keeps the request out.
 */

import { findPart, getUri } from '../../access/audience.ts'
import { formatScope } from '../../access/permission.ts'
import type { Resources } from '../../access/resources.ts'
import { parseScope, selectNamed } from '../../access/scope.ts'
import { isLoopback } from '../../config/issuer.ts'
import type { Uses } from '../../events/uses.ts'
import { forwardingHeaders, isTrusted, listRanges } from '../../http/address.ts'
import { dropCertificate } from '../../http/client-certificate.ts'
import type { Exchange } from '../../http/exchange.ts'
import { getHostName, type HttpRequest, queryOf, stripPort } from '../../http/request.ts'
import {
  listActions,
  type Permission,
  type Permissions,
  type Resource,
} from '../../model/resource.ts'
import type { Access } from '../../model/token.ts'
import type { UseAction } from '../../model/use.ts'
import type { ToldSubject } from '../../owners/pairwise-secret.ts'
import { refuseRepeated } from '../../protocol/parameters.ts'
import { invalidRequest, Refusal } from '../../protocol/refusal.ts'
import { type PresentedToken, readTokenHeader } from '../../resource/bearer.ts'
import { answerChallenge, followScheme, makeOwnMetadataUrl } from '../../resource/challenge.ts'
import { parseRequestTarget } from '../../resource/dpop-proof.ts'
import { type Handler, monitored, type RouteRow } from '../../route.ts'
import type { ProvenUse } from '../../tokens/proofs/proof.ts'
import { missingPermission, missingToken, unknownToken } from './admission.ts'
import type { ApiNeeds } from './needs.ts'

/** The configuration of the proxy: what it asks for each request. */
interface Question {
  readonly resource: Resource
  readonly needed: Permissions
}

/** A public proxy asks under the name of the issuer for whoever sent it the request. */
const isThroughPublicProxy = (request: HttpRequest, issuer: string): boolean => {
  const name = stripPort(new URL(issuer).host)
  if (isLoopback(name) || getHostName(request) !== name) return false
  return forwardingHeaders.some((header) => request.headers.get(header) !== null)
}

/** Others could collect names of owners here with tokens of applications. */
const refuseStrangers = (
  { peer, request }: Exchange,
  proxies: ReturnType<typeof listRanges>,
  issuer: string,
): void => {
  const isNear = isLoopback(peer) || isTrusted(proxies, peer)
  if (isNear && !isThroughPublicProxy(request, issuer)) return
  const said =
    'only this machine and the proxies of LATCHKEY_TRUSTED_PROXIES may ask here, and not by way of the public host name'
  throw new Refusal('access_denied', 'forward_auth_by_stranger', said)
}

/** A mistake here is one of the proxy's configuration: 400, so that nobody takes it for a wrong token. */
const readQuestion = async ({ request }: Exchange, resources: Resources): Promise<Question> => {
  const query = refuseRepeated(queryOf(request))
  const [uri, second] = query.all('resource')
  if (uri === undefined || second !== undefined) {
    throw invalidRequest('not_one_resource', 'resource has to be one uri')
  }
  const resource = await resources.lookByUri(uri)
  if (resource === null) {
    throw new Refusal('invalid_target', 'unknown_resource', 'resource is the uri of no resource')
  }
  const names = parseScope(query.require('scope'))
  const all = listActions(resource).map((action): Permission => `${resource.name}:${action}`)
  const needed = selectNamed(names, all)
  if (!names.every((name) => selectNamed([name], all).length > 0)) {
    const said = `scope has to name permissions of this resource: ${all.join(', ')}`
    throw new Refusal('invalid_scope', 'scope_of_other_resource', said)
  }
  return { resource, needed }
}

/** Proxies know 401 and 403 only, and make anything else an error of their own. */
const readToken = (exchange: Exchange): Pick<PresentedToken, 'token' | 'scheme'> | null => {
  try {
    return readTokenHeader(exchange.request)
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    throw new Refusal(fault.code, fault.reason, fault.description, { status: 401 })
  }
}

/** A DPoP proof is for the request at the proxy, and only the proxy can tell it. */
const readAsked = ({ headers }: HttpRequest, { uri }: Resource): ProvenUse['about'] => {
  const [method, path] = ['x-forwarded-method', 'x-forwarded-uri'].map((name) => headers.get(name))
  const url = method && path && uri !== null ? parseRequestTarget(new URL(uri).origin, path) : null
  return method && url ? { method, url } : undefined
}

/** The access log of the owner has reading and writing. Any further action is a check there. */
const noteUse = (
  access: Access,
  { resource, needed }: Question,
  allowed: boolean,
  { address, at }: Exchange,
  uses: Uses,
): void => {
  if (access.subject !== 'owner') return
  const { authorizationId } = access
  const known = needed.map((one): UseAction => {
    const action = one.slice(resource.name.length + 1)
    return action === 'read' || action === 'write' ? action : 'check'
  })
  for (const action of new Set(known)) {
    uses.note({ authorizationId, used: `${resource.name}:${action}`, allowed, address, at })
  }
}

/** As the value of a header: visible ASCII stays as it is, all else and `%` is percent-encoded. */
const encodeHeader = (text: string): string =>
  text.toWellFormed().replace(/[^\x21-\x24\x26-\x7e]/gu, encodeURIComponent)

/** Remote-User is absent for a token of the client itself, and for one of a client with pairwise subjects. */
const makeIdentity = (
  access: Access,
  { sub, username }: ToldSubject,
  resource: Resource,
): Readonly<Record<string, string>> => ({
  ...(username === null ? {} : { 'Remote-User': encodeHeader(username) }),
  'Remote-Subject': encodeHeader(sub),
  'Remote-Client': encodeHeader(access.clientId),
  'Remote-Scope': formatScope(findPart(access, [resource])?.permissions ?? []),
})

/** No certificate counts here, so the refusal tells another way. */
const tellOtherWay = (fault: unknown): never => {
  if (!(fault instanceof Refusal && fault.reason === 'token_without_certificate')) throw fault
  const said =
    'the access token is bound to a certificate, and none counts behind a proxy: bind tokens by DPoP, or let the API compare the certificate'
  throw new Refusal('invalid_token', 'certificate_behind_proxy', said)
}

export const openForwardAuth = (needs: ApiNeeds): readonly RouteRow[] => {
  const { tokens, uses, meter, resources } = needs
  const { issuer, errorUri, trustedProxies } = needs.settings
  const proxies = listRanges(trustedProxies)

  /** @throws Refusal `invalid_token`, `insufficient_scope` */
  const admit = async (exchange: Exchange, question: Question): Promise<Access> => {
    const { resource, needed } = question
    const scope = needed.join(' ')
    const presented = readToken(exchange)
    if (presented === null) throw missingToken(scope)
    const about = readAsked(exchange.request, resource)
    if (presented.scheme === 'DPoP' && about === undefined) {
      const said =
        'a proxy that lets DPoP through has to send X-Forwarded-Method and X-Forwarded-Uri'
      throw new Refusal('invalid_token', 'unknown_proven_request', said, { scheme: 'DPoP' })
    }
    // A proxy may pass on every header of its visitor, so a certificate here may be forged.
    const request = dropCertificate(exchange.request)
    const use = { ...exchange, request, ...presented, ...(about && { about }) }
    const access = await tokens.verifyUse(use, 'paused').catch(tellOtherWay)
    const isPaused = access?.subject === 'owner' && access.isPaused
    meter.countRead(isPaused ? null : (access?.clientId ?? null))
    if (access !== null && isPaused) noteUse(access, question, false, exchange, uses)
    if (access === null || isPaused) throw unknownToken(presented, { scope })
    exchange.caller.proven = { type: 'client', clientId: access.clientId }
    const allowed = needed.every((one) => access.permissions.includes(one))
    noteUse(access, question, allowed, exchange, uses)
    if (findPart(access, [resource]) === null) {
      const said = `the access token is not for ${getUri(resource, issuer)}`
      throw new Refusal('invalid_token', 'other_audience', said, { scope })
    }
    if (!allowed) throw missingPermission(access, scope)
    return access
  }

  const forwardAuth: Handler = async (exchange) => {
    refuseStrangers(exchange, proxies, issuer)
    const question = await readQuestion(exchange, resources)
    const { resource } = question
    try {
      const access = await admit(exchange, question)
      const subject = await tokens.tellSubject(access)
      if (subject === null) {
        throw new Refusal('invalid_token', 'client_gone', 'the client of the access token is gone')
      }
      const headers = { 'Cache-Control': 'no-store', ...makeIdentity(access, subject, resource) }
      return { status: 200, headers, body: null }
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault
      const metadata = makeOwnMetadataUrl(getUri(resource, issuer))
      const pointers = { metadata, errorUri, reference: exchange.requestId }
      return {
        ...answerChallenge(followScheme(fault, exchange.request), pointers),
        reason: fault.reason,
        refused: fault,
      }
    }
  }

  return [{ ...monitored, path: '/forward-auth', handler: forwardAuth }]
}
