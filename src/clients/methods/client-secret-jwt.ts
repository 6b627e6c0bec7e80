/** `client_secret_jwt`: an assertion under the secret of the client, which is not sent (OpenID Connect Core section 9). */
import { verifyBySecret } from '../../crypto/client-jws.ts'
import { applyOldSecret, type Client } from '../../model/client.ts'
import { secretAssertionAlgorithm } from '../../model/key.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { openSealedSecret } from '../credentials.ts'
import { boundAssertions } from '../jwt-assertion.ts'
import { type ClientAssertion, checkOwnAssertion, readAssertion } from './assertion.ts'
import { type ClientMethod, invalidClient, type Presenter, type ProvingParts } from './method.ts'

/** The client that the secret makes. */
const verifyTag = async (
  { text }: ClientAssertion,
  client: Client,
  at: number,
  parts: ProvingParts,
): Promise<Client | Refusal> => {
  const isUnder = async (sealed: string | undefined, digest: string): Promise<boolean> => {
    const secret = sealed === undefined ? null : openSealedSecret(sealed, digest, client, parts)
    if (secret === null) return false
    return (await verifyBySecret(text, secret, secretAssertionAlgorithm)) !== null
  }
  const { secretDigest, sealedSecret, oldSecret } = client
  if (secretDigest === null) return invalidClient('missing_secret')
  if (await isUnder(sealedSecret ?? undefined, secretDigest)) return client
  if (oldSecret === null || !(await isUnder(oldSecret.sealed, oldSecret.digest))) {
    return invalidClient('assertion_tag')
  }
  if (oldSecret.expiresAt <= at) return invalidClient('old_secret')
  return applyOldSecret(client, oldSecret)
}

const verify = async (
  assertion: ClientAssertion,
  client: Client,
  { at }: Presenter,
  parts: ProvingParts,
): Promise<Client | Refusal> => {
  const proven = await verifyTag(assertion, client, at, parts)
  if (proven instanceof Refusal) return proven
  return (await checkOwnAssertion(assertion, client, at, parts)) ?? proven
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
        boundAssertions(client, by, parts, () => verify(read, client, by, parts)),
    }
  },
}
