/** Folders for stores on a healthy disk: in memory, if the system has such a place. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import type { Store } from '../../src/store/store.ts'
import { memoryOr } from '../support/memory.ts'

export interface Folder {
  readonly path: string
  remove(): void
}

export const newFolder = (parent = memoryOr()): Folder => {
  const path = mkdtempSync(join(parent, 'latchkey-faults-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export interface Opened {
  readonly store: Store
  readonly path: string
  dispose(): Promise<void>
}

export const openInMemory = async (): Promise<Opened> => {
  const folder = newFolder()
  const path = join(folder.path, 'latchkey.db')
  const store = await openSqliteStore({ path })
  return {
    store,
    path,
    dispose: async () => {
      await store.close()
      folder.remove()
    },
  }
}
