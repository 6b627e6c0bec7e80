/** A client that signs: assertions for itself, and proofs of its key. Some of what it sends comes twice. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { assertionForm } from '../support/assertions.ts'
import type { Answer, Init } from '../support/start.ts'
import type { Actor, Claim, Front, Judge, Outcome } from './front.ts'
import { type SimulatedNode, simulatedSettings } from './node.ts'
import type { SimulatedClient } from './people.ts'

/** Ed25519 (RFC 8410 section 7): a signature follows from key and text, as a seed needs it. */
const makeKey = (byte: number): KeyObject => {
  const head = Buffer.from('302e020100300506032b657004220420', 'hex')
  const secret = Buffer.concat([head, Buffer.alloc(32, byte)])
  return createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' })
}

const keys = { client: makeKey(1), thief: makeKey(2), issuer: makeKey(3) } as const

const publish = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' })

const publishSet = (key: KeyObject, kid: string) => ({
  keys: [{ ...publish(key), kid, alg: 'EdDSA', use: 'sig' }],
})

export const clientKeySet = publishSet(keys.client, 'signer')
export const issuerKeySet = publishSet(keys.issuer, 'acme')

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

const signJwt = (claims: object, header: object, key: KeyObject): string => {
  const text = `${encode({ ...header, alg: 'EdDSA' })}.${encode(claims)}`
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

export const describeRefusal = ({ body }: Answer): string => String(body?.error_description ?? '')

const isReplay = (answer: Answer): boolean => describeRefusal(answer).includes('was used before')

/** A replay is refused before anything else is decided. */
const unlessReplayed =
  (judge: Judge): Judge =>
  (answer) =>
    isReplay(answer) ? null : judge(answer)

/** A JWT by a trusted issuer, or by a thief. */
export const signGrant = (claims: object, by: 'issuer' | 'thief'): string =>
  signJwt(claims, { typ: 'JWT', kid: 'acme' }, keys[by])

export const spend = (id: string, isRight: (status: number) => boolean): Claim => ({
  deed: { kind: 'spend', id },
  judge: (answer) => {
    if (describeRefusal(answer).includes(id.startsWith('proof') ? 'proof was' : 'assertion was')) {
      return isReplay(answer) ? { result: 'no' } : { result: 'unknown' }
    }
    return { result: isRight(answer.status) ? 'yes' : 'unknown' }
  },
})

/** A nonce is taken for five minutes by each node, whichever gave it out. */
const nonceSeconds = 240

const takenNonce: Claim = {
  deed: { kind: 'nonce' },
  judge: ({ body }) => ({ result: body?.error === 'use_dpop_nonce' ? 'no' : 'yes' }),
}

export interface Proof {
  readonly proof: string
  /** What has to hold of its `jti` and its nonce. */
  readonly claims: readonly Claim[]
}

/** A proof of a key for a request. */
export const prove = (
  front: Front,
  { chance }: Actor,
  method: string,
  path: string,
  token: string | null,
  by: keyof typeof keys = 'client',
): Proof => {
  const jti = `proof ${front.signed++}`
  const { nonce } = front
  const isFresh = nonce !== null && nonce.at + nonceSeconds > front.seconds && chance.flip(0.5)
  const claims = {
    jti,
    htm: method,
    htu: simulatedSettings.issuer + path,
    iat: Math.floor(front.seconds),
    ...(token === null ? {} : { ath: digest(token) }),
    ...(isFresh ? { nonce: nonce.text } : {}),
  }
  const proof = signJwt(claims, { typ: 'dpop+jwt', jwk: publish(keys[by]) }, keys[by])
  const isRight = (status: number): boolean =>
    token === null ? status === 200 : status !== 401 && status !== 403
  const spent = spend(jti, isRight)
  return { proof, claims: isFresh ? [spent, takenNonce] : [spent] }
}

/** A proof comes again within this time, so that no node finds it too old. */
const againSeconds = 30

/** A proof for the token endpoint. Now and then the last one comes again, beside a new assertion. */
export const proveToken = (front: Front, actor: Actor): Proof => {
  const { seen } = front
  if (seen !== null && seen.at + againSeconds > front.seconds && actor.chance.flip(0.25)) {
    return seen.proof
  }
  const proof = prove(front, actor, 'POST', '/token', null)
  front.seen = { proof, at: front.seconds }
  return proof
}

/** Form and claims by which a client proves itself. */
export const proveClient = (front: Front, { id }: SimulatedClient) => {
  const jti = `assertion ${front.signed++}`
  const now = Math.floor(front.seconds)
  const claims = { iss: id, sub: id, aud: simulatedSettings.issuer, jti, iat: now, exp: now + 60 }
  const form = assertionForm(signJwt(claims, { typ: 'JWT', kid: 'signer' }, keys.client))
  return { form, claim: spend(jti, (status) => status !== 401) }
}

/** Sends a signed request. Now and then it comes twice, at once or later, to any node. */
export const sendSigned = async (
  front: Front,
  actor: Actor,
  path: string,
  init: Init,
  about: readonly Claim[],
  signed: readonly Claim[],
  at: SimulatedNode | undefined,
): Promise<Outcome> => {
  const claims = [
    ...about.map(({ deed, judge }) => ({ deed, judge: unlessReplayed(judge) })),
    ...signed,
  ]
  const ask = async (): Promise<Outcome> => {
    const outcome = await front.ask(actor, path, init, claims, at)
    const nonce = outcome.answer?.headers.get('dpop-nonce')
    if (nonce != null) front.nonce = { text: nonce, at: front.seconds }
    return outcome
  }
  const way = actor.chance.next()
  const answers = await Promise.all(way < 0.15 ? [ask(), ask()] : [ask()])
  if (way > 0.85) answers.push(await ask())
  const isRight = ({ answer }: Outcome): boolean => answer !== null && answer.status < 300
  const [first] = answers
  return answers.find(isRight) ?? (first as Outcome)
}
