/** What the tests of a file or a suite need: opened before them, closed after them. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'

/**
 * It may be named at once, and used as soon as the tests begin.
 *
 * @param prepare runs once it is open
 */
export const openBefore = <Opened extends object>(
  open: () => Promise<Opened>,
  close: (opened: Opened) => unknown,
  prepare: () => Promise<void> = async () => {},
): Opened => {
  let opened: Opened | undefined
  before(async () => {
    opened = await open()
    await prepare()
  })
  after(async () => {
    if (opened !== undefined) await close(opened)
  })
  return new Proxy({} as Opened, {
    get: (_, name) => Reflect.get(opened ?? assert.fail('not open yet'), name),
  })
}
