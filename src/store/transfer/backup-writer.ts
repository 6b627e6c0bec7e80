/** Writing a backup: under another name, until it is whole and durable. */
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { syncFolder } from '../../config/sync-folder.ts'
import { runningDigest } from '../../crypto/running-digest.ts'
import { StoreRefusal } from '../fault.ts'
import { type BackupHeader, backupFormat, type Counts, type Part } from './backup-format.ts'

export interface WrittenBackup {
  readonly rows: Counts
  readonly bytes: number
  readonly sha256: string
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const writeLines = async (
  file: FileHandle,
  header: BackupHeader,
  parts: AsyncIterable<Part>,
): Promise<WrittenBackup> => {
  const digest = runningDigest()
  const rows: Record<string, number> = {}
  let bytes = 0
  const put = async (text: string): Promise<void> => {
    const piece = Buffer.from(text)
    bytes += piece.length
    await file.writeFile(piece)
  }
  const say = async (lines: readonly unknown[]): Promise<void> => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    digest.add(text)
    await put(text)
  }
  await say([{ latchkey: 'backup', format: backupFormat, ...header }])
  for await (const part of parts) {
    const { table, columns } = part
    await say(table in rows ? part.rows : [{ table, columns }, ...part.rows])
    rows[table] = (rows[table] ?? 0) + part.rows.length
  }
  const sha256 = digest.end()
  await put(`${JSON.stringify({ rows, sha256 })}\n`)
  return { rows, bytes, sha256 }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there',
  EACCES: 'its folder is not writable',
  ENOSPC: 'the disk is full',
}

const explain = (path: string, error: unknown): unknown => {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error
  const code = String(error.code)
  return new StoreRefusal(`the backup ${path} cannot be written: ${reasons[code] ?? code}`)
}

/**
 * Writes a backup under another name and gives it its own once it is whole and durable.
 *
 * @throws StoreRefusal where there is such a file already
 */
export const writeBackup = async (
  path: string,
  header: BackupHeader,
  parts: AsyncIterable<Part>,
): Promise<WrittenBackup> => {
  if (await exists(path)) {
    throw new StoreRefusal(`there is already a file ${path}; choose another name`)
  }
  const unfinished = `${path}.part`
  let file: FileHandle | null = null
  try {
    await rm(unfinished, { force: true })
    file = await open(unfinished, 'wx', 0o600)
    const written = await writeLines(file, header, parts)
    await file.sync()
    await file.close()
    await rename(unfinished, path)
    await syncFolder(path)
    return written
  } catch (error) {
    await file?.close().catch(() => {})
    if (file !== null) await rm(unfinished, { force: true })
    throw explain(path, error)
  }
}
