/** The hash parameters of a Firebase project, as its console or its API shows them. */

import { readFile } from 'node:fs/promises'
import { UsageFault } from '../../config/remote.ts'
import { objectIn } from '../../owners/hashes/notation.ts'

/** The names of the console, and those of the API. */
const names = {
  signerKey: ['base64_signer_key', 'signerKey'],
  saltSeparator: ['base64_salt_separator', 'saltSeparator'],
  rounds: ['rounds'],
  memoryCost: ['mem_cost', 'memoryCost'],
} as const

/** @returns null without a file */
export const readFirebaseParameters = async (path: unknown): Promise<object | null> => {
  if (typeof path !== 'string') return null
  const text = await readFile(path, 'utf8')
  const found = Object.entries(names).flatMap(([name, written]) => {
    const line = new RegExp(`(?:^|[\\s"{,])(?:${written.join('|')})"?\\s*:\\s*"?([^\\s",}]+)`)
    const value = line.exec(text)?.[1]
    return value === undefined ? [] : [[name, value]]
  })
  if (found.length < Object.keys(names).length) {
    const needed = Object.values(names).map(([name]) => name)
    throw new UsageFault(`${path} has to name ${needed.join(', ')}`)
  }
  return Object.fromEntries(found)
}

/** Puts them into a hash of Firebase. */
export const withFirebase = (
  members: Record<string, unknown>,
  firebase: object | null,
): Record<string, unknown> => {
  if (firebase === null) return members
  const hash = objectIn(members.password_hash)
  if (hash === null || !('passwordHash' in hash)) return members
  return { ...members, password_hash: { ...firebase, ...hash } }
}
