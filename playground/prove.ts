/** The client proves itself, or its key: for one request (RFC 9449 section 4.2, RFC 7523 section 3). */
import { SignJWT } from 'jose'
import { hashText } from '../src/crypto/digest.ts'
import { makeKeyPair, openPrivateKey, signJwt } from '../src/crypto/own-jws.ts'
import type { Known, ProofRow, RequestRow } from './flow.ts'
import { forge } from './forge.ts'
import { fill, fillEach } from './request.ts'
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

/** An assertion under a secret (OpenID Connect Core section 9). */
const signBySecret = (claims: Readonly<Record<string, unknown>>, secret: string): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret))

/**
 * What the client knows afterwards: `client_assertion`.
 *
 * @param now Unix seconds
 */
export const assertClient = async (
  { as, assertion = {} }: Pick<RequestRow, 'as' | 'assertion'>,
  known: Known,
  issuer: string,
  now: number,
): Promise<Known> => {
  const { claims: changes = {}, by, again, forged } = assertion
  if (again === true && known.client_assertion !== undefined) return known
  const id = fill(as?.id ?? '', known)
  const claims = {
    iss: id,
    sub: id,
    aud: issuer,
    jti: hashText(`${known.state} ${known.client_assertion}`),
    iat: now,
    exp: now + 60,
    ...fillEach(changes, known),
  }
  if (by === 'secret' || by === 'guesser') {
    const secret = by === 'guesser' ? 'a guess' : (known.client_secret ?? '')
    return { ...known, client_assertion: await signBySecret(claims, secret) }
  }
  const { secret } = await findKey(by === undefined ? {} : { by })
  const key = openPrivateKey(secret)
  const signed = await signJwt(claims, { typ: 'JWT', alg: algorithm, kid }, key)
  return { ...known, client_assertion: forge(signed, forged) }
}
