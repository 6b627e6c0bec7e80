/** DPoP: each request proves, by a signature of its own, the key that the tokens are bound to (RFC 9449). */
import { findClient } from '../../clients/find.ts'
import { isLoopback } from '../../config/issuer.ts'
import type { Settings } from '../../config/settings.ts'
import { isSignedByKey } from '../../crypto/client-jws.ts'
import { equalDigests, hashText, makeSalt } from '../../crypto/digest.ts'
import { readClaims } from '../../crypto/jose.ts'
import { getAuthority, getRawPath, type HttpRequest } from '../../http/request.ts'
import { type Client, isPublic } from '../../model/client.ts'
import type { SecurityProfile } from '../../model/profile.ts'
import { checkProfile, getProfile, isForbidden, isStrongAlgorithm } from '../../protocol/profile.ts'
import { Refusal } from '../../protocol/refusal.ts'
import {
  createHeaders,
  type DpopProof,
  dpopAlgorithms,
  dpopRefusals,
  isPlainPath,
  type ProofCheck,
  type ProofHeader,
  parseRequestTarget,
  parseTarget,
  verifyProof,
} from '../../resource/dpop-proof.ts'
import { dpopMethod } from '../../resource/proof.ts'
import { type Nonces, openNonces } from './nonce.ts'
import type { ProofOfPossession, ProvenUse } from './proof.ts'
import { openUsedProofs } from './used-proofs.ts'

const atResource = { status: 401, scheme: 'DPoP' } as const

/** The same refusal as an API tells it: with the status and the challenge of a wrong token. */
const refuseAtResource = (fault: unknown): unknown =>
  fault instanceof Refusal && fault.code !== 'temporarily_unavailable'
    ? new Refusal(fault.code, fault.reason, fault.description, {
        ...atResource,
        ...(fault.isRoutine ? { isRoutine: true } : {}),
      })
    : fault

type Places = Pick<Settings, 'issuer' | 'hosts' | 'mtlsUrl'>

/** Whether a URL names this service by a name of its own; the path is another question. */
const makeHostCheck = ({ issuer, hosts, mtlsUrl }: Places) => {
  const own = new URL(issuer)
  const mtlsOrigin = mtlsUrl === null ? null : new URL(mtlsUrl).origin
  const known = new Set([own.hostname, ...hosts])
  return (url: URL, authority: string): boolean => {
    if (url.origin === mtlsOrigin) return true
    if (url.protocol !== own.protocol) return false
    const isOwnName =
      known.has(url.hostname) || (isLoopback(own.hostname) && isLoopback(url.hostname))
    if (!isOwnName) return false
    return url.port === own.port || url.port === URL.parse(`${own.protocol}//${authority}`)?.port
  }
}

const makeTargetCheck = (settings: Places) => {
  const isOurs = makeHostCheck(settings)
  const { origin } = new URL(settings.issuer)
  return (htu: unknown, request: HttpRequest): boolean => {
    const path = getRawPath(request)
    // Most senders write it so, and parsing both URLs takes ten times as long.
    if (htu === origin + path && isPlainPath(path)) return true
    const url = parseTarget(htu)
    const asked = parseRequestTarget(origin, path)
    return url !== null && url.pathname === asked?.pathname && isOurs(url, getAuthority(request))
  }
}

/** The members of a thumbprint, in the order of RFC 7638 section 3.2. */
const thumbprintMembers = ['crv', 'e', 'kty', 'n', 'x', 'y'] as const

const computeThumbprint = ({ publicKey: key }: ProofHeader): string => {
  const members = thumbprintMembers.flatMap((name) => {
    const value = key[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return hashText(JSON.stringify(Object.fromEntries(members)))
}

/** By `node:crypto`, which takes less than a way to the thread pool and back. */
const createNativeCheck = (): ProofCheck => {
  const thumbprints = new WeakMap<ProofHeader, string>()
  return {
    headers: createHeaders(),
    async check(text, header) {
      if (
        !(await isSignedByKey({ text, header: header.header }, header.publicKey, header.algorithm))
      )
        return null
      const jkt = thumbprints.get(header) ?? computeThumbprint(header)
      thumbprints.set(header, jkt)
      const claims = readClaims(text)
      return claims && { claims, jkt }
    },
  }
}

interface NonceRequest extends Pick<DpopProof, 'nonce'> {
  readonly profile: SecurityProfile
  readonly at: number
  /** Whether a right credential came from whoever has the key. Then no nonce of before a restart is a guess. */
  readonly isProven: boolean
}

/** @throws Refusal `use_dpop_nonce`: the answer offers one, and nothing was used up */
const checkNonce = async (
  { nonce, profile, at, isProven }: NonceRequest,
  { dpopNonce }: Settings,
  nonces: Nonces,
): Promise<void> => {
  const isOptional = dpopNonce !== 'required'
  if (nonce === null && isOptional && !isForbidden('missing_nonce', profile)) return
  const age = nonce === null ? null : await nonces.judge(nonce, at)
  if (age === 'recent') return
  if (nonce === null && isOptional) checkProfile('missing_nonce', profile)
  const said = 'the DPoP proof needs the nonce of the DPoP-Nonce header of this answer'
  const reason = nonce === null ? 'dpop_no_nonce' : 'dpop_old_nonce'
  const isRoutine = isProven && age === 'earlier'
  throw new Refusal('use_dpop_nonce', reason, said, isRoutine ? { isRoutine } : {})
}

/** @throws Refusal `invalid_dpop_proof` where the proof came before, at any node */
const requireFirst = async (isFirst: Promise<boolean>): Promise<void> => {
  if (!(await isFirst)) throw dpopRefusals.replayed()
}

/** Reads a proof, and checks all of it but whether it came before. */
const openReader = (settings: Settings, nonces: Nonces) => {
  const isTarget = makeTargetCheck(settings)
  const check = createNativeCheck()
  return async (
    text: string,
    { request, at, about }: Pick<ProvenUse, 'request' | 'at' | 'about'>,
    client: Client | null,
    /** The token of the request with its key; null where tokens are issued. */
    bound: { readonly token: string; readonly jkt: string } | null,
  ): Promise<DpopProof> => {
    const proof = await verifyProof(
      text,
      {
        method: about?.method ?? request.method,
        isTarget: (htu) =>
          about === undefined ? isTarget(htu, request) : parseTarget(htu)?.href === about.url.href,
        tokenDigest: bound === null ? null : hashText(bound.token),
        at,
      },
      check,
    )
    const profile = client === null ? settings.profile : getProfile(client, settings)
    if (!isStrongAlgorithm(proof.algorithm)) checkProfile('weak_proof', profile)
    if (bound !== null && !equalDigests(proof.jkt, bound.jkt)) throw dpopRefusals.otherKey()
    // At `/token` and `/par`, only a public client has not proved itself before.
    const isProven = bound !== null || (client !== null && !isPublic(client))
    await checkNonce({ nonce: proof.nonce, profile, at, isProven }, settings, nonces)
    return proof
  }
}

export const dpop: ProofOfPossession = {
  method: dpopMethod,
  member: 'dpop_bound_access_tokens',
  header: 'dpop',
  missing: () =>
    new Refusal(
      'invalid_dpop_proof',
      'missing_dpop_proof',
      'the tokens of this request are bound to a key: send a proof in the DPoP header',
    ),
  other: () =>
    new Refusal(
      'invalid_dpop_proof',
      'other_key',
      'the code or refresh token is bound to another key than the one that the request proves',
    ),
  describe: () => ({ dpop_signing_alg_values_supported: dpopAlgorithms }),
  open({ settings, store, keyring, usedUp, meter, random }) {
    // A nonce of another process says nothing of the proofs that are remembered here.
    const nonces = openNonces(keyring, store.isAlone ? makeSalt(random) : null)
    const claim = openUsedProofs(store)
    const read = openReader(settings, nonces)

    /** A proof that was used up was right, and so was the credential beside it. */
    const countLax = ({ algorithm }: DpopProof, client: Client): void => {
      if (!isStrongAlgorithm(algorithm)) meter.countLax(client, 'weak_proof')
    }

    return {
      async prove(exchange, client) {
        const text = exchange.request.headers.get('dpop')
        if (text === null) return null
        const proof = await read(text, exchange, client, null)
        let claimed: Promise<void> | null = null
        return {
          confirmation: { method: dpopMethod, value: proof.jkt },
          claim() {
            // A public client is many people, and each proof of them comes with a credential.
            const write = () => claim(proof, exchange.at)
            claimed ??= requireFirst(
              isPublic(client) ? write() : usedUp.claim('proof', client, exchange.at, write),
            ).then(() => countLax(proof, client))
            return claimed
          },
        }
      },
      async hold({ value }, use, clientId) {
        const text = use.request.headers.get('dpop')
        if (text === null || use.scheme !== 'DPoP') throw dpopRefusals.missing()
        try {
          const client = await findClient(clientId, { store })
          const proof = await read(text, use, client, { token: use.token, jkt: value })
          await requireFirst(claim(proof, use.at))
          if (client !== null) countLax(proof, client)
        } catch (fault) {
          throw refuseAtResource(fault)
        }
      },
      offer: ({ request, at }) =>
        request.headers.get('dpop') === null ? null : { 'DPoP-Nonce': nonces.current(at) },
    }
  },
}
