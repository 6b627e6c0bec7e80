/** A folder comes to the disk: only then do the names of new and renamed files in it last. */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** @param path of a file in the folder */
export const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** The same, for whoever cannot wait for a promise. */
export const syncFolderAtOnce = (path: string): void => {
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
