/** How another server writes a password hash, and what it becomes here: a PHC string. */

/** `problem`: in words for the operator, without any part of the hash. */
export type ReadHash = { readonly hash: string } | { readonly problem: string }

export interface HashNotation {
  /** What errors call it. */
  readonly title: string
  /** Null where the value is in another notation. */
  read(given: unknown): ReadHash | null
}

/** Base64 in any of its alphabets, with or without padding; LDAP writes `.` for `+`. Null = it is none. */
export const bytesOf = (text: unknown): Buffer | null => {
  if (typeof text !== 'string') return null
  const plain = text.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/')
  const usual = plain.replaceAll('.', '+')
  return /^[A-Za-z0-9+/]+$/.test(usual) ? Buffer.from(usual, 'base64') : null
}

/** JSON text where text comes, as out of a CSV file. */
export const objectIn = (given: unknown): Readonly<Record<string, unknown>> | null => {
  if (typeof given === 'string') {
    if (!given.startsWith('{"')) return null
    try {
      return objectIn(JSON.parse(given))
    } catch {
      return null
    }
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null
  return { ...given }
}

export const incomplete: ReadHash = { problem: 'it is not complete' }
