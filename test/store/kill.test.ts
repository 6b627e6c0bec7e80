/** Faults F-01 and F-11: a process that is killed while it writes, and two processes on one file. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import type { FamilyId } from '../../src/model/ids.ts'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import { newPath } from './folder.ts'
import { start, trace } from './moments.ts'
import { sampleRotation } from './sample.ts'

const startChild = (path: string, round: number): ChildProcess => {
  const file = new URL('./child.ts', import.meta.url).pathname
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  return spawn(process.execPath, [file, path, String(round)], { stdio: [...stdio] })
}

/** Reads so many acknowledgements, kills the process at once, and reads what it still said. */
const killAfter = async (child: ChildProcess, lines: number): Promise<Map<string, string>> => {
  assert.ok(child.stdout)
  const acknowledged = new Map<string, string>()
  let count = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const [familyId = '', state = ''] = line.split(' ')
    acknowledged.set(familyId, state)
    if (++count === lines) child.kill('SIGKILL')
  }
  assert.ok(count >= lines, 'the process ended before it was killed')
  return acknowledged
}

const checkRound = async (path: string, acknowledged: Map<string, string>): Promise<void> => {
  const store = await openSqliteStore({ path })
  for (const [id, state] of acknowledged) {
    const familyId = id as FamilyId
    const standing = await store.findStanding(familyId, start)
    if (state === 'ended') {
      assert.equal(standing, null)
      assert.equal(await store.isRedeemed(familyId), true)
    } else if (standing !== null) {
      assert.ok(standing.family.generation >= Number(state), `${id} was taken back`)
    } else {
      // Ended without having been able to say so: only the last word of a family may be missing.
      assert.equal(state, '2')
      const rotation = sampleRotation(familyId, 2)
      assert.deepEqual(await store.rotateRefreshToken(rotation, trace()), { outcome: 'ended' })
      assert.equal(await store.isRedeemed(familyId), true)
    }
  }
  await store.close()
}

test('F-01 what was acknowledged is there after kill -9 under load', async (t) => {
  const path = newPath(t)
  for (const [round, lines] of [100, 777, 2500, 1303].entries()) {
    const acknowledged = await killAfter(startChild(path, round), lines)
    assert.ok(acknowledged.size > 0)
    await checkRound(path, acknowledged)
  }
})

const firstLine = async (child: ChildProcess): Promise<string> => {
  assert.ok(child.stdout)
  const lines = createInterface({ input: child.stdout })
  const [line] = await once(lines, 'line')
  lines.close()
  return String(line)
}

test('F-11 a database in use by another process is refused, until that process is gone', async (t: TestContext) => {
  const path = newPath(t)
  const inUse = `the database ${path} is in use by another process`
  const store = await openSqliteStore({ path })
  const second = startChild(path, 0)
  assert.equal(await firstLine(second), `refused: ${inUse}`)
  await assert.rejects(openSqliteStore({ path }), { name: 'StoreRefusal', message: inUse })
  const link = `${path}.link`
  symlinkSync(path, link)
  const inUseToo = `the database ${link} is in use by another process`
  await assert.rejects(openSqliteStore({ path: link }), { message: inUseToo })
  // A refused open in this process has not released the lock either: others still find it taken.
  assert.equal(await firstLine(startChild(path, 2)), `refused: ${inUse}`)
  await store.ping()
  await store.close()

  const holder = startChild(path, 1)
  await firstLine(holder)
  await assert.rejects(openSqliteStore({ path }), { name: 'StoreRefusal', message: inUse })
  holder.kill('SIGKILL')
  await once(holder, 'close')
  const after = await openSqliteStore({ path })
  await after.ping()
  await after.close()
})
