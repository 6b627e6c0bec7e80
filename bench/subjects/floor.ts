/** The floor: bare `node:http` that answers what Latchkey answered, byte for byte, without its work. */
import { join } from 'node:path'
import { isPinned } from '../cores.ts'
import { type Answer, connect } from '../load/connection.ts'
import { application, type Operation, type Target } from '../load/job.ts'
import { earnedBy, requestsFor } from '../load/requests.ts'
import { spawnNode } from '../process.ts'
import type { Subject } from './subject.ts'

/** Everything but the login, where the work is a password hash. */
const offers: readonly Operation[] = [
  'token',
  'code',
  'refresh',
  'introspect',
  'introspect-cold',
  'revoke',
  'read',
  'read-cold',
  'journey',
]

export interface Canned {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What is answered, by path and, at `/token`, by `grant_type`. */
export type Cans = Readonly<Record<string, Canned>>

/** Written by Node itself with every answer. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive'])

const canned = ({ status, head, body }: Answer): Canned => ({
  status,
  body,
  headers: Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
      .filter(([name = '']) => !ownHeaders.has(name.toLowerCase())),
  ),
})

/** One request on a connection of its own. */
const ask = async (port: number, request: string): Promise<Answer> => {
  const { promise: heard, resolve, reject } = Promise.withResolvers<Answer>()
  const connection = await connect(port, resolve, (why) => reject(new Error(why)))
  connection.send(request)
  const answer = await heard
  connection.close()
  return answer
}

/** Does each operation once at a running server and notes how it is answered. */
export const canAnswers = async (target: Target): Promise<Cans> => {
  const requests = requestsFor(target)
  const token = await ask(target.port, requests.token)
  const own = earnedBy.accessToken(token) ?? ''
  const authorize = await ask(target.port, requests.authorize)
  const code = await ask(target.port, requests.code(earnedBy.code(authorize) ?? ''))
  const [access = '', refresh = ''] = (earnedBy.pair(code) ?? '').split(' ')
  const answers = {
    client_credentials: token,
    authorization_code: code,
    refresh_token: await ask(target.port, requests.refresh(refresh)),
    '/authorize': authorize,
    '/introspect': await ask(target.port, requests.introspect(access)),
    [target.readPath]: await ask(target.port, requests.read(access)),
    '/revoke': await ask(
      target.port,
      requests.revoke(target.revoker === application ? access : own),
    ),
  }
  return Object.fromEntries(Object.entries(answers).map(([name, one]) => [name, canned(one)]))
}

/** @param target the server that answered so */
export const floor = (cans: Cans, { readPath, shows, revoked }: Target): Subject => ({
  name: 'bare node:http',
  about: 'reads the form or the header and answers as many bytes under the same headers, no OAuth',
  kind: 'floor',
  durable: false,
  fsynced: false,
  stored: null,
  offers,
  introspects: false,
  awake: isPinned,
  readPath,
  shows,
  revoked,
  scope: 'photos:read',
  readScope: 'photos:read',
  spawn: (port) =>
    spawnNode('server', [join(import.meta.dirname, 'floor-server.ts'), String(port)], {
      env: { ...process.env, FLOOR_ANSWERS: JSON.stringify(cans) },
    }),
})
