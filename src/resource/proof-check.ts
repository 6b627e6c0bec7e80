/** Checks the signatures of DPoP proofs without `node:crypto`, for the guard of an API. */
import { calculateJwkThumbprint } from 'jose'
import { openPublicKey, type VerifyingKey, verifyWithKey } from '../crypto/jose.ts'
import type { PublicKey } from '../model/key.ts'
import { type CheckProof, dpopLimits } from './dpop-proof.ts'
import { guardLimits } from './guard-limits.ts'

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

/** Keys of senders, of whom many send proof after proof. The oldest goes first. */
const createKeys = () => {
  const opened = new Map<string, ProofKey>()
  return {
    find: (id: string): ProofKey | undefined => opened.get(id),
    keep(id: string, key: ProofKey): void {
      opened.delete(id)
      opened.set(id, key)
      const [oldest] = opened.keys()
      if (opened.size > guardLimits.rememberedKeys && oldest !== undefined) opened.delete(oldest)
    },
  }
}

/** Only keys of right proofs are remembered. */
export const createProofCheck = (): CheckProof => {
  const keys = createKeys()
  return async (text, publicKey, algorithm) => {
    const id = `${algorithm} ${JSON.stringify(publicKey)}`
    const opened = keys.find(id) ?? (await openKey(publicKey, algorithm))
    if (opened === null) return 'no key'
    const claims = await verifyWithKey(text, opened.key, algorithm)
    if (claims === null) return null
    keys.keep(id, opened)
    return { claims, jkt: opened.jkt }
  }
}
