/**
 * How much of the source one warm request enters, as the listener hands it over (docs/architecture.md). The
 * numbers may fall and never grow.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Browser } from '../support/browser.ts'
import { nightlyReport, photoPrinter } from '../support/demo-clients.ts'
import {
  authorizePath,
  callback,
  codeRequest,
  obtainCode,
  obtainTokens,
} from '../support/printing.ts'
import { basic, type Form, type Init, requestOf, type Started, start } from '../support/start.ts'
import { openWithThread } from '../support/writer.ts'
import { type Entered, recordEntered } from './path.ts'

let started: Started

before(async () => {
  // The writer is no part of the way of a request.
  started = await openWithThread(() => start())
})
after(() => started.close())

/** As the listener hands a request over. */
const send = async (path: string, init: Init = {}): Promise<void> => {
  const request = requestOf(started.issuer + path, init)
  const { status } = await started.server().respond(request, '127.0.0.1')
  assert.equal(status, 200)
}

const post = (path: string, form: Form, client: readonly [string, string]) =>
  send(path, { form, headers: { authorization: basic(client) } })

const get = (path: string, token: string) =>
  send(path, { headers: { authorization: `Bearer ${token}` } })

/** The third request of a kind: the first two make what is made once. */
const warm = async (work: () => Promise<void>): Promise<Entered> => {
  await work()
  await work()
  return recordEntered(work)
}

/** Files and functions, at most. */
const most = {
  client_credentials: [34, 89],
  introspection: [33, 77],
  userinfo: [36, 77],
  read: [26, 65],
  exchange: [48, 167],
  consent: [60, 199],
} as const

const check = ({ files, functions, names }: Entered, kind: keyof typeof most): void => {
  const [mostFiles, mostFunctions] = most[kind]
  assert.ok(
    files <= mostFiles && functions <= mostFunctions,
    `${files} files and ${functions} functions:\n${names.join('\n')}`,
  )
}

describe('one warm request enters few files and functions', () => {
  it('POST /token, client_credentials', async () => {
    const form = { grant_type: 'client_credentials', scope: 'photos:read' }
    check(await warm(() => post('/token', form, nightlyReport)), 'client_credentials')
  })

  it('POST /introspect, of an opaque token', async () => {
    const { access_token: token } = await obtainTokens(started)
    check(await warm(() => post('/introspect', { token }, photoPrinter)), 'introspection')
  })

  it('GET /userinfo', async () => {
    const { access_token } = await obtainTokens(started, { ...codeRequest, scope: 'openid email' })
    check(await warm(() => get('/userinfo', access_token)), 'userinfo')
  })

  it('GET /api/photos', async () => {
    const { access_token } = await obtainTokens(started)
    check(await warm(() => get('/api/photos', access_token)), 'read')
  })

  it('POST /token, authorization_code', async () => {
    const codes = [await obtainCode(started), await obtainCode(started), await obtainCode(started)]
    const exchange = () => {
      const form = { grant_type: 'authorization_code', redirect_uri: callback }
      return post('/token', { ...form, code: codes.pop() ?? '' }, photoPrinter)
    }
    check(await warm(exchange), 'exchange')
  })

  it('GET /consent', async () => {
    const browser = new Browser(started)
    const parameters = { ...codeRequest, scope: 'photos contacts', prompt: 'consent' }
    const login = await browser.go(started.issuer + authorizePath(parameters))
    const page = await browser.logIn(login, 'alice', 'wonderland')
    assert.match(page.url, /\/consent\?/, page.text)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { pathname, search } = new URL(page.url)
    check(await warm(() => send(pathname + search, { headers: { cookie } })), 'consent')
  })
})
