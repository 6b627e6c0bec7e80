/** The tokens of an exchange (RFC 8693 section 2.1): the subject token, and whoever may exchange it; the actor token. */
import { findPart } from '../../access/audience.ts'
import { findClient } from '../../clients/find.ts'
import type { GrantParts, GrantRequest } from '../../grants/grant.ts'
import type { Client } from '../../model/client.ts'
import type { Access, OwnerAccess } from '../../model/token.ts'
import { findMixUp } from '../../protocol/kinds.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { invalidRequest } from '../../protocol/refusal.ts'
import { requireSameKey } from '../../tokens/proofs/index.ts'

const urn = 'urn:ietf:params:oauth:token-type:'

/** The token type of whatever is issued (RFC 8693 section 3). */
export const issuedTokenType = `${urn}access_token`

const taken: readonly string[] = [issuedTokenType, `${urn}jwt`]

const checkType = (type: string, name: 'subject_token_type' | 'actor_token_type'): void => {
  if (taken.includes(type)) return
  throw invalidRequest(`bad_${name}`, `${name} has to be ${taken.join(' or ')}`)
}

/** @throws Refusal `invalid_request` */
const checkTypes = (parameters: Parameters): void => {
  checkType(parameters.require('subject_token_type'), 'subject_token_type')
  const requested = parameters.find('requested_token_type') ?? issuedTokenType
  if (requested !== issuedTokenType) {
    const said = `requested_token_type has to be ${issuedTokenType}: no other is issued here`
    throw invalidRequest('bad_requested_token_type', said)
  }
  if (parameters.find('actor_token') !== null) {
    checkType(parameters.require('actor_token_type'), 'actor_token_type')
  } else if (parameters.find('actor_token_type') !== null) {
    const said = 'actor_token_type came without actor_token'
    throw invalidRequest('actor_token_type_alone', said)
  }
}

/** A stranger learns nothing of a token, not even whether it lives. */
const refuseSubject = (reason: string, text: string): Error =>
  invalidRequest(
    reason,
    findMixUp(text, 'lk_at_') ??
      'the subject_token is unknown, expired, revoked or paused, or this client may not exchange it',
  )

/** Its own token, one of a client whose record names it in `may_act`, or one for its API. */
const findRight = async (
  client: Client,
  subject: Access,
  { store, resources }: GrantParts,
): Promise<'own' | 'may_act' | 'api' | null> => {
  if (subject.clientId === client.id) return 'own'
  const holder = await findClient(subject.clientId, { store })
  if (holder?.identity.may_act?.includes(client.id)) return 'may_act'
  const its = resources.list().filter(({ introspectionClients: ids }) => ids.includes(client.id))
  return findPart(subject, its) === null ? null : 'api'
}

/**
 * A bound token stays bound. Its own client proves the same key. Another client cannot have that key, so the
 * client proves one of its own: no stolen token becomes a bearer token. An API sees the tokens of all its callers,
 * and a key keeps it from using them elsewhere. So an API exchanges a bound one only by `may_act`.
 *
 * @throws Refusal
 */
const checkKey = (
  { confirmation }: OwnerAccess,
  right: 'own' | 'may_act' | 'api',
  { key }: GrantRequest,
): void => {
  if (confirmation === null) return
  if (right === 'api') {
    const said =
      'the subject_token is bound to a key of its client: only a client in may_act of that client exchanges it'
    throw invalidRequest('bound_subject_of_other_client', said)
  }
  if (right === 'own') requireSameKey(confirmation, key?.confirmation)
  if (key !== null) return
  const said = 'the subject_token is bound to a key: prove a key of this client with the request'
  throw invalidRequest('subject_token_bound', said)
}

/** @throws Refusal unless it lives, stands for an owner, and this client may exchange it */
export const findSubject = async (
  request: GrantRequest,
  parts: GrantParts,
): Promise<OwnerAccess> => {
  const { client, parameters, trace } = request
  const text = parameters.require('subject_token')
  checkTypes(parameters)
  const subject = await parts.tokens.verifyAccess(text, trace.at)
  if (subject === null) throw refuseSubject('subject_token_unknown', text)
  const right = await findRight(client, subject, parts)
  if (right === null) throw refuseSubject('subject_token_of_other_client', text)
  if (subject.subject === 'client') {
    const said = 'the subject_token is of a client itself: only a token for an owner is exchanged'
    throw invalidRequest('subject_without_owner', said)
  }
  checkKey(subject, right, request)
  return subject
}

/**
 * The actor token, which names the client once more; null without one.
 *
 * @throws Refusal unless the client got it for itself
 */
export const findActor = async (
  { client, parameters, key, trace }: GrantRequest,
  { tokens }: GrantParts,
): Promise<Access | null> => {
  const text = parameters.find('actor_token')
  if (text === null) return null
  const actor = await tokens.verifyAccess(text, trace.at)
  if (actor?.subject === 'client' && actor.clientId === client.id) {
    if (actor.confirmation !== null) requireSameKey(actor.confirmation, key?.confirmation)
    return actor
  }
  const said =
    'the actor_token has to be a living access token that this client got for itself by client_credentials'
  throw invalidRequest('bad_actor_token', findMixUp(text, 'lk_at_') ?? said)
}
