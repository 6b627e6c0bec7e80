/** The client proves its key for one request (RFC 9449 section 4.2). */
import { hashText } from '../src/crypto/digest.ts'
import { makeKeyPair, openPrivateKey, signJwt } from '../src/crypto/own-jws.ts'
import type { Known, ProofRow, RequestRow } from './flow.ts'
import { fill } from './request.ts'
import { sampleKey } from './sample-key.ts'

const { algorithm, kid } = sampleKey

const findKey = async ({ by }: ProofRow) =>
  by === 'thief'
    ? makeKeyPair(algorithm)
    : { secret: Buffer.from(sampleKey.secret), publicKey: sampleKey.publicKey }

/**
 * What the client knows afterwards: `proof`. Everybody has the sample key, so `jti` comes from what this
 * run alone knows. A signature is random, so no two proofs have the same.
 *
 * @param now Unix seconds
 */
export const prove = async (
  proof: ProofRow,
  { line, bearer }: Pick<RequestRow, 'line' | 'bearer'>,
  known: Known,
  issuer: string,
  now: number,
): Promise<Known> => {
  if (proof.again === true && known.proof !== undefined) return known
  const [htm = '', path = ''] = fill(proof.line ?? line, known).split(' ')
  const { secret, publicKey } = await findKey(proof)
  const claims = {
    jti: hashText(`${known.state} ${known.proof}`),
    htm,
    htu: issuer + path.replace(/\?.*$/, ''),
    iat: now,
    ...(bearer === undefined ? {} : { ath: hashText(fill(bearer, known)) }),
  }
  const header = { typ: 'dpop+jwt', alg: algorithm, kid, jwk: publicKey }
  return { ...known, proof: await signJwt(claims, header, openPrivateKey(secret)) }
}
