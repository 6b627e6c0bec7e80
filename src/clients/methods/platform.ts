/**
 * Clients proved by their platform: a JWT of an issuer that the operator trusts, such as a Kubernetes cluster or a
 * CI. The client keeps no secret that somebody would have to rotate.
 */
import { isSignedByKey } from '../../crypto/client-jws.ts'
import type { Client, FederatedCredential } from '../../model/client.ts'
import type { JsonObject } from '../../model/json.ts'
import { isSameAlgorithm } from '../../model/key.ts'
import { Refusal } from '../../protocol/refusal.ts'
import {
  boundAssertions,
  checkTimes,
  checkType,
  issuerAlgorithms,
  isTime,
  pickKey,
} from '../jwt-assertion.ts'
import { assertionLimits } from '../limits.ts'
import {
  type ClientAssertion,
  checkAlgorithm,
  checkAudienceProfile,
  clientAssertion,
  countLaxAssertion,
} from './assertion.ts'
import { invalidClient, type Presenter, type ProvingParts } from './method.ts'

/** For this audience alone: whoever else it were for could pass it on. */
const isFor = (
  { iss, sub, aud }: JsonObject,
  { issuer, subject, audience }: FederatedCredential,
): boolean => {
  const [first, ...more] = Array.isArray(aud) ? aud : [aud]
  return iss === issuer && sub === subject && first === audience && more.length === 0
}

/** @param at unix seconds */
const checkYoung = ({ iat }: JsonObject, at: number): Refusal | null => {
  const { seconds } = assertionLimits
  if (isTime(iat) && iat >= at - seconds) return null
  if (iat === undefined) {
    const said = `the client assertion needs iat, at most ${seconds} seconds ago`
    return invalidClient('assertion_old', said)
  }
  const said = `iat of the client assertion has to be at most ${seconds} seconds ago`
  return invalidClient('assertion_old', said)
}

/**
 * A platform hands out a token for a while, so one may come again. Others learn nothing of the platforms of a
 * client.
 */
export const verifyPlatform = async (
  assertion: ClientAssertion,
  client: Client,
  by: Presenter,
  parts: ProvingParts,
): Promise<Client | Refusal> => {
  const { header, algorithm, kid, claims } = assertion
  const credentials = client.identity.federated_credentials ?? []
  const credential = credentials.find((one) => isFor(claims, one))
  if (credential === undefined) return invalidClient('unknown_platform')
  if (!issuerAlgorithms.some((one) => isSameAlgorithm(one, algorithm))) {
    return invalidClient('assertion_algorithm')
  }
  const weak = checkAlgorithm(assertion, client, parts.settings)
  if (weak !== null) return weak
  const wanted = { algorithm, use: 'sig', kid } as const
  const key = pickKey(await parts.platformKeys.find(credential, wanted, by), clientAssertion)
  if (key instanceof Refusal) return key
  return boundAssertions(client, by, parts, async () => {
    if (!(await isSignedByKey(assertion, key, algorithm))) {
      return invalidClient('assertion_signature')
    }
    const fault =
      checkType(header, ['jwt', 'jose'], clientAssertion) ??
      checkTimes(claims, by.at, clientAssertion) ??
      checkYoung(claims, by.at) ??
      checkAudienceProfile(claims, credential.audience, client, parts.settings)
    if (fault === null) countLaxAssertion(assertion, credential.audience, client, parts)
    return fault ?? client
  })
}
