/** Requests to the token endpoint, and the form of its answers. */
import assert from 'node:assert/strict'
import { photoPrinter } from './demo-clients.ts'
import { callback } from './printing.ts'
import type { Answer, Form, Started } from './start.ts'

export type Credentials = readonly [string, string]

/** Form parameters; one that is undefined is left out. */
export type Changes = Readonly<Record<string, string | readonly string[] | undefined>>

export const withChanges = (form: Form, changes: Changes): Form =>
  Object.fromEntries(
    Object.entries({ ...form, ...changes }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )

/** Exchanges a code. `client` null: nobody authenticates. */
export const redeem = (
  service: Pick<Started, 'post'>,
  code: string,
  client: Credentials | null = photoPrinter,
  changes: Changes = {},
): Promise<Answer> => {
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  return service.post('/token', withChanges(form, changes), client ?? undefined)
}

export const refresh = (
  service: Pick<Started, 'post'>,
  refreshToken: string,
  client: Credentials | null = photoPrinter,
  changes: Changes = {},
): Promise<Answer> => {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
  return service.post('/token', withChanges(form, changes), client ?? undefined)
}

/** What comes of reading alice's photos with a token: 200, 401 or 403. */
export const use = async (service: Pick<Started, 'ask'>, token: string): Promise<number> =>
  (await service.ask('/api/photos', { headers: { authorization: `Bearer ${token}` } })).status

export const introspect = async (
  service: Pick<Started, 'post'>,
  token: string,
  client: Credentials = photoPrinter,
) => (await service.post('/introspect', { token }, client)).body

/** RFC 6749 section 5.1, and the same of every refusal. */
const assertHeaders = ({ headers }: Answer): void => {
  assert.equal(headers.get('content-type'), 'application/json;charset=UTF-8')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('pragma'), 'no-cache')
}

/** A refusal, whole: status, headers and body (RFC 6749 section 5.2). */
export const assertRefused = (answer: Answer, error: string, description: string): void => {
  assert.deepEqual(answer.body, { error, error_description: description })
  assert.match(description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  assert.equal(answer.status, error === 'invalid_client' ? 401 : 400)
  assert.equal(
    answer.headers.get('www-authenticate'),
    error === 'invalid_client' ? 'Basic realm="latchkey", charset="UTF-8"' : null,
  )
  assertHeaders(answer)
}

/**
 * A granted answer, whole; `refreshable` says whether a refresh token has to be in it, with how long it
 * may lie unused. `authorization_expires_in` is named where there has to be one.
 */
export const assertGranted = (
  answer: Answer,
  expected: {
    scope: string
    expires_in?: number
    authorization_expires_in?: number
    refreshable: boolean
  },
): void => {
  const { refreshable, ...said } = expected
  assert.equal(answer.status, 200, answer.text)
  const { access_token, refresh_token, refresh_token_timeout, ...rest } = answer.body
  assert.deepEqual(rest, { token_type: 'Bearer', ...said })
  assert.match(access_token, /^lk_at_[\w-]{60,}$/)
  if (refreshable) assert.match(refresh_token, /^lk_rt_[\w-]{60,}$/)
  else assert.equal('refresh_token' in answer.body, false)
  assert.equal(Number.isSafeInteger(refresh_token_timeout), refreshable)
  assert.ok(!refreshable || refresh_token_timeout <= (rest.authorization_expires_in ?? Infinity))
  assertHeaders(answer)
}
