/** DPoP: each request proves, by a signature of its own, the key that the tokens are bound to (RFC 9449). */
import { findClient } from '../../clients/find.ts'
import { isLoopback } from '../../config/issuer.ts'
import type { Settings } from '../../config/settings.ts'
import { isSignedByKey } from '../../crypto/client-jws.ts'
import { equalDigests, hashText } from '../../crypto/digest.ts'
import { readClaims } from '../../crypto/jose.ts'
import { getAuthority, getRawPath, type HttpRequest } from '../../http/request.ts'
import { type Client, isPublic } from '../../model/client.ts'
import type { SecurityProfile } from '../../model/profile.ts'
import { checkProfile, getProfile, isForbidden, isStrongAlgorithm } from '../../protocol/profile.ts'
import { Refusal, type RefusalDetails } from '../../protocol/refusal.ts'
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
import type { IdClaim, UsedId } from '../../store/store.ts'
import { type Nonces, openNonces } from './nonce.ts'
import type { ProofOfPossession, ProvenUse } from './proof.ts'

/** Of a right credential and the right key: such a refusal is no guess. */
const routine = { isRoutine: true } as const

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

interface NonceRequest extends Pick<DpopProof, 'nonce' | 'madeAt'> {
  readonly profile: SecurityProfile
  readonly at: number
}

const needsNonce = (nonce: string | null, details: RefusalDetails = {}): Refusal => {
  const said = 'the DPoP proof needs the nonce of the DPoP-Nonce header of this answer'
  const reason = nonce === null ? 'dpop_no_nonce' : 'dpop_old_nonce'
  return new Refusal('use_dpop_nonce', reason, said, details)
}

/**
 * When nobody can have used the proof before: nobody has a nonce before it is sealed.
 *
 * @throws Refusal `use_dpop_nonce`: the answer offers one, and nothing was used up
 */
const checkNonce = async (
  { nonce, madeAt, profile, at }: NonceRequest,
  { dpopNonce }: Settings,
  nonces: Nonces,
): Promise<UsedId['madeAt']> => {
  const isOptional = dpopNonce !== 'required'
  if (nonce === null && isOptional && !isForbidden('missing_nonce', profile)) return madeAt
  const found = nonce === null ? null : await nonces.find(nonce, at)
  if (found !== null) return found.sealedAt
  if (nonce === null && isOptional) checkProfile('missing_nonce', profile)
  throw needsNonce(nonce)
}

/**
 * Each `jti` counts once for its key (RFC 9449 section 11.1).
 *
 * @throws Refusal for a proof that came before, at any node, and if nobody knows that any more
 */
const requireFirst = (
  claimed: IdClaim,
  { nonce }: DpopProof,
  details: RefusalDetails = {},
): void => {
  if (claimed === 'again') throw dpopRefusals.replayed()
  if (claimed === 'unsure') throw needsNonce(nonce, details)
}

/** A proof that fits its request, and what is used up by it. */
interface CheckedUse {
  readonly proof: DpopProof
  readonly used: UsedId
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
  ): Promise<CheckedUse> => {
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
    const madeAt = await checkNonce({ ...proof, profile, at }, settings, nonces)
    const id = hashText(`dpop\n${proof.jkt}\n${proof.jti}`)
    return { proof, used: { id, madeAt, expiresAt: proof.expiresAt } }
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
  open({ settings, store, keyring, usedUp, meter }) {
    const nonces = openNonces(keyring, store.isAlone === true)
    const read = openReader(settings, nonces)

    /** A proof that was used up was right, and so was the credential beside it. */
    const countLax = ({ algorithm }: DpopProof, client: Client): void => {
      if (!isStrongAlgorithm(algorithm)) meter.countLax(client, 'weak_proof')
    }

    return {
      async prove(exchange, client) {
        const text = exchange.request.headers.get('dpop')
        if (text === null) return null
        const { proof, used } = await read(text, exchange, client, null)
        const { at } = exchange
        const claim = async (): Promise<void> => {
          const write = () => store.claimId(used, at)
          // A public client is many people, and each proof of them comes with a credential.
          if (isPublic(client)) requireFirst(await write(), proof)
          else requireFirst(await usedUp.claim('proof', client, at, write), proof, routine)
          countLax(proof, client)
        }
        let claimed: Promise<void> | null = null
        return {
          confirmation: { method: dpopMethod, value: proof.jkt },
          claim() {
            claimed ??= claim()
            return claimed
          },
        }
      },
      async hold({ value }, use, clientId) {
        const text = use.request.headers.get('dpop')
        if (text === null || use.scheme !== 'DPoP') throw dpopRefusals.missing()
        try {
          const client = await findClient(clientId, { store })
          const { proof, used } = await read(text, use, client, { token: use.token, jkt: value })
          requireFirst(await store.claimId(used, use.at), proof, routine)
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
