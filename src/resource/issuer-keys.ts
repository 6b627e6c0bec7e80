/** The keys of the issuer (RFC 7517), kept in memory. */
import { openPublicKey, type VerifyingKey, verifyWith } from '../crypto/jose.ts'
import { isObject, type JsonObject } from '../model/json.ts'
import { isKeyFor, type SigningAlgorithm, signingAlgorithms } from '../model/key.ts'
import { guardLimits } from './guard-limits.ts'
import { askIssuer, IssuerFault } from './issuer.ts'

interface KnownKey {
  /** Null where this runtime lacks the algorithm. */
  readonly key: VerifyingKey | null
  readonly algorithm: SigningAlgorithm
}

type Keys = ReadonlyMap<string, KnownKey>

/** `alg` is a part of an `AKP` key alone (RFC 9964 section 3). */
const listMembers = (kty: unknown): readonly string[] =>
  kty === 'AKP' ? ['kty', 'alg', 'pub'] : ['kty', 'n', 'e', 'crv', 'x', 'y']

const openKey = async (
  found: Readonly<Record<string, unknown>>,
): Promise<readonly [string, KnownKey] | null> => {
  const { kid, use, kty } = found
  if (typeof kid !== 'string' || (use !== undefined && use !== 'sig')) return null
  const publicKey = Object.fromEntries(
    listMembers(kty).flatMap((name) => {
      const value = found[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
  // The algorithm follows from the key. A header that names another one is refused.
  const algorithm = signingAlgorithms.find((one) => isKeyFor(publicKey, one))
  if (algorithm === undefined) return null
  try {
    return [kid, { key: await openPublicKey(publicKey, algorithm), algorithm }]
  } catch {
    return kty === 'AKP' ? [kid, { key: null, algorithm }] : null
  }
}

const load = async (place: string, send: typeof fetch): Promise<Keys> => {
  // A cache on the way may still have a key that was taken away.
  const headers = { 'Cache-Control': 'no-cache' }
  const { status, said } = await askIssuer(place, { headers }, send)
  const { keys } = said
  if (status !== 200 || !Array.isArray(keys)) {
    throw new IssuerFault('no_keys', `${place} answers ${status} and no keys`)
  }
  const objects = keys.filter(isObject)
  const opened = await Promise.all(objects.map(openKey))
  return new Map(opened.filter((one) => one !== null))
}

/** @param findPlace the URL of the keys */
export const createIssuerKeys = (
  findPlace: () => Promise<string>,
  send: typeof fetch,
  clock: () => number,
) => {
  let known: Keys | null = null
  let loading: Promise<Keys> | null = null
  let askedAt = 0
  /** When the keys in memory were asked for. */
  let knownAt = 0
  let forgottenAt = Number.NEGATIVE_INFINITY

  const reload = (): Promise<Keys> => {
    loading ??= (async () => {
      try {
        const at = clock()
        askedAt = at
        known = await load(await findPlace(), send)
        knownAt = at
        return known
      } finally {
        loading = null
      }
    })()
    return loading
  }

  /** Anyone can name a key that there is not. */
  const mayReload = (): boolean =>
    clock() < askedAt || clock() - askedAt >= guardLimits.keysSeconds * 1000

  /** Not every node of the issuer knows at once that a key was taken away, and each may answer. */
  const mayBeOld = (): boolean => knownAt < forgottenAt + guardLimits.keysSettleSeconds * 1000

  return {
    /** The claims of a JWT if the issuer signed it; null otherwise. @throws IssuerFault */
    async verify(jwt: string, kid: string): Promise<JsonObject | null> {
      let keys = known ?? (await reload())
      if ((!keys.has(kid) || mayBeOld()) && mayReload()) keys = await reload()
      const found = keys.get(kid)
      if (found === undefined) return null
      const { key, algorithm } = found
      if (key !== null) return verifyWith(jwt, key, algorithm)
      throw new IssuerFault(
        'unsupported_algorithm',
        `this Node cannot check ${algorithm}: use Node 24.7 or later, or set offline to false`,
      )
    },
    /** A key was taken away: the next JWT waits for the keys of now. */
    forget(): void {
      known = null
      forgottenAt = clock()
    },
  }
}

export type IssuerKeys = ReturnType<typeof createIssuerKeys>
