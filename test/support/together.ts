/** Files of tests in one process: each is a suite that has the name of its file. */
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
// The one shared module that waits while it loads. Files that wait for a module together would all
// go on in the suite of the first, with the `before` and `after` of all others.
import '../shape/made-program.ts'
import { startTracking, stopTracking } from './tracking.ts'

const load = createRequire(import.meta.url)

/** Loads a file at once, unless it waits while it loads: an import visits all modules again for each file. */
const loadAtOnce = (file: string): boolean => {
  try {
    load(file)
    return true
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'ERR_REQUIRE_ASYNC_MODULE')
      return false
    throw fault
  }
}

/** What a file says outside its tests, such as `before`, holds for its own suite alone. */
export const runTogether = (root: string, files: readonly string[]): void => {
  let loading = 0
  for (const file of files) {
    describe(relative(root, file), () => {
      if (loadAtOnce(file)) return
      if (loading === 0) startTracking()
      loading += 1
      return import(pathToFileURL(file).href).finally(() => {
        loading -= 1
        if (loading === 0) stopTracking()
      })
    })
  }
}
