/** Lines are written whole and in order, and whatever becomes of them holds up nobody. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
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
import { LineWriter, lineLimits } from '../../../src/events/log.ts'

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

const dropped = (lines: number): string => `dropped ${lines}\n`

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
      const writer = new LineWriter(fd, dropped)
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
  const writer = new LineWriter(fd, dropped)
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
  const writer = new LineWriter(fd, dropped)
  writer.add('one\n', false)
  writer.add('two\n', false)
  for (let turns = 0; turns < 100; turns++) await setImmediate()
  assert.equal(readFileSync(path, 'utf8'), '')
  t.mock.timers.tick(lineLimits.logHoldMilliseconds)
  await until(() => readFileSync(path, 'utf8').includes('two'))
  await writer.end()
})

test('or until there are many', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { fd, path } = openFile(t, 'a')
  const writer = new LineWriter(fd, dropped)
  const lines = numbered(2, lineLimits.logPieceCharacters)
  for (const line of lines) writer.add(line, false)
  await until(() => readFileSync(path, 'utf8').length === lines.join('').length)
  await writer.end()
})

test('lines that cannot be written are dropped, and nobody is troubled', async (t) => {
  const { fd } = openFile(t, 'r')
  const writer = new LineWriter(fd, dropped)
  writer.add('one\n', true)
  writer.add('two\n', false)
  await writer.end()
  assert.equal(writer.droppedLines, 2)
})

test('where nobody reads, a bounded number is held, and comes out once somebody does', async (t) => {
  const path = join(folderOf(t), 'pipe')
  execFileSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  t.after(() => closeSync(fd))
  const writer = new LineWriter(fd, dropped)
  const lines = numbered((2 * lineLimits.logCharacters) / 1024, 1024)
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
  const [told, ...kept] = read.split('\n').slice(0, -1).reverse()
  assert.equal(`${told}\n`, dropped(lines.length - kept.length))
  assert.equal(writer.droppedLines, lines.length - kept.length)
  assert.deepEqual(
    kept.reverse(),
    lines.slice(0, kept.length).map((line) => line.trimEnd()),
  )
  assert.ok(read.length >= lineLimits.logCharacters)
  assert.ok(read.length <= lineLimits.logCharacters + lineLimits.logPieceCharacters + 1024)
})

/** Runs a module of its own, with `LineWriter`, `dropped` and a path at hand; answers its last words. */
const runAlone = (script: string, path: string, limit: string): string => {
  const module = new URL('../../../src/events/log.ts', import.meta.url).href
  const head = `
    import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
    import { setImmediate } from 'node:timers/promises'
    import { LineWriter } from ${JSON.stringify(module)}
    const path = ${JSON.stringify(path)}
    const dropped = (lines) => 'dropped ' + lines + '\\n'
    const line = (name) => name.padEnd(999, '.') + '\\n'`
  const node = [process.execPath, '--input-type=module', '-e', head + script]
  const { stderr } = spawnSync('/bin/sh', ['-c', `${limit}; exec "$@"`, 'sh', ...node], {
    timeout: 100_000,
    encoding: 'utf8',
  })
  return stderr
}

test('after a full disk a new line begins, and says how many are missing', (t) => {
  const path = join(folderOf(t), 'lines')
  const script = `
    const fd = openSync(path, 'a')
    const writer = new LineWriter(fd, dropped)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) writer.add(line(name), false)
    await writer.end()
    writer.add(line('g'), true)
    await writer.end()
    // Room again, behind half of the second line.
    ftruncateSync(fd, 1500)
    writer.add(line('h'), true)
    await writer.end()
    writer.add(line('i'), true)
    await writer.end()
    process.stderr.write(String(writer.droppedLines))`
  // Eight blocks of 512 bytes: four lines and a bit of the fifth.
  assert.equal(runAlone(script, path, 'ulimit -f 8'), '3')
  const names = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.replace(/\.+$/, ''))
  assert.deepEqual(names, ['a', 'b', 'dropped 3', 'h', 'i', ''])
})

test('a process that ends by a fault writes what waited for room before its last words', (t) => {
  const path = join(folderOf(t), 'pipe')
  execFileSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  t.after(() => closeSync(fd))
  const script = `
    const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
    const piece = Buffer.alloc(4096)
    const untilNoMore = (act) => {
      try { for (;;) act() } catch (fault) { if (fault.code !== 'EAGAIN') throw fault }
    }
    untilNoMore(() => writeSync(fd, piece))
    const writer = new LineWriter(fd, dropped)
    writer.add('one\\n', true)
    // Only what tries again later waits for a time.
    while (!process.getActiveResourcesInfo().includes('Timeout')) await setImmediate()
    untilNoMore(() => readSync(fd, piece))
    writer.add('two\\n', true)
    throw new Error('why')`
  assert.match(runAlone(script, path, ':'), /Error: why/)
  const piece = Buffer.alloc(64)
  assert.equal(piece.toString('latin1', 0, readSync(fd, piece)), 'one\ntwo\n')
})
