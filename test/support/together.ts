/** Files of tests in one process: each is a suite that has the name of its file. */
import { relative } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'

/** What a file says outside its tests, such as `before`, holds for its own suite alone. */
export const runTogether = (root: string, files: readonly string[]): void => {
  for (const file of files) {
    describe(relative(root, file), async () => {
      await import(pathToFileURL(file).href)
    })
  }
}
