/** Checks the signatures of DPoP proofs without `node:crypto`, for the guard of an API. */
import { calculateJwkThumbprint } from 'jose'
import { openPublicKey, type VerifyingKey, verifyWithKey } from '../crypto/jose.ts'
import type { PublicKey } from '../model/key.ts'
import { createHeaders, dpopLimits, type ProofCheck, type ProofHeader } from './dpop-proof.ts'

interface ProofKey {
  readonly key: VerifyingKey
  readonly jkt: string
}

const hasSafeSize = (key: VerifyingKey): boolean => {
  if (!('algorithm' in key) || !('modulusLength' in key.algorithm)) return true
  const bits = Number(key.algorithm.modulusLength)
  const { least, most } = dpopLimits.modulusBits
  return bits >= least && bits <= most
}

const openKey = async (publicKey: PublicKey, algorithm: string): Promise<ProofKey | null> => {
  try {
    const key = await openPublicKey(publicKey, algorithm)
    return hasSafeSize(key) ? { key, jkt: await calculateJwkThumbprint({ ...publicKey }) } : null
  } catch {
    return null
  }
}

/** An imported key is kept for as long as the header that it stands in. */
export const createProofCheck = (): ProofCheck => {
  const keys = new WeakMap<ProofHeader, ProofKey>()
  return {
    headers: createHeaders(),
    async check(text, header) {
      const { publicKey, algorithm } = header
      const opened = keys.get(header) ?? (await openKey(publicKey, algorithm))
      if (opened === null) return 'no key'
      keys.set(header, opened)
      const claims = await verifyWithKey(text, opened.key, algorithm)
      return claims && { claims, jkt: opened.jkt }
    },
  }
}
