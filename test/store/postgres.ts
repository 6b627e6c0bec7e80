/** A real PostgreSQL for tests: the one that the environment names, or one started here. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { install, isInstalled, isRoot } from '../support/debian.ts'
import { memoryOr } from '../support/memory.ts'
import { freePort } from '../support/port.ts'

export interface Postgres {
  /** The URL of a new, empty database; `setting` is one of its own. */
  newDatabase(settings?: Readonly<Record<string, string>>): Promise<string>
  /** The same with all that another one has, to which nobody may be connected. */
  copyDatabase(from: string, settings?: Readonly<Record<string, string>>): Promise<string>
  /** Runs SQL, in the database that tests do not use or in a given one. */
  ask(sql: string): Promise<readonly Record<string, unknown>[]>
  askIn(url: string, sql: string): Promise<readonly Record<string, unknown>[]>
  /** The end of the server as in a crash, and its start after that; null where it is not ours. */
  readonly crash: { end(): Promise<void>; start(): Promise<void> } | null
  stop(): Promise<void>
}

const password = 'a-password-that-must-not-be-told'

/** What PostgreSQL keeps of a password, after one round in place of 4,096 (RFC 5803). */
const describePassword = (): string => {
  const hmac = (key: Buffer, text: string): Buffer =>
    createHmac('sha256', key).update(text).digest()
  const salt = Buffer.alloc(16, 'salt')
  const salted = pbkdf2Sync(password, salt, 1, 32, 'sha256')
  const stored = createHash('sha256').update(hmac(salted, 'Client Key')).digest('base64')
  const server = hmac(salted, 'Server Key').toString('base64')
  return `SCRAM-SHA-256$1:${salt.toString('base64')}$${stored}:${server}`
}

/**
 * A server has hundreds of databases here, each for a moment. One process after the other would
 * tidy them up. Deadlocks, which tests bring about, are found sooner.
 */
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'autovacuum_naptime=1h',
  'deadlock_timeout=100ms',
  'shared_buffers=32MB',
]

/** The folder with `initdb` and `postgres`, of the newest version whose Debian package is as it must be. */
const findPrograms = (isReady: (name: string) => boolean): string | null => {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    : []
  const folders = [
    ...(process.env.PATH ?? '').split(':'),
    ...versions
      .filter((version) => isReady(`postgresql-${version}`))
      .map((version) => join(debian, version, 'bin')),
  ]
  const isWhole = (folder: string) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))
  return folders.find(isWhole) ?? null
}

interface User {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL does not run as root. */
const findUser = (): User | null => {
  if (!isRoot) return null
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const line =
    lines.find((one) => /^postgres:/.test(one)) ?? lines.find((one) => /^nobody:/.test(one))
  const [, , uid, gid] = line?.split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

/**
 * Runs the server as long as its standard input is open, which ends with this process in any case.
 * A line of input kills the server at once, as a crash would. A signal of the terminal must not end
 * the process that cleans up. PostgreSQL handles these signals itself.
 */
const watch = `trap '' HUP INT TERM
  "$@" < /dev/null & server=$!
  read line
  kill -QUIT $server
  wait $server
  if [ -z "$line" ]; then rm -rf "$folder"; fi`

/** A server's programs, files, port and user. */
interface Place {
  readonly programs: string
  readonly folder: string
  readonly port: number
  readonly user: User | null
}

const startProcess = async ({ programs, folder, port, user }: Place): Promise<ChildProcess> => {
  const options = settings.flatMap((one) => ['-c', one])
  const args = ['-D', join(folder, 'data'), '-p', String(port), ...options]
  const child = spawn('/bin/sh', ['-c', watch, 'sh', join(programs, 'postgres'), ...args], {
    ...user,
    cwd: folder,
    env: { PATH: process.env.PATH, folder },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const said: string[] = []
  const { stderr } = child
  if (stderr === null) throw new Error('no log')
  for await (const line of createInterface({ input: stderr })) {
    said.push(line)
    if (line.includes('is ready to accept connections')) break
  }
  if (!said.at(-1)?.includes('is ready')) throw new Error(`no PostgreSQL: ${said.join('\n')}`)
  stderr.resume()
  return child
}

const ask = async (url: string, sql: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/**
 * Asks on one connection, which is opened anew after the server ended. To begin one takes the server longer
 * than to copy a database.
 */
const createAsker = (url: string) => {
  let kept: Client | null = null
  return {
    async ask(sql: string): Promise<readonly Record<string, unknown>[]> {
      if (kept === null) {
        const client = new Client({ connectionString: url })
        client.on('error', () => {
          kept = null
        })
        await client.connect()
        kept = client
      }
      return (await kept.query(sql)).rows
    },
    async close(): Promise<void> {
      await kept?.end()
      kept = null
    },
  }
}

let databases = 0

const serverAt = (url: string, crash: Postgres['crash'], stop: () => Promise<void>): Postgres => {
  const made: string[] = []
  const asker = createAsker(url)
  let version: number | undefined
  /** Since version 15 a database takes more options. */
  const isNew = async (): Promise<boolean> => {
    version ??= Number((await asker.ask('show server_version_num'))[0]?.server_version_num)
    return version >= 150_000
  }
  const create = async (how: string, settings: Readonly<Record<string, string>>) => {
    const name = `latchkey_test_${process.pid}_${databases++}`
    // Copied as files: through the log a copy takes a fifth more.
    const copied = (await isNew()) ? 'strategy file_copy' : ''
    await asker.ask(`create database ${name} template ${how} ${copied}`)
    made.push(name)
    for (const [setting, value] of Object.entries(settings)) {
      await asker.ask(`alter database ${name} set ${setting} = '${value}'`)
    }
    const database = new URL(url)
    database.pathname = `/${name}`
    return database.href
  }
  return {
    crash,
    ask: (sql) => ask(url, sql),
    askIn: ask,
    async newDatabase(settings = {}) {
      // Sorted as people sort, where it can be, so that order by bytes is the work of the schema.
      const sorted = (await isNew()) ? `locale_provider icu icu_locale 'en-US' locale 'C'` : ''
      return create(`template0 encoding 'UTF8' ${sorted}`, settings)
    },
    copyDatabase: (from, settings = {}) => create(new URL(from).pathname.slice(1), settings),
    async stop() {
      if (crash === null) {
        for (const name of made) await asker.ask(`drop database if exists ${name}`)
      }
      await asker.close()
      await stop()
    },
  }
}

/** A copy of an empty server's files takes a seventh of the processor time of `initdb`. */
const keptFiles = (programs: string, user: User | null): string => {
  const { mtimeMs } = statSync(join(programs, 'initdb'))
  const what = JSON.stringify([programs, mtimeMs, process.getuid?.(), user, describePassword()])
  const digest = createHash('sha256').update(what).digest('hex')
  return join(import.meta.dirname, '../../.cache', `postgres-${digest.slice(0, 16)}`)
}

/** Keeps the files for the next server. They appear whole or not at all. */
const keep = (data: string, kept: string): void => {
  mkdirSync(dirname(kept), { recursive: true })
  const draft = mkdtempSync(join(dirname(kept), 'postgres-draft-'))
  try {
    execFileSync('cp', ['-a', data, draft])
    renameSync(join(draft, 'data'), kept)
  } catch (fault) {
    // Another process may have been quicker: then its files are as good as these.
    if (!existsSync(kept)) throw fault
  } finally {
    rmSync(draft, { recursive: true })
  }
}

/** Makes the files of an empty server. */
const initialize = (programs: string, folder: string, user: User | null): void => {
  const [data, kept] = [join(folder, 'data'), keptFiles(programs, user)]
  if (existsSync(kept)) {
    execFileSync('cp', ['-a', kept, data])
    return
  }
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, describePassword())
  if (user !== null) chownSync(passwordFile, user.uid, user.gid)
  const args = ['-D', data, '-U', 'latchkey', '-E', 'UTF8', '--locale=C', '--no-sync']
  const auth = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  execFileSync(join(programs, 'initdb'), [...args, ...auth], {
    ...user,
    cwd: folder,
    stdio: 'pipe',
  })
  keep(data, kept)
}

const startOne = async (programs: string, around: string): Promise<Postgres> => {
  const folder = mkdtempSync(join(around, 'latchkey-postgres-'))
  const user = findUser()
  if (user !== null) chownSync(folder, user.uid, user.gid)
  try {
    initialize(programs, folder, user)
  } catch (fault) {
    rmSync(folder, { recursive: true })
    throw fault
  }
  const place: Place = { programs, folder, port: await freePort(), user }
  let child = await startProcess(place)
  const end = async (last: string): Promise<void> => {
    const ended = once(child, 'close')
    child.stdin?.end(last)
    await ended
  }
  const crash = {
    end: () => end('crash\n'),
    start: async () => {
      child = await startProcess(place)
    },
  }
  const url = `postgres://latchkey:${password}@127.0.0.1:${place.port}/postgres`
  return serverAt(url, crash, () => end(''))
}

/** The folder for temporary files that root was given may be for root alone. */
const usualFolder = (): string => memoryOr(isRoot ? '/tmp' : tmpdir())

/**
 * Null where there is none and none can be had.
 *
 * @param around the folder in which its files are to lie
 * @param say told what takes a while
 */
export const findPostgres = async (
  around = usualFolder(),
  say: (line: string) => void = () => {},
): Promise<Postgres | null> => {
  const given = process.env.LATCHKEY_TEST_POSTGRES
  if (given !== undefined) return serverAt(given, null, async () => {})
  const ready = findPrograms(isInstalled)
  if (ready === null) install('postgresql', say)
  // Where something went wrong at the end of that, the programs may be whole all the same.
  const programs = ready ?? findPrograms(() => true)
  return programs === null ? null : startOne(programs, around)
}
