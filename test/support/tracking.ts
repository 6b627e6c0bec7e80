/**
 * The runner follows every promise of a process, so that it can tell which test left an error behind.
 * It took a quarter of the processor time of tests with many promises. Here it follows promises only
 * while files of tests load. An error that a promise left behind still fails its file.
 */
import hooks, { type AsyncHook, type HookCallbacks } from 'node:async_hooks'

const { createHook } = hooks
const idle: AsyncHook = { enable: () => idle, disable: () => idle }
/** One follows promises, too. One of them is enabled. */
let full = idle
let light = idle
let isTracking = false

const applyTracking = (): void => {
  const [on, off] = isTracking ? [full, light] : [light, full]
  off.disable()
  on.enable()
}

/** The runner asks for its hook once, soon after the first test of a process is registered. */
const keepHook = (callbacks: HookCallbacks): AsyncHook => {
  const isOfRunner = full === idle
  if (!isOfRunner) return createHook(callbacks)
  full = createHook(callbacks)
  light = createHook({ ...callbacks, trackPromises: false })
  applyTracking()
  return idle
}
Object.assign(hooks, { createHook: keepHook })

/** A suite that loads its file gets the tests of the file only while promises are followed. */
export const startTracking = (): void => {
  isTracking = true
  applyTracking()
}

export const stopTracking = (): void => {
  isTracking = false
  applyTracking()
}
