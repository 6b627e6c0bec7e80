/** Scope on its whole way: asked, shown, chosen, granted, reported and enforced (RFC 6749 section 3.3). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askFor, enter, sentTo } from '../support/authorization.ts'
import { answerOf, type Browser, formsOf } from '../support/browser.ts'
import { cpuMilliseconds } from '../support/cpu.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { authorizePath, callback, codeRequest, obtainCode } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { assertRefused, introspect, redeem } from '../support/tokens.ts'
import { everything } from '../support/told.ts'

let browser: Browser
const service = startBefore(start, async () => {
  browser = await enter(service)
})

/** What a client of its own is granted for a scope. */
const clientScope = async (scope: string) =>
  service.post('/token', { grant_type: 'client_credentials', scope }, nightlyReport)

/** The consent page for a scope, but for what differs each time. */
const consentFor = async (scope: string) => {
  const page = await browser.go(authorizePath({ ...codeRequest, scope, prompt: 'consent' }))
  const [form] = formsOf(page.text)
  const { journey = [], csrf = [], ...fields } = form?.fields ?? {}
  let text = page.text
  for (const once of [...journey, ...csrf]) text = text.replaceAll(once, '')
  return { page, fields, text }
}

const malformed = 'scope holds a character that no scope name may have'
const unknown = (scope: string): string =>
  `scope names no permission that this client may ask for: ${scope.split(' ').join(', ')}`

const assertRefusedEverywhere = async (scope: string, said: string): Promise<void> => {
  assert.deepEqual(sentTo(await askFor(service, { scope }), `${callback}?`), {
    error: 'invalid_scope',
    error_description: said,
    state: 'xyz',
    iss: service.issuer,
  })
  assertRefused(await clientScope(scope), 'invalid_scope', said)
}

const assertRefusedUnknown = (scope: string): Promise<void> =>
  assertRefusedEverywhere(scope, unknown(scope))

describe('SC-01, SC-02: commas, spaces, both', () => {
  const same = [
    'photos:read contacts:write',
    'contacts:write photos:read',
    'photos:read,contacts:write',
    'contacts:write,photos:read',
    'photos:read, contacts:write',
    'photos:read,,contacts:write',
    ' photos:read contacts:write ',
    ',photos:read , contacts:write,',
    'photos:read photos:read contacts:write',
  ]
  for (const scope of same) {
    test(JSON.stringify(scope), async () => {
      const [mine, first] = [await consentFor(scope), await consentFor(same[0] ?? '')]
      assert.deepEqual(mine.fields, first.fields)
      assert.equal(mine.text, first.text)
      const decided = await browser.submit(mine.page, { decision: 'allow' })
      const { body } = await redeem(service, answerOf(decided).code ?? '')
      assert.equal(body.scope, 'contacts:write photos:read')
      assert.equal((await clientScope(scope)).body.scope, 'contacts:write photos:read')
    })
  }

  for (const between of ['\t', '\n', '\r\n', '\u00a0', '\u3000', '，']) {
    test(`not by ${JSON.stringify(between)}`, () =>
      assertRefusedEverywhere(`photos:read${between}contacts:read`, malformed))
  }

  for (const between of [';', '+', '|', '%20', '%2C']) {
    test(`nor by ${JSON.stringify(between)}: that is one name`, () =>
      assertRefusedUnknown(`photos:read${between}contacts:read`))
  }
})

describe('SC-03: syntax', () => {
  for (const scope of ['"', '\\', 'photos:read "', 'photos\u0007', 'phötos', 'photos:read\u200b']) {
    test(JSON.stringify(scope), () => assertRefusedEverywhere(scope, malformed))
  }

  test('separators alone are no scope', () =>
    assertRefusedEverywhere(' ,', 'scope names no permission'))
})

test('SC-04: scope[] and its like are parameters that nobody knows', async () => {
  for (const name of ['scope[]', 'scope[a]', 'Scope', 'scope.0']) {
    const code = await obtainCode(service, { ...codeRequest, [name]: 'photos:read' })
    assert.equal((await redeem(service, code)).body.scope, everything)
    const form = { grant_type: 'client_credentials', [name]: 'photos:read' }
    assert.equal((await service.post('/token', form, nightlyReport)).body.scope, everything)
  }
})

describe('SC-05: names that are not known', () => {
  const strangers = ['attic', 'attic:read cellar', 'clients:write', 'openid:read', 'profile:write']
  for (const scope of strangers) {
    test(`alone are refused: ${scope}`, () => assertRefusedUnknown(scope))
  }

  test('are told to a bound, of their number and their length', async () => {
    const many = Array.from({ length: 12 }, (_, at) => `attic${at}`)
    const some = many.slice(0, 10).join(', ')
    const said = 'scope names no permission that this client may ask for: '
    await assertRefusedEverywhere(many.join(','), `${said}${some}, ...`)
    await assertRefusedEverywhere('x'.repeat(4000), `${said}${'x'.repeat(80)}...`)
  })

  // Contract, section 3: unknown names beside known ones are left out, and the answer says so.
  test('beside known ones are left out', async () => {
    const scope = 'openid:read photos:read attic clients:write'
    const code = await obtainCode(service, { ...codeRequest, scope })
    const { body } = await redeem(service, code)
    assert.equal(body.scope, 'photos:read')
    assert.equal((await introspect(service, body.access_token)).scope, 'photos:read')
    assert.equal((await clientScope(scope)).body.scope, 'photos:read')
  })
})

describe('SC-06: a name is a name, to the letter', () => {
  const near = [
    'PHOTOS',
    'Photos:read',
    'photos:READ',
    'photos:*',
    '*',
    'photos:',
    'photos.',
    'photo',
  ]
  for (const scope of [
    ...near,
    'photos:read.',
    'photos:read:',
    'read',
    'photos:rea',
    'hotos:read',
  ]) {
    test(scope, () => assertRefusedUnknown(scope))
  }
})

describe('SC-07, SC-08: what the owner chose is what there is', () => {
  const choose = async (permission: readonly string[], asked = 'photos contacts') => {
    const { page } = await consentFor(asked)
    const decided = await browser.submit(page, { decision: 'allow', permission })
    return (await redeem(service, answerOf(decided).code ?? '')).body
  }
  const ask = async (token: string, path: string, json?: object) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await service.ask(path, json === undefined ? { headers } : { headers, json })
    return [
      answer.status,
      /scope="([^"]*)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1],
    ]
  }

  test('reported smaller, and enforced for resource and for permission', async () => {
    const { scope, access_token } = await choose(['photos:read'])
    assert.equal(scope, 'photos:read')
    assert.deepEqual(await ask(access_token, '/api/photos'), [200, undefined])
    assert.deepEqual(await ask(access_token, '/api/photos', {}), [403, 'photos:write'])
    assert.deepEqual(await ask(access_token, '/api/contacts'), [403, 'contacts:read'])
    assert.deepEqual(await ask(access_token, '/userinfo'), [403, 'openid'])
  })

  test('to write is not to read, where that was not asked for', async () => {
    const { scope, access_token } = await choose(['photos:write'], 'photos:write contacts')
    assert.equal(scope, 'photos:write')
    assert.deepEqual(await ask(access_token, '/api/photos', { title: 'x' }), [201, undefined])
    assert.deepEqual(await ask(access_token, '/api/photos'), [403, 'photos:read'])
  })
})

describe('SC-10: size', () => {
  test('a thousand names, or more characters than anyone needs, are refused at once', async () => {
    const began = cpuMilliseconds()
    const said = 'scope is longer than 4096 characters'
    await assertRefusedEverywhere('name '.repeat(1000), said)
    await assertRefusedEverywhere('photos:read '.repeat(400), said)
    assertRefused(await clientScope('x'.repeat(60_000)), 'invalid_scope', said)
    assert.ok(cpuMilliseconds() - began < 500)
  })
})
