/** Folders for database files, removed afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import type { Opened } from './contract.ts'

const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'latchkey-store-'))

/** The path of a database that is not there yet, in a folder of its own for this test. */
export const newPath = (t: TestContext): string => {
  const folder = makeFolder()
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'latchkey.db')
}

export const openInFolder = async (): Promise<Opened> => {
  const folder = makeFolder()
  const path = join(folder, 'data', 'latchkey.db')
  let store = await openSqliteStore({ path })
  return {
    store,
    reopen: async () => {
      await store.close()
      store = await openSqliteStore({ path })
      return store
    },
    dispose: async () => {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
