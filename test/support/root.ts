/** A root secret that never changes, for tests of wrapped keys. */
import { randomBytes } from 'node:crypto'
import { createVault, type Vault } from '../../src/crypto/wrap.ts'

export const vaultOf = (
  secret: string | null,
  random: (bytes: number) => Uint8Array = randomBytes,
): Vault => createVault({ inForce: () => secret, known: secret === null ? [] : [secret] }, random)

export const rootOf = (secret: string | null, random?: (bytes: number) => Uint8Array) => ({
  vault: vaultOf(secret, random),
  learn: async () => {},
})
