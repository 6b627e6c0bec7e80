#!/usr/bin/env node
/**
 * Starts Latchkey on whatever it finds: in a checkout it installs what is missing, and where the
 * running Node is too old it carries on under a newer one. Plain JavaScript for Node 18 and later.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { constants, cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findProgram } from './program.js'
import { findNode } from './runtime.js'

/**
 * A heap that keeps little of what requests leave behind (decision 14). What `NODE_OPTIONS`
 * says already comes first.
 */
const heap = '--max-semi-space-size=8 --max-old-space-size=1024'
/** Ends a test that hangs. It is far longer than any takes, however busy the machine is. */
const testMilliseconds = 600_000

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const lockFile = join(root, 'package-lock.json')
const isCheckout = existsSync(lockFile) && existsSync(join(root, 'src/cli.ts'))
/** What is fetched or compiled once: beside the program, where only those can write who could change it too. */
const cache = join(root, '.cache')

const tell = (text) => process.stderr.write(`latchkey: ${text}\n`)

/** The exit code by which a shell tells of a signal. */
const codeOf = (signal) => 128 + constants.signals[signal]

/**
 * Runs a program to its end, passing on the signals that ask this process to end. The child may
 * get such a signal twice, since a terminal signals the whole group.
 */
const carry = (command, args, options) =>
  new Promise((resolve) => {
    let asked = null
    const child = spawn(command, args, options)
    const forward = (signal) => {
      asked = signal
      child.kill(signal)
    }
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, forward)
    const end = (code) => {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.off(signal, forward)
      resolve({ code, asked })
    }
    child.once('error', (error) => {
      tell(`cannot run ${command}: ${error.message}`)
      end(1)
    })
    child.once('close', (code, signal) => end(signal === null ? code : codeOf(signal)))
  })

/** A step before the program itself: where it fails or is told to end, nothing follows it. */
const prepare = async (command, args, options) => {
  const { code, asked } = await carry(command, args, options)
  if (asked !== null) process.exit(codeOf(asked))
  if (code !== 0) {
    tell(`${command} ${args.join(' ')} failed with exit code ${code}`)
    process.exit(1)
  }
}

const packagesOf = (file) =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {}

/**
 * Whether all that the lock file names is installed. npm notes what it installed in a lock file of
 * its own; the versions in the two are compared, since times of files lie after a clone or a copy.
 */
const isInstalled = () => {
  const found = packagesOf(join(root, 'node_modules/.package-lock.json'))
  return Object.entries(packagesOf(lockFile)).every(([path, wanted]) => {
    if (path === '') return true
    const there = found[path]
    // Optional packages are for some platforms only, so npm leaves out those of the others.
    if (there === undefined) return wanted.optional === true || wanted.devOptional === true
    return there.version === wanted.version
  })
}

const install = async () => {
  tell('installing what package-lock.json names (npm ci)')
  // Development tools too, whatever NODE_ENV says, so that `npm test` finds what it needs.
  const options = [
    '--include=dev',
    '--ignore-scripts',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ]
  await prepare('npm', ['ci', ...options], { cwd: root, stdio: ['ignore', 2, 2] })
}

/**
 * Arguments for Node, so that it runs the tests: all of them by `test/all.ts`, or as somebody asked
 * with files and options of `node --test`.
 */
const testArguments = (args) => {
  const shared = [
    '--disable-warning=ExperimentalWarning',
    `--import=${pathToFileURL(join(root, 'test/support/preload.ts'))}`,
  ]
  if (args.length === 0) return [...shared, 'test/all.ts']
  const files = args.some((argument) => !argument.startsWith('-')) ? [] : ['test/**/*.test.ts']
  const beside = `--test-concurrency=${Math.min(cpus().length + 1, 8)}`
  return ['--test', beside, `--test-timeout=${testMilliseconds}`, ...shared, ...args, ...files]
}

/** Becomes another program, as a shell's `exec` does; returns where Node or the system cannot. */
const become = (file, args) => {
  // Whoever holds a channel to this process would lose it.
  if (process.platform === 'win32' || process.connected) return
  process.execve?.(file, [file, ...args], process.env)
}

const [verb, ...rest] = process.argv.slice(2)
if (isCheckout && !isInstalled()) await install()
const node = await findNode(cache, tell, prepare).catch((fault) => {
  tell(fault.message)
  process.exit(1)
})

/** Runs a part of the launcher itself; resolves with its exit code. */
const make = async (args) => {
  const { code, asked } = await carry(node, args, { stdio: 'ignore' })
  if (asked !== null) process.exit(codeOf(asked))
  return code
}

if (isCheckout && verb === 'test') {
  // Each of 150 processes loads the same modules: with this they share what one of them compiled.
  process.env.NODE_COMPILE_CACHE ??= join(cache, 'tests')
  // Made once before the files begin, since they would make it side by side.
  process.env.LATCHKEY_TEST_PROGRAM = await findProgram(root, cache, make)
  process.exit((await carry(node, testArguments(rest), { cwd: root, stdio: 'inherit' })).code)
} else if (isCheckout && verb === 'run') {
  // A script of the checkout (`npm run docs`, `npm run bench`) under the right Node.
  process.exit((await carry(node, rest, { cwd: root, stdio: 'inherit' })).code)
} else {
  const built = join(root, 'dist/program/cli.js')
  const entry = isCheckout ? await findProgram(root, cache, make) : built
  process.env.NODE_COMPILE_CACHE ??= join(cache, 'compiled')
  process.env.NODE_OPTIONS = `${heap} ${process.env.NODE_OPTIONS ?? ''}`
  // glibc would keep what is freed apart for every thread: a tenth of the whole, and a hash is 19 MB.
  process.env.MALLOC_ARENA_MAX ??= '1'
  // Node would tell each operator whose clients sign with ML-DSA of its WebCrypto, among lines of JSON.
  const args = ['--disable-warning=ExperimentalWarning', entry, ...process.argv.slice(2)]
  become(node, [...process.execArgv, ...args])
  // The channel closes when this process ends in whatever way: that ends the service too.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  process.exit((await carry(node, args, { stdio })).code)
}
