/** Folders for database files, removed afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openSqlite } from '../../src/store/engines/sqlite/sqlite.ts'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import { createSqlStore } from '../../src/store/sql/sql-store.ts'
import type { Store } from '../../src/store/store.ts'
import { memoryOr } from '../support/memory.ts'
import type { Opened } from './contract.ts'

const makeFolder = (): string => mkdtempSync(join(memoryOr(), 'latchkey-store-'))

/** The path of a database that is not there yet, in a folder of its own for this test. */
export const newPath = (t: TestContext): string => {
  const folder = makeFolder()
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'latchkey.db')
}

type OpenFile = (options: { readonly path: string }) => Promise<Store>

/** A store that reads everything from the file, each time. */
export const openForgetful: OpenFile = async ({ path }) =>
  createSqlStore(await openSqlite({ path }))

export const openInFolder = async (openFile: OpenFile = openSqliteStore): Promise<Opened> => {
  const folder = makeFolder()
  const path = join(folder, 'data', 'latchkey.db')
  let store = await openFile({ path })
  return {
    store,
    reopen: async () => {
      await store.close()
      store = await openFile({ path })
      return store
    },
    dispose: async () => {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
