/** An API with a stream of signals, as it manages the stream and reads its sets. */
import assert from 'node:assert/strict'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { nightlyReport } from './demo-clients.ts'
import { type Answer, basic, type Started } from './start.ts'

export type Api = readonly [string, string]

export const askSsf = (
  service: Pick<Started, 'ask'>,
  method: string,
  path: string,
  json?: object,
  client: Api = nightlyReport,
): Promise<Answer> =>
  service.ask(path, {
    method,
    headers: { authorization: basic(client) },
    ...(json === undefined ? {} : { json }),
  })

/** The id of a new stream. */
export const openStream = async (
  service: Pick<Started, 'ask'>,
  config: object = {},
  client: Api = nightlyReport,
): Promise<string> => {
  const { status, body } = await askSsf(service, 'POST', '/ssf/streams', config, client)
  assert.equal(status, 201, JSON.stringify(body))
  return body.stream_id
}

export const pollStream = (
  service: Pick<Started, 'ask'>,
  id: string,
  asked: object = {},
  client: Api = nightlyReport,
): Promise<Answer> =>
  askSsf(service, 'POST', `/ssf/poll/${id}`, { returnImmediately: true, ...asked }, client)

interface ReadSet {
  readonly jti: string
  /** The change behind it. */
  readonly txn: unknown
  readonly subject: unknown
  /** The last part of its URI. */
  readonly event: string
  readonly said: Readonly<Record<string, unknown>>
}

/** A set, as a receiver verifies it. */
const readSet = async (
  service: Pick<Started, 'ask' | 'issuer' | 'now'>,
  set: string,
  audience: string = nightlyReport[0],
): Promise<ReadSet> => {
  const keys = createLocalJWKSet((await service.ask('/jwks')).body)
  const { payload } = await jwtVerify(set, keys, {
    issuer: service.issuer,
    audience,
    typ: 'secevent+jwt',
    currentDate: new Date(service.now() * 1000),
  })
  // SSF 1.0 section 4.1: sub_id alone names the subject, and a set does not expire.
  assert.deepEqual(['sub' in payload, 'exp' in payload], [false, false])
  const events = Object.entries(payload.events as Record<string, Record<string, unknown>>)
  assert.equal(events.length, 1)
  const [[uri = '', said = {}] = []] = events
  const event = uri.slice(uri.lastIndexOf('/') + 1)
  const { jti, txn, sub_id: subject } = payload
  return { jti: String(jti), txn, subject, event, said }
}

/** The sets of an answer, verified. */
export const setsOf = async (
  service: Pick<Started, 'ask' | 'issuer' | 'now'>,
  { status, body, text }: Answer,
  audience?: string,
): Promise<readonly ReadSet[]> => {
  assert.equal(status, 200, text)
  const sets = await Promise.all(
    Object.entries(body.sets).map(async ([jti, set]) => {
      const read = await readSet(service, String(set), audience)
      assert.equal(read.jti, jti)
      return read
    }),
  )
  return sets
}
