/**
 * A shell with a `curl` that prints its arguments, and a shell against a service in this process.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { writeScript } from '../shape/process.ts'
import type { Reachable } from './browser.ts'
import type { Answer } from './start.ts'

export interface Shell {
  /** The arguments of `curl` when the command runs. */
  argumentsOf(command: string): readonly string[]
  /** What the commands have left behind in their folder. */
  left(): readonly string[]
  close(): void
}

export const openShell = (): Shell => {
  const place = mkdtempSync(join(tmpdir(), 'latchkey-shell-'))
  const programs = join(place, 'bin')
  writeScript(programs, 'curl', [`printf '%s\\0' "$@"`])
  const env = { PATH: `${programs}${delimiter}${process.env.PATH ?? ''}`, ADMIN_TOKEN: 'T' }
  return {
    argumentsOf(command) {
      const out = execFileSync('/bin/sh', ['-c', command], { cwd: place, env, encoding: 'utf8' })
      return out.split('\0').slice(0, -1)
    },
    left: () => readdirSync(place).filter((name) => name !== 'bin'),
    close: () => rmSync(place, { recursive: true }),
  }
}

/** Asks the service what `curl` would have asked, with this token as the operator's. */
export const askAsCurl = (
  args: readonly string[],
  token: string,
  service: Reachable,
): Promise<Answer> => {
  const after = (flag: string): readonly string[] =>
    args.flatMap((arg, at) => (arg === flag ? [args[at + 1] ?? ''] : []))
  const headers = new Headers()
  for (const header of after('-H')) {
    const [name = '', value = ''] = header.split(': ')
    headers.set(name, value.replace(/^Bearer T$/, `Bearer ${token}`))
  }
  const [method = 'GET'] = after('-X')
  const [body = null] = after('--data-raw')
  return service.ask(args.at(-1) ?? '', { method, headers, body })
}
