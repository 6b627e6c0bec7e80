/**
 * Firebase: `passwordHash` and `salt` of an exported user, together with the hash parameters of the
 * project (`signerKey`, `saltSeparator`, `rounds`, `memoryCost`).
 */
import { renderPhc } from '../../crypto/hashes/phc.ts'
import { withoutSignerKey } from '../../crypto/hashes/scrypt.ts'
import { bytesOf, type HashNotation, incomplete, objectIn } from './notation.ts'

/** Firebase also writes numbers as text. */
const wholeNumber = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  return Number.isSafeInteger(number) ? Number(number) : null
}

export const firebaseNotation: HashNotation = {
  title: 'a password of Firebase',
  read(given) {
    const said = objectIn(given)
    if (said === null || !('passwordHash' in said)) return null
    const hash = bytesOf(said.passwordHash)
    const salt = bytesOf(said.salt)
    const signerKey = bytesOf(said.signerKey)
    if (signerKey === null) return { problem: 'it needs the hash parameters of the project' }
    const separator = bytesOf(said.saltSeparator) ?? Buffer.alloc(0)
    const ln = wholeNumber(said.memoryCost)
    const r = wholeNumber(said.rounds)
    if (hash === null || salt === null || ln === null || r === null) return incomplete
    if (hash.length !== signerKey.length) return incomplete
    return {
      hash: renderPhc({
        name: 'firebase-scrypt',
        version: null,
        parameters: { ln, r, p: 1 },
        salt: Buffer.concat([salt, separator]),
        hash: withoutSignerKey(hash, signerKey),
      }),
    }
  },
}
