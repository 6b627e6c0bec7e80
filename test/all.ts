/**
 * Every test. The longest files begin first, so that all processors end together. Files that need
 * no process of their own share a few: a process for each would load and warm up the same again.
 */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

const root = join(import.meta.dirname, '..')
const find = (pattern: string): readonly string[] => globSync(pattern, { cwd: root }).sort()

/** Ends a test that hangs. It is far longer than any takes, however busy the machine is. */
const testMilliseconds = 600_000
/** A file has many tests. */
const fileMilliseconds = 3 * testMilliseconds

/** One for a whole process: the certificates to trust, the environment. */
const processWide = /setDefaultCACertificates|process\.env\.\w+ =/
/** These count all hashes of their process, so they share one with each other only. */
const countsHashes = /support\/hashes\.ts/
const countsNone = /^(?!.*support\/hashes\.ts)/s
/** A server for each file of a process would run all the time. `takePostgres` is one for all. */
const ownServer = /findPostgres/

/** What takes longest, the longest first. */
const longest = [
  'test/pages/every-page.test.ts',
  'test/store/contract-postgres.test.ts',
  'test/simulation/simulation.test.ts',
  'test/faults/points.test.ts',
  'test/shape/package.test.ts',
  'test/shape/live-postgres.test.ts',
  'test/shape/tools.test.ts',
  'test/store/migrate.test.ts',
  'test/faults/kill.test.ts',
  'test/pages/playground.test.ts',
  'test/store/postgres-faults.test.ts',
  'test/faults/postgres.test.ts',
  'test/pages/playground-look.test.ts',
  'test/shape/commands.test.ts',
  'test/shape/people.test.ts',
  'test/shape/live.test.ts',
  'test/store/backup.test.ts',
]

const every = find('test/**/*.test.ts')
const missing = longest.filter((file) => !every.includes(file))
if (missing.length > 0) throw new Error(`no such tests: ${missing.join(', ')}`)

/** The files below a folder that may share a process, dealt to so many. Each takes about half a minute. */
const deal = (folder: string, parts: number, apart: readonly RegExp[]): readonly string[][] => {
  const isApart = (file: string): boolean => {
    const text = readFileSync(join(root, file), 'utf8')
    return longest.includes(file) || apart.some((mark) => mark.test(text))
  }
  const files = find(`${folder}/**/*.test.ts`).filter((file) => !isApart(file))
  return Array.from({ length: parts }, (_, part) => files.filter((_, i) => i % parts === part))
}
const shared = [
  ...deal('test/pages', 1, [processWide]),
  ...deal('test/shape', 3, [processWide, ownServer]),
  ...deal('test/{attacks,flows,rfc}', 8, [processWide, countsHashes]),
  ...deal('test/attacks', 1, [countsNone]),
  ...deal('test/{citus,faults,store,wire}', 2, [processWide, ownServer]),
  ...deal('test/rules', 1, []),
]

mkdirSync(join(root, '.cache'), { recursive: true })
const folder = mkdtempSync(join(root, '.cache/parts-'))
process.once('exit', () => rmSync(folder, { recursive: true }))

/** Writes a file of tests that runs these. */
const writePart = (files: readonly string[], part: number): string => {
  const maker = JSON.stringify(join(import.meta.dirname, 'support/together.ts'))
  const given = [root, files.map((file) => join(root, file))].map((one) => JSON.stringify(one))
  const path = join(folder, `${part + 1}.ts`)
  const browser = JSON.stringify(join(import.meta.dirname, 'pages/one-browser.ts'))
  // The browser of a part closes after all its files, so it is of no suite.
  const first = files.some((file) => file.startsWith('test/pages/')) ? `import ${browser}\n` : ''
  writeFileSync(
    path,
    `${first}import { runTogether } from ${maker}\nrunTogether(${given.join(', ')})\n`,
  )
  return path
}

const single = every.filter((file) => !longest.includes(file) && !shared.flat().includes(file))
/** Beside these others work, since they wait for a database server. So they do not come last. */
const waiting = single.filter((file) => ownServer.test(readFileSync(join(root, file), 'utf8')))
/** Each takes some seconds. Last, they keep all processors busy to the end. */
const short = single.filter((file) => !waiting.includes(file))

/** The part with a browser takes longer than any file, and Chromium's time is not in that of its process. */
const [pages = '', ...parts] = shared.map(writePart)

run({
  files: [pages, ...longest, ...waiting, ...parts, ...short].map((file) => resolve(root, file)),
  // Two more than processors: while some wait for a disk or a child, others work.
  concurrency: Math.min(cpus().length + 2, 8),
  timeout: fileMilliseconds,
  execArgv: [`--test-timeout=${testMilliseconds}`],
})
  .on('test:fail', () => {
    process.exitCode = 1
  })
  .compose(spec)
  .pipe(process.stdout)
