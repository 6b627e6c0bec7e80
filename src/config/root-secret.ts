/** The root secret of an embedded store: a file beside the database, so that neither is enough alone. */
import { open, readFile, rename, rm } from 'node:fs/promises'
import { syncFolder } from './sync-folder.ts'

/** The file that ought to hold the secret is not there or not readable. */
class RootSecretMissing extends Error {
  constructor(path: string, fault: string) {
    super(
      `the root secret ${path} ${fault}: restore the file, or set LATCHKEY_SECRET to the secret of the store's first start. Without it no token or session can be checked`,
    )
  }
}

class RootSecretUnwritable extends Error {
  constructor(path: string, fault: unknown) {
    const reason = hasCode(fault, 'ENOSPC') ? 'the disk is full' : String(fault)
    super(`the root secret ${path} cannot be written: ${reason}`)
  }
}

const hasCode = (fault: unknown, code: string): boolean =>
  fault instanceof Error && 'code' in fault && fault.code === code

/** Writes a file under another name and renames it once it is whole and durable. */
const writeWhole = async (path: string, text: string): Promise<void> => {
  const fresh = `${path}.new`
  try {
    await rm(fresh, { force: true })
    const file = await open(fresh, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(fresh, path)
    await syncFolder(path)
  } catch (fault) {
    await rm(fresh, { force: true })
    throw new RootSecretUnwritable(path, fault)
  }
}

/**
 * Reads the secret beside a database. Makes one only if the database has no keys yet. A new secret
 * for old keys would silently end everything sealed with them.
 *
 * @throws RootSecretMissing, RootSecretUnwritable
 */
export const readRootSecret = async (
  database: string,
  isNew: boolean,
  random: (bytes: number) => Uint8Array,
): Promise<string> => {
  const path = `${database}.key`
  try {
    const secret = (await readFile(path, 'utf8')).trim()
    if (secret.length >= 32) return secret
    // A start on a full disk may have left it empty, and then nothing is sealed with it.
    if (secret !== '' || !isNew) throw new RootSecretMissing(path, 'is empty or cut off')
  } catch (fault) {
    if (!hasCode(fault, 'ENOENT')) {
      throw fault instanceof RootSecretMissing
        ? fault
        : new RootSecretMissing(path, 'cannot be read')
    }
  }
  if (!isNew) throw new RootSecretMissing(path, 'is missing')
  const secret = Buffer.from(random(32)).toString('base64url')
  await writeWhole(path, `${secret}\n`)
  return secret
}
