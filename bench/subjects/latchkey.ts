/** Latchkey itself, started as anybody starts it. */
import { join } from 'node:path'
import { isPinned } from '../cores.ts'
import { type Operation, operations } from '../load/job.ts'
import type { Mint } from '../mint.ts'
import { addIdTokenClient, addJwtClient, addKeyClient } from '../operator.ts'
import { spawnNode } from '../process.ts'
import type { Subject } from './subject.ts'

const here = join(import.meta.dirname, '../..')
/** What the launcher tells Node, for who starts the program past it. */
export const heap = ['--max-semi-space-size=8', '--max-old-space-size=1024']

interface Kept {
  readonly name: string
  readonly about: string
  /** As in `LATCHKEY_STORE`. */
  readonly store: string
  readonly stored: number | null
  readonly mint?: Mint
  readonly place?: 'server' | 'server beside'
  /** Of another node, whose tokens this one takes; its own address where it is left out. */
  readonly issuer?: string
}

/** The environment without any setting that somebody made for another Latchkey. */
export const plainEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(LATCHKEY_|PORT$|HOST$|NODE_)/.test(name)),
  )

const isCold = (operation: Operation): boolean => operation.endsWith('-cold')

/** The launcher, or the program itself where Node gets arguments of its own. */
const programOf = (checkout: string, nodeArguments: readonly string[]): string =>
  join(checkout, nodeArguments.length > 0 ? 'src/cli.ts' : 'bin/latchkey.js')

/** Its log goes where nobody reads it, but every line of it is written. */
export const latchkey = (
  { store, place = 'server', issuer, ...kept }: Kept,
  folder: string,
  nodeArguments: readonly string[] = [],
  checkout: string = here,
): Subject => ({
  ...kept,
  kind: 'ours',
  durable: true,
  fsynced: true,
  offers: operations.filter((one) => !isCold(one) || kept.mint?.hasMany),
  introspects: true,
  revoked: '{}',
  jwtClient: addJwtClient,
  keyClient: addKeyClient,
  idTokenClient: addIdTokenClient,
  // A database on this machine needs the rest of that core.
  awake: isPinned && store.startsWith('sqlite:'),
  readPath: '/api/photos',
  scope: 'photos:read',
  readScope: 'photos:read',
  spawn: (port) =>
    // The timer of a profiler outlives the launcher, and would end what that becomes.
    spawnNode(place, [...nodeArguments, programOf(checkout, nodeArguments), 'start'], {
      cwd: folder,
      env: {
        ...plainEnvironment(),
        PORT: String(port),
        LATCHKEY_STORE: store,
        ...(issuer === undefined ? {} : { LATCHKEY_ISSUER: issuer }),
      },
    }),
})
