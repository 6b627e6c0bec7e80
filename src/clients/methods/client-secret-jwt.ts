/** `client_secret_jwt`: an assertion under the secret of the client, which is not sent (OpenID Connect Core section 9). */
import { verifyBySecret } from '../../crypto/client-jws.ts'
import { applyOldSecret, type Client } from '../../model/client.ts'
import type { JsonObject } from '../../model/json.ts'
import { secretAssertionAlgorithm } from '../../model/key.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { openSealedSecret } from '../credentials.ts'
import {
  boundAssertions,
  type ClientAssertion,
  checkOwnAssertion,
  readAssertion,
} from './assertion.ts'
import { type ClientMethod, invalidClient, type Presenter, type ProvingParts } from './method.ts'

/** The claims under the secret, and the client that it makes. */
const verifyTag = async (
  { text }: ClientAssertion,
  client: Client,
  at: number,
  parts: ProvingParts,
): Promise<readonly [JsonObject, Client] | Refusal> => {
  const check = async (sealed: string | undefined, digest: string): Promise<JsonObject | null> => {
    const secret = sealed === undefined ? null : openSealedSecret(sealed, digest, client, parts)
    return secret === null ? null : verifyBySecret(text, secret, secretAssertionAlgorithm)
  }
  const { secretDigest, sealedSecret, oldSecret } = client
  if (secretDigest === null) return invalidClient('missing_secret')
  const claims = await check(sealedSecret ?? undefined, secretDigest)
  if (claims !== null) return [claims, client]
  const older = oldSecret && (await check(oldSecret.sealed, oldSecret.digest))
  if (oldSecret === null || older === null) return invalidClient('assertion_tag')
  if (oldSecret.expiresAt <= at) return invalidClient('old_secret')
  return [older, applyOldSecret(client, oldSecret)]
}

const verify = async (
  assertion: ClientAssertion,
  client: Client,
  { at }: Presenter,
  parts: ProvingParts,
): Promise<Client | Refusal> => {
  const verified = await verifyTag(assertion, client, at, parts)
  if (verified instanceof Refusal) return verified
  const [claims, proven] = verified
  return (await checkOwnAssertion(assertion, claims, client, at, parts)) ?? proven
}

export const clientSecretJwt: ClientMethod = {
  name: 'client_secret_jwt',
  place: 'client_assertion',
  alsoFor: [],
  issues: 'sealed secret',
  signingAlgorithms: [secretAssertionAlgorithm],
  lacks: () => null,
  read(_request, parameters) {
    const read = readAssertion(parameters, (algorithm) => algorithm === secretAssertionAlgorithm)
    if (read === null || read instanceof Refusal) return read
    return {
      id: read.id,
      verify: (client, by, parts) =>
        boundAssertions(by, parts, () => verify(read, client, by, parts)),
    }
  },
}
