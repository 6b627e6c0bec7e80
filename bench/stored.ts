/** A database in which much has been stored before, with real refresh tokens scattered among it. */
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { loadSettings } from '../src/config/load.ts'
import { newId } from '../src/model/ids.ts'
import { createServer } from '../src/server.ts'
import { answerOf, Browser, callback, type Reachable, walk } from '../test/support/browser.ts'
import { basic, parsed, requestOf } from '../test/support/start.ts'
import { application, challenge, verifier } from './load/job.ts'

/** Everything was stored during so long, up to now. */
const days = 20
const span = days * 86_400_000

/** So many of the families are real, so that their tokens can be used. */
const realFamilies = 1000

/** An owner has so many: a browser, a telephone ... */
export const familiesPerOwner = 5

const earn = async (service: Reachable, browser: Browser): Promise<string> => {
  const request = {
    response_type: 'code',
    client_id: application.id,
    redirect_uri: callback,
    scope: 'photos:read',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  const { code = '' } = answerOf(await walk(service, request, {}, browser))
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    code_verifier: verifier,
  }
  const { body } = await service.post('/token', form, [application.id, application.secret])
  return body.refresh_token
}

/** Runs the service in this process at times past, and lets alice's application earn tokens there. */
const makeReal = async (path: string, from: number): Promise<readonly string[]> => {
  let now = from
  const env = { LATCHKEY_STORE: `sqlite:${path}` }
  const settings = loadSettings({ env, flags: {}, cwd: import.meta.dirname })
  const server = await createServer({ settings, clock: () => now, tell: () => {} })
  const ask: Reachable['ask'] = async (place, init = {}) => {
    const url = place.startsWith('http') ? place : settings.issuer + place
    const response = await server.fetch(requestOf(url, init), '127.0.0.1')
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: parsed(text) }
  }
  const post: Reachable['post'] = (place, form, client) =>
    ask(place, { form, headers: client === undefined ? {} : { authorization: basic(client) } })
  const service = { issuer: settings.issuer, ask, post }
  const browser = new Browser(service)
  const tokens: string[] = []
  for (let i = 0; i < realFamilies; i++) {
    now = from + Math.floor((span * i) / realFamilies)
    tokens.push(await earn(service, browser))
  }
  await server.close()
  return tokens
}

/** Fills in the other rows, in the order of their keys, which begin with the time. */
const fill = (path: string, families: number, from: number): void => {
  const database = new DatabaseSync(path)
  database.exec('pragma synchronous = off')
  database.exec('begin')
  const owner = database.prepare(
    `insert into owners (id, username, username_key, name, email, password_hash,
       password_changed_at, disabled, created_at) values (?, ?, ?, ?, ?, '-', 0, 0, ?)`,
  )
  const authorization = database.prepare(
    `insert into authorizations (id, client_id, owner_id, permissions, duration, session_id,
       expires_at, created_at, last_used_at, salt, revision)
     values (?, '${application.id}', ?, 'photos:read', 'forever', '', null, ?, ?, ?, 0)`,
  )
  const family = database.prepare(
    `insert into families (id, authorization_id, generation, started_at, rotated_at, expires_at,
       ended, has_endings) values (?, ?, 3, ?, ?, ?, 0, 0)`,
  )
  const random = Buffer.alloc(10)
  let authorizationId = ''
  for (let i = 0; i < families; i++) {
    const at = from + Math.floor((span * i) / families)
    const seconds = Math.floor(at / 1000)
    random.writeUIntBE(i, 2, 6)
    if (i % familiesPerOwner === 0) {
      const name = `owner-${i}`
      const ownerId = newId(at, random)
      owner.run(ownerId, name, name, name, `${name}@example.com`, seconds)
      random[0] = 1
      authorizationId = newId(at, random)
      const salt = Buffer.from(name.padEnd(16)).toString('base64url')
      authorization.run(authorizationId, ownerId, seconds, seconds, salt)
    }
    random[0] = 2
    family.run(newId(at, random), authorizationId, seconds, seconds, seconds + 30 * 86_400)
    random[0] = 0
  }
  database.exec('commit')
  database.close()
}

/** Makes a database with so many families. Answers the refresh tokens of those that are real. */
export const makeStored = async (path: string, families: number): Promise<readonly string[]> => {
  for (const rest of ['', '-wal', '-shm', '.key']) rmSync(path + rest, { force: true })
  const from = Date.now() - span
  const tokens = await makeReal(path, from)
  fill(path, Math.max(families - realFamilies, 0), from)
  return tokens
}
