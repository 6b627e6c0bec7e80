import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { it } from 'node:test'
import { letPoolGiveWay } from '../../../src/cli/process.ts'

interface Thread {
  readonly name: string
  readonly niceness: number
}

/** Null where the thread has ended since it was listed. */
const statusOf = (thread: string): string | null => {
  try {
    return readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

const threads = (): readonly Thread[] =>
  readdirSync('/proc/self/task').flatMap((thread) => {
    const status = statusOf(thread)
    if (status === null) return []
    // "id (name) state ...": the niceness is the 19th field, the 17th after the name.
    const [, name = '', rest = ''] = /\((.*)\) (.*)/.exec(status) ?? []
    return [{ name, niceness: Number(rest.split(' ')[16]) }]
  })

const skip = process.platform === 'linux' ? false : 'only on Linux threads have priorities'

it('lets those who hash and write files stand behind all other threads', { skip }, async () => {
  const usual = getPriority()
  await letPoolGiveWay()
  const pool = threads().filter(({ name }) => name === 'libuv-worker')
  const others = threads().filter(({ name }) => name !== 'libuv-worker')
  assert.ok(pool.length > 0)
  assert.deepEqual(
    new Set(pool.map(({ niceness }) => niceness)),
    new Set([Math.min(usual + 10, 19)]),
  )
  assert.deepEqual(new Set(others.map(({ niceness }) => niceness)), new Set([usual]))
})
