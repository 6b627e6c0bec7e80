/** What a client does with JWTs: it reads and checks those of the service, and signs its own. */
import { hashHalf } from '../src/crypto/digest.ts'
import { readClaimedHeader, verifyJwt } from '../src/crypto/jose.ts'
import { openPrivateKey, signJwt } from '../src/crypto/own-jws.ts'
import { getHalfHash, jwsAlgorithms, type PublicKey, signingAlgorithms } from '../src/model/key.ts'
import type { InspectRow, Known, SignRow } from './flow.ts'
import type { JwtMembers } from './forge.ts'
import type { Check, Inspected } from './pages/exchanged.ts'
import { fill, fillEach } from './request.ts'
import { sampleKey } from './sample-key.ts'
import type { CheckName } from './words/checks.ts'
import { fieldsOfMembers, membersOf } from './write.ts'

const keyOf = ({ kid }: JwtMembers, keySet: string): JwtMembers | undefined => {
  const { keys } = membersOf(keySet)
  return Array.isArray(keys) ? keys.find((key: JwtMembers) => key.kid === kid) : undefined
}

/** The claims, if a key of the set signed them. The algorithm is that of the key. */
const verify = async (
  jwt: string,
  header: JwtMembers,
  keySet: string,
): Promise<JwtMembers | null> => {
  const key = keyOf(header, keySet)
  const algorithm = signingAlgorithms.find((name) => name === key?.alg)
  if (key === undefined || algorithm === undefined) return null
  return verifyJwt(jwt, key as PublicKey, algorithm)
}

/** A claim may be a text, a list that holds it, or an object with a member of this name. */
const isOrHolds = (claim: unknown, expected: string): boolean => {
  if (Array.isArray(claim)) return claim.includes(expected)
  return typeof claim === 'object' && claim !== null
    ? Object.hasOwn(claim, expected)
    : claim === expected
}

const hashed = (text: string, algorithm: unknown): string =>
  hashHalf(text, getHalfHash(jwsAlgorithms.find((name) => name === algorithm) ?? 'RS256'))

interface ReadJwt {
  readonly header: JwtMembers
  readonly claims: JwtMembers
}

const checksOf = (
  { expects, hashes = {}, lacks = [] }: InspectRow,
  { header, claims }: ReadJwt,
  known: Known,
  now: number,
): readonly Check[] => {
  const members: JwtMembers = { ...claims, typ: header.typ }
  const check = (name: string, holds: boolean): Check => ({ name: name as CheckName, holds })
  return [
    ...(claims.exp === undefined ? [] : [check('exp', Number(claims.exp) > now)]),
    ...Object.entries(fillEach(expects, known)).map(([name, expected]) =>
      check(name, isOrHolds(members[name], expected)),
    ),
    ...Object.entries(fillEach(hashes, known)).map(([name, text]) =>
      check(name, claims[name] === hashed(text, header.alg)),
    ),
    ...lacks.map((name) => check(`no_${name}`, claims[name] === undefined)),
  ]
}

const isAsExpected = (checks: readonly Check[], fails: CheckName | undefined): boolean => {
  const failed = checks.filter(({ holds }) => !holds).map(({ name }) => name)
  return failed.join() === (fails ?? '')
}

/**
 * @param keySet the body of `/jwks`
 * @param now Unix seconds
 */
export const inspect = async (
  row: InspectRow,
  known: Known,
  keySet: string,
  now: number,
): Promise<Inspected> => {
  const jwt = fill(row.token, known)
  const header = readClaimedHeader(jwt) ?? {}
  const verified = await verify(jwt, header, keySet)
  const claims = verified ?? {}
  const checks: readonly Check[] = [
    { name: 'signature', holds: verified !== null },
    ...(verified === null ? [] : checksOf(row, { header, claims }, known, now)),
  ]
  return {
    header: fieldsOfMembers(header),
    claims: fieldsOfMembers(claims),
    checks,
    expected: isAsExpected(checks, row.fails),
  }
}

/** @returns what the client knows afterwards */
export const sign = async (
  { as, typ = 'oauth-authz-req+jwt', claims }: SignRow,
  known: Known,
  now: number,
): Promise<Known> => {
  const { kid, algorithm, secret } = sampleKey
  const filled = { ...fillEach(claims, known), iat: now, exp: now + 3600 }
  const key = openPrivateKey(Buffer.from(secret))
  const header = { alg: algorithm, kid, typ }
  return { ...known, [as]: await signJwt(filled, header, key) }
}
