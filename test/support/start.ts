/** A whole service in this process: a temporary database, a clock that only moves when told. */
import { copyFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { loadSettings } from '../../src/config/load.ts'
import type { Settings } from '../../src/config/settings.ts'
import type { Notice } from '../../src/model/notice.ts'
import type { Registries } from '../../src/registries.ts'
import { createServer, type Server, type ServerOptions } from '../../src/server.ts'
import { openBefore } from './before.ts'
import { putEmptyDatabase } from './empty-database.ts'
import { memoryOr } from './memory.ts'
import { type ToldAnswer, toldAnswer } from './reference.ts'

export type Answer = ToldAnswer

export type Init = RequestInit & { readonly form?: Form; readonly json?: unknown }
export type Form = Readonly<Record<string, string | readonly string[]>>

export interface Started {
  readonly issuer: string
  /** Everything the log was told. */
  readonly notices: readonly Notice[]
  /** Sends a request; `path` below the issuer, or a whole URL. Redirects are never followed. */
  ask(path: string, init?: Init): Promise<Answer>
  /** `POST` of a form with a client's Basic credentials. */
  post(path: string, form: Form, client?: readonly [string, string]): Promise<Answer>
  /** Unix seconds by the service's clock. */
  now(): number
  advance(seconds: number): Promise<void>
  /** Time passes without housekeeping, as on a node that is behind with it. */
  pass(seconds: number): void
  /** Closes the service and opens it again on the same database. */
  restart(): Promise<void>
  /** Opens it again on what the database has at this moment, as after `kill -9`. */
  kill(): Promise<void>
  readonly folder: string
  server(): Server
  close(): Promise<void>
}

export const formBody = (form: Form): string => {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) {
    for (const one of typeof value === 'string' ? [value] : value) body.append(name, one)
  }
  return body.toString()
}

export const basic = ([id, secret]: readonly [string, string]): string =>
  `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`

export const requestOf = (url: string, { form, json, ...init }: Init): Request => {
  const headers = new Headers(init.headers)
  let body = init.body
  if (form !== undefined) {
    body = formBody(form)
    headers.set('content-type', 'application/x-www-form-urlencoded')
  } else if (json !== undefined) {
    body = JSON.stringify(json)
    headers.set('content-type', headers.get('content-type') ?? 'application/json')
  }
  if (typeof body === 'string') headers.set('content-length', String(Buffer.byteLength(body)))
  const method = init.method ?? (body === undefined || body === null ? 'GET' : 'POST')
  return new Request(url, { ...init, method, headers, body: body ?? null })
}

/** @param given settings; `store` where it is not to be a database of its own */
export const start = async (
  given: Partial<Settings> &
    Partial<Registries> &
    Pick<ServerOptions, 'every' | 'deadline' | 'resolve'> = {},
): Promise<Started> => {
  const folder = await mkdtemp(join(memoryOr(), 'latchkey-'))
  const { grants, responseTypes, prompts, clientMethods, proofs, ...others } = given
  const { tokenFormats, responseMembers, every, deadline, ...rest } = others
  // No test asks a name server.
  const { resolve = async () => [], ...overrides } = rest
  const further = { tokenFormats, responseMembers }
  const added = { grants, responseTypes, prompts, clientMethods, proofs, ...further }
  const path = join(folder, 'latchkey.db')
  if (rest.store === undefined) await putEmptyDatabase(path)
  const env = { LATCHKEY_STORE: `sqlite:${path}` }
  const loaded = loadSettings({ env, flags: {}, cwd: folder })
  const { demo = loaded.demo } = overrides
  const registration = demo ? 'open' : 'token'
  const signUp = demo ? 'open' : 'off'
  const settings: Settings = { ...loaded, registration, signUp, ...overrides }
  const notices: Notice[] = []
  let milliseconds = Date.UTC(2026, 10, 21, 12)
  let files = folder
  let options: ServerOptions = {
    settings,
    clock: () => milliseconds,
    // As without it; but then it would count as a part of each walk.
    elapsed: () => 0,
    // What a page shows of uses must not hang on how fast they are written.
    pause: () => new Promise(() => {}),
    tell: (notice) => notices.push(notice),
    ...(every === undefined ? {} : { every }),
    ...(deadline === undefined ? {} : { deadline }),
    resolve,
    ...Object.fromEntries(Object.entries(added).filter(([, list]) => list !== undefined)),
  }
  let server = await createServer(options)
  const ask = async (path: string, init: Init = {}): Promise<Answer> => {
    const url = path.startsWith('http') ? path : settings.issuer + path
    const response = await server.fetch(requestOf(url, init), '127.0.0.1')
    return toldAnswer(response, await response.text())
  }
  return {
    issuer: settings.issuer,
    notices,
    folder,
    ask,
    post: (path, form, client) =>
      ask(path, { form, headers: client === undefined ? {} : { authorization: basic(client) } }),
    now: () => Math.floor(milliseconds / 1000),
    async advance(seconds) {
      milliseconds += seconds * 1000
      await server.tick()
    },
    pass(seconds) {
      milliseconds += seconds * 1000
    },
    async restart() {
      await server.close()
      server = await createServer(options)
    },
    async kill() {
      const left = await mkdtemp(join(folder, 'left-'))
      const names = await readdir(files)
      // At once: this thread writes, too.
      for (const name of names.filter((one) => /^latchkey\b.*(?<!-shm|\.lock)$/.test(one))) {
        copyFileSync(join(files, name), join(left, name))
      }
      await server.close()
      files = left
      options = {
        ...options,
        settings: { ...settings, store: `sqlite:${join(left, 'latchkey.db')}` },
      }
      server = await createServer(options)
    },
    server: () => server,
    async close() {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A service for the tests of a file or a suite. `prepare` runs once it has started. */
export const startBefore = (
  open: () => Promise<Started> = start,
  prepare?: () => Promise<void>,
): Started => openBefore(open, (started) => started.close(), prepare)
