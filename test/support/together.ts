/** Files of tests in one process: each is a suite that has the name of its file. */
import { relative } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
// The one shared module that waits while it loads. Files that wait for a module together would all
// go on in the suite of the first, with the `before` and `after` of all others.
import '../shape/made-program.ts'
import { startTracking, stopTracking } from './tracking.ts'

/** What a file says outside its tests, such as `before`, holds for its own suite alone. */
export const runTogether = (root: string, files: readonly string[]): void => {
  let loading = files.length
  startTracking()
  for (const file of files) {
    describe(relative(root, file), async () => {
      await import(pathToFileURL(file).href)
      loading -= 1
      if (loading === 0) stopTracking()
    })
  }
}
