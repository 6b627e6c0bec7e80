/**
 * `npm run mutate`: plants one fault at a time and runs the tests that should find it. Each is printed,
 * and whether a test found it. `--part NAME` looks at one part, `--file PATH` at one file within `src/`, `--most N`
 * at N faults of each part, chosen by `--seed`. After `--minutes N` of a part no further fault is planted.
 */
import { spawn } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root, sources } from '../shape/source.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { parts } from './suites.ts'

const { values } = parseArgs({
  options: {
    part: { type: 'string' },
    file: { type: 'string' },
    most: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '600' },
    workers: { type: 'string', default: '2' },
  },
})

/** A group of tests that takes longer than this hangs. That finds the fault, too, and is told apart. */
const groupMilliseconds = 480_000

/** A generator of numbers below `bound`, the same for the same seed (Lehmer). */
const chooser = (seed: number) => {
  let state = (seed * 48_271 + 1) % 2_147_483_647
  return (bound: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % bound
  }
}

const chosen = (all: readonly Mutant[], most: number, seed: number): readonly Mutant[] => {
  const left = [...all]
  const choose = chooser(seed)
  const taken: Mutant[] = []
  while (taken.length < most && left.length > 0) taken.push(...left.splice(choose(left.length), 1))
  return taken
}

/** A checkout for planted faults; `node_modules` is shared. */
const newCheckout = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-mutation-'))
  const names = ['src', 'test', 'bin', 'docs', 'examples', 'package.json', 'tsconfig.json']
  for (const name of names) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

type Verdict = 'passed' | 'failed' | 'hung'

/** How the tests of a group end. */
const run = (folder: string, patterns: readonly string[]): Promise<Verdict> =>
  new Promise((resolve) => {
    const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: folder }))
    const args = ['--test', '--test-concurrency=2', '--disable-warning=ExperimentalWarning']
    const seed = `--import=${join(folder, 'test/support/preload.ts')}`
    const options = { cwd: folder, stdio: 'ignore', detached: true } as const
    const child = spawn(process.execPath, [...args, seed, ...files], options)
    let hung = false
    const end = setTimeout(() => {
      hung = true
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    }, groupMilliseconds)
    child.once('close', (code) => {
      clearTimeout(end)
      if (hung) resolve('hung')
      else resolve(code === 0 ? 'passed' : 'failed')
    })
  })

/** The result of the first group that finds the fault; `passed` if none does. */
const verdictOn = async (
  folder: string,
  mutant: Mutant,
  groups: readonly (readonly string[])[],
): Promise<Verdict> => {
  const file = join(folder, 'src', mutant.path)
  writeFileSync(file, mutant.text)
  try {
    for (const group of groups) {
      const verdict = await run(folder, group)
      if (verdict !== 'passed') return verdict
    }
    return 'passed'
  } finally {
    cpSync(join(root, 'src', mutant.path), file)
  }
}

const tell = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const folders = Array.from({ length: Number(values.workers) }, newCheckout)
const table: string[] = []
for (const { name, files, groups } of parts) {
  if (values.part !== undefined && values.part !== name) continue
  const isMeant = (path: string): boolean => files.test(path) && (values.file ?? path) === path
  const all = sources.filter(({ path }) => isMeant(path)).flatMap(mutantsOf)
  const queue = [...chosen(all, Number(values.most), Number(values.seed))]
  let [tried, found] = [0, 0]
  const end = performance.now() + Number(values.minutes) * 60_000
  const next = (): Mutant | undefined => (performance.now() < end ? queue.shift() : undefined)
  await Promise.all(
    folders.map(async (folder) => {
      for (let mutant = next(); mutant !== undefined; mutant = next()) {
        const verdict = await verdictOn(folder, mutant, groups)
        tried += 1
        if (verdict !== 'passed') found += 1
        const { path, line, change, shown } = mutant
        const said = { passed: 'NOT FOUND', failed: 'found', hung: 'found, since it hung' }[verdict]
        tell(`${said}: ${path}:${line} ${change}: ${shown}`)
      }
    }),
  )
  const row = `| ${name} | ${all.length} | ${tried} | ${found} |`
  table.push(row)
  tell(row)
}
tell(['| part | places | tried | found |', '|---|---|---|---|', ...table].join('\n'))
for (const folder of folders) rmSync(folder, { recursive: true, force: true })
