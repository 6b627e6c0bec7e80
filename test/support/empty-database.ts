/**
 * A database file with the schema and nothing else, made once for a process. To make it takes half of
 * what it costs to open a new store, and tests start more than a thousand services.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqlite } from '../../src/store/engines/sqlite/sqlite.ts'
import { memoryOr } from './memory.ts'

const make = async (): Promise<Buffer> => {
  const folder = await mkdtemp(join(memoryOr(), 'latchkey-empty-'))
  const path = join(folder, 'latchkey.db')
  try {
    await (await openSqlite({ path })).close()
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

let made: Promise<Buffer> | null = null

/** Puts such a file there, as a closed service leaves it. */
export const putEmptyDatabase = async (path: string): Promise<void> => {
  made ??= make()
  await writeFile(path, await made, { mode: 0o600 })
}
