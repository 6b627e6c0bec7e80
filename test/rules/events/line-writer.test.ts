/** Lines are written whole and in order, and whatever becomes of them holds up nobody. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { limits } from '../../../src/config/limits.ts'
import { createLineWriter } from '../../../src/events/line-writer.ts'

const folderOf = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

const openFile = (t: TestContext, flags: string): { fd: number; path: string } => {
  const path = join(folderOf(t), 'lines')
  closeSync(openSync(path, 'w'))
  const fd = openSync(path, flags)
  t.after(() => closeSync(fd))
  return { fd, path }
}

/** Comes once something is there, for as long as the test may run. */
const until = async (isThere: () => boolean): Promise<void> => {
  while (!isThere()) await setImmediate()
}

const numbered = (count: number, length: number): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${String(i).padEnd(length - 1, '.')}\n`)

test('lines are written whole and in the order in which they came, urgent or not', async (t) => {
  const folder = folderOf(t)
  const line = fc.record({ text: fc.string({ unit: 'binary' }), urgent: fc.boolean() })
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(line), async (lines) => {
      const path = join(folder, String(run++))
      const fd = openSync(path, 'a')
      const writer = createLineWriter(fd)
      for (const { text, urgent } of lines) writer.add(text, urgent)
      await writer.end()
      closeSync(fd)
      assert.equal(
        readFileSync(path, 'utf8'),
        Buffer.from(lines.map(({ text }) => text).join('')).toString(),
      )
    }),
  )
})

test('an urgent line waits for nothing, and takes along what was held before it', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { fd, path } = openFile(t, 'a')
  const writer = createLineWriter(fd)
  writer.add('one\n', false)
  writer.add('two\n', true)
  writer.add('three\n', true)
  await until(() => readFileSync(path, 'utf8').includes('three'))
  assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\nthree\n')
  await writer.end()
})

test('other lines are held until a moment has passed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { fd, path } = openFile(t, 'a')
  const writer = createLineWriter(fd)
  writer.add('one\n', false)
  writer.add('two\n', false)
  for (let turns = 0; turns < 100; turns++) await setImmediate()
  assert.equal(readFileSync(path, 'utf8'), '')
  t.mock.timers.tick(limits.logHoldMilliseconds)
  await until(() => readFileSync(path, 'utf8').includes('two'))
  await writer.end()
})

test('or until there are many', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { fd, path } = openFile(t, 'a')
  const writer = createLineWriter(fd)
  const lines = numbered(2, limits.logPieceCharacters)
  for (const line of lines) writer.add(line, false)
  await until(() => readFileSync(path, 'utf8').length === lines.join('').length)
  await writer.end()
})

test('lines that cannot be written are dropped, and nobody is troubled', async (t) => {
  const { fd } = openFile(t, 'r')
  const writer = createLineWriter(fd)
  writer.add('one\n', true)
  writer.add('two\n', false)
  await writer.end()
})

test('where nobody reads, a bounded number is held, and comes out once somebody does', async (t) => {
  const path = join(folderOf(t), 'pipe')
  execFileSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  t.after(() => closeSync(fd))
  const writer = createLineWriter(fd)
  const lines = numbered((2 * limits.logCharacters) / 1024, 1024)
  for (const line of lines) writer.add(line, false)
  let read = ''
  const piece = Buffer.alloc(64 * 1024)
  let isOver = false
  const end = writer.end().then(() => {
    isOver = true
  })
  const readSome = (): void => {
    try {
      read += piece.toString('latin1', 0, readSync(fd, piece))
    } catch (fault) {
      assert.equal((fault as NodeJS.ErrnoException).code, 'EAGAIN')
    }
  }
  await until(() => {
    readSome()
    return isOver
  })
  await end
  for (let pieces = 0; pieces < 2; pieces++) readSome()
  const kept = read.split('\n').slice(0, -1)
  assert.deepEqual(
    kept,
    lines.slice(0, kept.length).map((line) => line.trimEnd()),
  )
  assert.ok(read.length >= limits.logCharacters)
  assert.ok(read.length <= limits.logCharacters + limits.logPieceCharacters + 1024)
})
