/**
 * Assertions of trusted issuers (RFC 7523 section 3), and Identity Assertion JWT Authorization Grants
 * (draft-ietf-oauth-identity-assertion-authz-grant-06). Whoever has no right signature learns nothing of the issuers.
 */
import {
  type AssertionFault,
  boundAssertions,
  checkAge,
  checkTimes,
  issuerAlgorithms,
  type JwtAssertion,
  pickKey,
  readJwt,
  readType,
} from '../../clients/jwt-assertion.ts'
import { isSignedByKey } from '../../crypto/client-jws.ts'
import type { GrantParts, GrantRequest } from '../../grants/grant.ts'
import type { Client } from '../../model/client.ts'
import { isObject, type JsonObject } from '../../model/json.ts'
import { isSameAlgorithm } from '../../model/key.ts'
import { getProfile, isForbidden, isStrongAlgorithm, sayForbidden } from '../../protocol/profile.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { certificate } from '../../tokens/proofs/certificate.ts'
import type { StoredIssuer } from './contract.ts'
import type { GrantKind } from './issuer.ts'

/** An assertion whose signature and claims are right. */
export interface ProvenAssertion {
  readonly issuer: StoredIssuer
  readonly kind: GrantKind
  readonly claims: JsonObject
  /** Null where the assertion may come again. */
  readonly jti: string | null
  /** Unix seconds. */
  readonly expiresAt: number
}

export const refuseGrant = (reason: string, description?: string): Refusal =>
  new Refusal(
    'invalid_grant',
    reason,
    description ?? 'the assertion is of no issuer that is trusted here, or its signature is wrong',
  )

/** The reasons of faults that assertions of clients have, too. */
const reasons: Readonly<Record<AssertionFault, string>> = {
  assertion_key: 'grant_key',
  assertion_keys: 'grant_keys',
  assertion_keys_unreachable: 'grant_keys_unreachable',
  assertion_keys_unusable: 'grant_keys_unusable',
  assertion_purpose: 'grant_purpose',
  assertion_times: 'grant_times',
  assertion_expired: 'grant_expired',
  assertion_early: 'grant_early',
  assertion_far: 'grant_far',
}

const grantAssertion = {
  called: 'assertion',
  refuse: (fault: AssertionFault, said?: string) => refuseGrant(reasons[fault], said),
}

/** The kinds by `typ`. Any other JWT was made for something else (RFC 8725 section 3.11). */
const findKind = ({ header }: JwtAssertion): GrantKind | null => {
  const type = readType(header)
  if (type === 'oauth-id-jag+jwt') return 'id-jag'
  return type === undefined || type === 'jwt' ? 'jwt-bearer' : null
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** For this service alone: whoever else it were for could pass it on. */
const checkAudience = (
  { aud }: JsonObject,
  client: Client,
  settings: GrantParts['settings'],
): Refusal | null => {
  const { issuer } = settings
  const profile = getProfile(client, settings)
  if (Array.isArray(aud) && isForbidden('audience_list', profile)) {
    return refuseGrant('profile_audience_list', `the profile ${profile} needs aud as a string`)
  }
  const [first, ...more] = Array.isArray(aud) ? aud : [aud]
  if (first === issuer && more.length === 0) return null
  return refuseGrant('grant_audience', `aud of the assertion has to be ${issuer} alone`)
}

/**
 * An ID-JAG names its client. Another assertion need not, so anybody who sees one could use it. Then only clients
 * count that the operator chose.
 */
const checkClient = (
  { client_id: named }: JsonObject,
  kind: GrantKind,
  { id, registeredBy }: Client,
  { clients }: StoredIssuer,
): Refusal | null => {
  if (named !== id && (kind === 'id-jag' || named !== undefined)) {
    return refuseGrant(
      'grant_client',
      'client_id of the assertion has to be the client of the request',
    )
  }
  const isChosen = clients?.includes(id) ?? (registeredBy === 'operator' || named === id)
  if (isChosen) return null
  return refuseGrant(
    'grant_client_unlisted',
    'the issuer of the assertion is not trusted for this client',
  )
}

const checkSubject = (
  { sub, jti }: JsonObject,
  kind: GrantKind,
  { accessTokenSeconds: seconds }: Client,
): Refusal | null => {
  if (!isText(sub)) return refuseGrant('grant_subject', 'the assertion needs sub')
  if (jti === undefined && kind !== 'id-jag') {
    if (seconds !== null) return null
    // Each use keeps its row for good, and without a jti there is no end of uses.
    const said = 'the tokens of this client have no end, so the assertion needs a jti'
    return refuseGrant('grant_id', said)
  }
  return isText(jti) ? null : refuseGrant('grant_id', 'the assertion needs a jti, which is a text')
}

/**
 * A limit without an effect here would open more than its issuer says. The sub of one customer may be somebody else
 * among those of another.
 */
const checkLimits = (claims: JsonObject): Refusal | null => {
  const { authorization_details: details, tenant = claims.aud_tenant } = claims
  if (details !== undefined) {
    const said = 'authorization_details of the assertion cannot limit its access here: use scope'
    return refuseGrant('grant_details', said)
  }
  if (tenant === undefined) return null
  const said =
    'the assertion names one of several customers of its issuer or of this server, and this server knows none'
  return refuseGrant('grant_tenant', said)
}

/** How an assertion may be bound to a key, and the words where the request does not prove it. */
const unproven = {
  jkt: 'key: the request has to prove that key by DPoP',
  'x5t#S256': `certificate: show it in TLS, with a client that has ${certificate.member}`,
} as const

const isBinding = (method: string): method is keyof typeof unproven =>
  Object.hasOwn(unproven, method)

/** The request proves the key of the member `cnf` (RFC 7800). So a stolen assertion is worth nothing. */
const checkKey = ({ cnf }: JsonObject, key: GrantRequest['key']): Refusal | null => {
  if (cnf === undefined) return null
  const members = isObject(cnf) ? Object.entries(cnf) : []
  const [[method, value] = ['', ''], second] = members
  if (!isBinding(method) || !isText(value) || second !== undefined) {
    return refuseGrant('grant_confirmation', 'cnf of the assertion has to be jkt or x5t#S256')
  }
  const shown = key?.confirmation
  if (shown?.method === method && shown.value === value) return null
  return refuseGrant('grant_unproven', `the assertion is bound to a ${unproven[method]}`)
}

const checkClaims = (
  { claims }: JwtAssertion,
  kind: GrantKind,
  issuer: StoredIssuer,
  { client, key, trace: { at } }: GrantRequest,
  { settings }: GrantParts,
): ProvenAssertion | Refusal => {
  const fault =
    checkTimes(claims, at, grantAssertion) ??
    checkAge(claims, at, grantAssertion) ??
    checkAudience(claims, client, settings) ??
    checkSubject(claims, kind, client) ??
    checkClient(claims, kind, client, issuer) ??
    checkLimits(claims) ??
    checkKey(claims, key)
  if (fault !== null) return fault
  const { jti, exp } = claims
  const named = isText(jti) ? jti : null
  return { issuer, kind, claims, jti: named, expiresAt: Math.ceil(Number(exp)) }
}

const verify = async (
  assertion: JwtAssertion,
  request: GrantRequest,
  parts: GrantParts,
): Promise<ProvenAssertion | Refusal> => {
  const { client, address, trace } = request
  const { algorithm, kid, claims } = assertion
  const by = { address, at: trace.at }
  // Before anything that differs by the issuer.
  if (!issuerAlgorithms.some((one) => isSameAlgorithm(one, algorithm))) {
    return refuseGrant('grant_algorithm')
  }
  const profile = getProfile(client, parts.settings)
  if (!isStrongAlgorithm(algorithm) && isForbidden('weak_algorithm', profile)) {
    return refuseGrant('profile_weak_algorithm', sayForbidden('weak_algorithm', profile))
  }
  const issuer = isText(claims.iss) ? await parts.store.findTrustedIssuerBy(claims.iss) : null
  if (issuer === null) return refuseGrant('grant_issuer')
  const wanted = { algorithm, use: 'sig', kid } as const
  const party = { openid: issuer.keys, registeredBy: 'operator' } as const
  const key = pickKey(await parts.clientKeys.find(party, wanted, by), grantAssertion)
  if (key instanceof Refusal) return key
  const checkSignature = async () =>
    (await isSignedByKey(assertion, key, algorithm)) || refuseGrant('grant_signature')
  const signed = await boundAssertions(client, by, parts, checkSignature, 'assertions')
  if (signed instanceof Refusal) return signed
  const kind = findKind(assertion)
  if (kind !== null && issuer.grants.includes(kind)) {
    return checkClaims(assertion, kind, issuer, request, parts)
  }
  const said = `typ of the assertion has to be that of ${issuer.grants.join(' or ')}`
  return refuseGrant('grant_purpose', said)
}

/** @throws Refusal `invalid_grant` */
export const proveAssertion = async (
  request: GrantRequest,
  parts: GrantParts,
): Promise<ProvenAssertion> => {
  const assertion = readJwt(request.parameters.require('assertion'))
  if (assertion === null) throw refuseGrant('grant_form', 'assertion has to be a signed JWT')
  const proven = await verify(assertion, request, parts)
  if (proven instanceof Refusal) throw proven
  return proven
}
