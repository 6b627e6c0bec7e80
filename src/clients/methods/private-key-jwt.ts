/** `private_key_jwt`: an assertion under a private key of the client (OpenID Connect Core section 9, RFC 7523). */
import { isSignedByKey } from '../../crypto/client-jws.ts'
import { type Client, isPublic } from '../../model/client.ts'
import { isSameAlgorithm, secretAssertionAlgorithm, signatureAlgorithms } from '../../model/key.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { boundAssertions, pickKey } from '../jwt-assertion.ts'
import { selectKeys } from '../keys.ts'
import {
  type ClientAssertion,
  checkAlgorithm,
  checkOwnAssertion,
  clientAssertion,
  readAssertion,
} from './assertion.ts'
import { type ClientMethod, invalidClient, type Presenter, type ProvingParts } from './method.ts'
import { verifyPlatform } from './platform.ts'

const name = 'private_key_jwt'

const verifyOwn = async (
  assertion: ClientAssertion,
  client: Client,
  by: Presenter,
  parts: ProvingParts,
): Promise<Client | Refusal> => {
  const { openid, authenticationMethod } = client
  if (authenticationMethod !== name) return invalidClient('other_method')
  const { algorithm, kid } = assertion
  const { token_endpoint_auth_signing_alg: registered } = openid
  const allowed: readonly string[] = registered === undefined ? signatureAlgorithms : [registered]
  if (!allowed.some((one) => isSameAlgorithm(one, algorithm))) {
    return invalidClient('assertion_algorithm')
  }
  const weak = checkAlgorithm(assertion, client, parts.settings)
  if (weak !== null) return weak
  const wanted = { algorithm, use: 'sig', kid } as const
  const key = pickKey(await parts.clientKeys.find(client, wanted, by), clientAssertion)
  if (key instanceof Refusal) return key
  return boundAssertions(client, by, parts, async () => {
    if (!(await isSignedByKey(assertion, key, algorithm))) {
      return invalidClient('assertion_signature')
    }
    return (await checkOwnAssertion(assertion, client, by.at, parts)) ?? client
  })
}

const hasPlatforms = ({ identity }: Client): boolean => identity.federated_credentials !== undefined

export const privateKeyJwt: ClientMethod = {
  name,
  place: 'client_assertion',
  alsoFor: [],
  // What the operator trusts beside the client's own credentials.
  isAlsoFor: (client) => hasPlatforms(client) && !isPublic(client),
  issues: 'nothing',
  signingAlgorithms: signatureAlgorithms,
  lacks({ openid: { jwks, jwks_uri: uri }, identity }) {
    if (uri !== undefined || identity.federated_credentials !== undefined) return null
    const wanted = { use: 'sig', kid: null } as const
    const canSign = signatureAlgorithms.some(
      (algorithm) => selectKeys(jwks?.keys ?? [], { ...wanted, algorithm }).length > 0,
    )
    return canSign ? null : 'jwks with a key for signatures, or jwks_uri'
  },
  read(_request, parameters) {
    const read = readAssertion(parameters, (algorithm) => algorithm !== secretAssertionAlgorithm)
    if (read === null || read instanceof Refusal) return read
    return {
      id: read.id,
      verify(client, by, parts) {
        const isPlatform = hasPlatforms(client) && read.claims.iss !== client.id
        return (isPlatform ? verifyPlatform : verifyOwn)(read, client, by, parts)
      },
    }
  },
}
