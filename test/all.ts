/**
 * Every test. The longest files begin first, so that all processors end together. Files that need
 * no process of their own share a few: a process for each would cost four times its start.
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

/** One for a whole process: the hashes that are counted, the certificates to trust, the environment. */
const processWide = /support\/hashes\.ts|setDefaultCACertificates|process\.env\.\w+ =/
const isApart = (file: string): boolean => processWide.test(readFileSync(join(root, file), 'utf8'))

/** What takes longest, the longest first. */
const longest = [
  'test/simulation/simulation.test.ts',
  'test/shape/package.test.ts',
  'test/store/contract-postgres.test.ts',
  'test/shape/people.test.ts',
  'test/pages/every-page.test.ts',
  'test/shape/live-postgres.test.ts',
  'test/shape/live.test.ts',
  'test/shape/tools.test.ts',
  'test/pages/playground.test.ts',
  'test/pages/playground-look.test.ts',
  'test/store/backup.test.ts',
]

/** Processes for the files that ask a service. Each takes half a minute. */
const parts = 8

const every = find('test/**/*.test.ts')
const missing = longest.filter((file) => !every.includes(file))
if (missing.length > 0) throw new Error(`no such tests: ${missing.join(', ')}`)

/** Files by process: the rules compute, and the others ask a service. */
const rules = find('test/rules/**/*.test.ts')
const asking = find('test/{attacks,flows,rfc}/**/*.test.ts').filter((file) => !isApart(file))
const deal = (part: number) => asking.filter((_, i) => i % parts === part)
const shared = [...Array.from({ length: parts }, (_, part) => deal(part)), rules]

mkdirSync(join(root, '.cache'), { recursive: true })
const folder = mkdtempSync(join(root, '.cache/parts-'))
process.once('exit', () => rmSync(folder, { recursive: true }))

/** Writes a file of tests that runs these. */
const writePart = (files: readonly string[], part: number): string => {
  const maker = JSON.stringify(join(import.meta.dirname, 'support/together.ts'))
  const given = [root, files.map((file) => join(root, file))].map((one) => JSON.stringify(one))
  const path = join(folder, `${part + 1}.ts`)
  writeFileSync(path, `import { runTogether } from ${maker}\nrunTogether(${given.join(', ')})\n`)
  return path
}

const first = [...longest, ...shared.map(writePart)]
const last = every.filter((file) => !longest.includes(file) && !shared.flat().includes(file))

run({
  files: [...first, ...last].map((file) => resolve(root, file)),
  // One more than processors: while one waits for a disk or a child, another one works.
  concurrency: Math.min(cpus().length + 1, 8),
  timeout: fileMilliseconds,
  execArgv: [`--test-timeout=${testMilliseconds}`],
})
  .on('test:fail', () => {
    process.exitCode = 1
  })
  .compose(spec)
  .pipe(process.stdout)
