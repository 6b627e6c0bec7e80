/** A deletion asks at a terminal. Elsewhere nothing is deleted without `--yes`. */
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { confirm } from '../../../src/cli/admin/work.ts'
import { UsageFault } from '../../../src/config/remote.ts'

/** Puts a terminal in the place of this one, or none. */
const typeAt = (t: TestContext, isTTY: boolean, typed: string) => {
  const before = { stdin: process.stdin, stderr: process.stderr }
  const stdin = Object.assign(new PassThrough(), { isTTY })
  const stderr = Object.assign(new PassThrough(), { isTTY })
  const put = (streams: object): void => {
    for (const [name, value] of Object.entries(streams)) {
      Object.defineProperty(process, name, { value, configurable: true })
    }
  }
  put({ stdin, stderr })
  t.after(() => put(before))
  stdin.end(typed)
  return {
    async asked() {
      stderr.end()
      return text(stderr)
    },
  }
}

test('at a terminal, what ends is named, and only yes goes on', async (t) => {
  const terminal = typeAt(t, true, 'Yes \n')
  await confirm('ada goes.', {}, 'nothing was deleted')
  assert.match(await terminal.asked(), /ada goes\. Type yes to go on: /)
  for (const typed of ['no\n', 'y\n', '\n', '']) {
    typeAt(t, true, typed)
    await assert.rejects(
      confirm('ada goes.', {}, 'nothing was deleted'),
      new UsageFault('nothing was deleted'),
    )
  }
})

test('where nobody can answer, --yes is needed', async (t) => {
  typeAt(t, false, 'yes\n')
  const fault = new UsageFault('ada goes. Say --yes for it')
  await assert.rejects(confirm('ada goes.', {}, 'nothing was deleted'), fault)
  await confirm('ada goes.', { yes: true }, 'nothing was deleted')
})
