/** The root secret of an embedded store: a file beside the database, so that neither is enough alone. */
import { open, readFile } from 'node:fs/promises'

/** The file that ought to hold the secret is not there or not readable. */
class RootSecretMissing extends Error {
  constructor(path: string, fault: string) {
    super(
      `the root secret ${path} ${fault}: restore the file, or set LATCHKEY_SECRET to the secret that the store was first started with; without it no token or session can be checked`,
    )
  }
}

const hasCode = (fault: unknown, code: string): boolean =>
  fault instanceof Error && 'code' in fault && fault.code === code

/**
 * Reads the secret beside a database, and makes one only where the database has no keys yet: a new
 * secret for old keys would silently end everything sealed with them.
 *
 * @throws RootSecretMissing
 */
export const rootSecretBeside = async (
  database: string,
  isNew: boolean,
  random: (bytes: number) => Uint8Array,
): Promise<string> => {
  const path = `${database}.key`
  try {
    const secret = (await readFile(path, 'utf8')).trim()
    if (secret.length >= 32) return secret
    throw new RootSecretMissing(path, 'is empty or cut off')
  } catch (fault) {
    if (!hasCode(fault, 'ENOENT')) {
      throw fault instanceof RootSecretMissing
        ? fault
        : new RootSecretMissing(path, 'cannot be read')
    }
  }
  if (!isNew) throw new RootSecretMissing(path, 'is missing')
  const secret = Buffer.from(random(32)).toString('base64url')
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(`${secret}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  return secret
}
