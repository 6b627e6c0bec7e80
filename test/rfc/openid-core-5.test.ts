/** Claims (OpenID Connect Core section 5): by the scope, by the parameter `claims`, and as the owner allows. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { demoOwners } from '../../src/demo/people.ts'
import { bearer, operatorOf } from '../flows/operator.ts'
import { enter, sentTo } from '../support/authorization.ts'
import { answerOf, Browser, formsOf } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { idTokenClaims, registerOpenid } from '../support/openid.ts'
import { authorizePath, callback, codeRequest, walk } from '../support/printing.ts'
import { type Form, startBefore } from '../support/start.ts'
import { redeem, refresh } from '../support/tokens.ts'

const service = startBefore()

/** Claims of the protocol: all of an ID token but what it tells about its owner. */
const protocol = new Set(
  'iss sub aud azp iat exp auth_time acr amr sid nonce at_hash c_hash'.split(' '),
)

const aboutOwner = async (idToken: string, client: string = photoPrinter[0]) => {
  const claims = await idTokenClaims(service, idToken, client)
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !protocol.has(name)))
}

const userinfo = async (token: string) => {
  const { body } = await service.ask('/userinfo', bearer(token))
  const { sub, ...claims } = body
  assert.match(sub, /^[0-9a-z]{26}$/)
  return claims
}

const request = { ...codeRequest, scope: 'openid photos:read', nonce: 'n-1', prompt: 'consent' }

const asking = (claims: unknown): Form => ({ ...request, claims: JSON.stringify(claims) })

const tokensFor = async (asked: Form, changes: Form = {}) => {
  const code = answerOf(await walk(service, asked, changes)).code ?? ''
  const { status, body, text } = await redeem(service, code)
  assert.equal(status, 200, text)
  return body
}

const [alice] = demoOwners
const { address, phone_number, phone_number_verified, ...profile } = alice.claims
const email = { email: alice.email, email_verified: true }

/** What the rows of the consent page ask for. */
const rowsFor = async (asked: Form): Promise<readonly string[]> => {
  const page = await (await enter(service)).go(authorizePath(asked))
  const [form] = formsOf(page.text)
  return form?.fields.permission?.toSorted() ?? []
}

describe('section 5.4: the claims of the scope', () => {
  const scope = 'openid profile email address phone'

  test('come from /userinfo where there is an access token', async () => {
    const { id_token, access_token } = await tokensFor({ ...request, scope })
    assert.deepEqual(await aboutOwner(id_token), {})
    const { updated_at, ...told } = await userinfo(access_token)
    assert.equal(typeof updated_at, 'number')
    assert.deepEqual(told, {
      ...profile,
      name: alice.name,
      preferred_username: 'alice',
      ...email,
      address,
      phone_number,
      phone_number_verified,
    })
  })

  test('come in the ID token where id_token is all of the response', async () => {
    const [client] = await registerOpenid(service)
    const asked = { ...request, client_id: client, scope: 'openid email phone' }
    const told = async (response_type: string) => {
      const answer = answerOf(await walk(service, { ...asked, response_type }))
      return aboutOwner(answer.id_token ?? '', client)
    }
    assert.deepEqual(await told('id_token'), { ...email, phone_number, phone_number_verified })
    for (const type of ['id_token token', 'code id_token', 'code id_token token']) {
      assert.deepEqual(await told(type), {}, type)
    }
  })

  test('but for those that the owner unticked', async () => {
    const [client] = await registerOpenid(service)
    const asked = { ...request, client_id: client, response_type: 'id_token' }
    const words = { ...asked, scope: 'openid email phone' }
    const page = await walk(service, words, { permission: ['openid', 'phone'] })
    const told = await aboutOwner(answerOf(page).id_token ?? '', client)
    assert.deepEqual(told, { phone_number, phone_number_verified })
  })
})

describe('section 5.5: single claims', () => {
  test('each is told where it was asked for, and nothing else of its word', async () => {
    const { access_token, id_token, scope } = await tokensFor(
      asking({
        userinfo: { email: { essential: true }, nickname: null, unknown: null },
        id_token: { phone_number: { essential: true }, auth_time: { essential: true } },
      }),
    )
    assert.deepEqual(await userinfo(access_token), {
      email: alice.email,
      ...('nickname' in profile ? { nickname: profile.nickname } : {}),
    })
    assert.deepEqual(await aboutOwner(id_token), { phone_number })
    assert.equal(scope, 'email openid phone photos:read profile')
  })

  test('the owner is asked for the row of each word, and for no other', async () => {
    const claims = { userinfo: { email: null }, id_token: { address: null, acr: null } }
    assert.deepEqual(await rowsFor(asking(claims)), ['address', 'email', 'openid', 'photos:read'])
    assert.deepEqual(await rowsFor(request), ['openid', 'photos:read'])
  })

  test('beside its word in the scope, /userinfo tells the whole word', async () => {
    const claims = JSON.stringify({ id_token: { email: null } })
    const asked = { ...request, scope: 'openid email', claims }
    const { access_token, id_token } = await tokensFor(asked)
    assert.deepEqual(await userinfo(access_token), email)
    assert.deepEqual(await aboutOwner(id_token), { email: alice.email })
  })

  test('an unticked word tells nothing, however essential', async () => {
    const claim = { email: { essential: true } }
    const asked = asking({ userinfo: claim, id_token: claim })
    const changes = { permission: ['openid', 'photos:read'] }
    const { access_token, id_token, scope } = await tokensFor(asked, changes)
    assert.deepEqual(await userinfo(access_token), {})
    assert.deepEqual(await aboutOwner(id_token), {})
    assert.equal(scope, 'openid photos:read')
  })

  test('a narrowed word tells nothing in the next ID token and at /userinfo', async () => {
    const claim = { email: null, phone_number: null }
    const tokens = await tokensFor(asking({ userinfo: claim, id_token: claim }))
    const told = { email: alice.email, phone_number }
    assert.deepEqual(await aboutOwner(tokens.id_token), told)
    const next = (await refresh(service, tokens.refresh_token)).body
    assert.deepEqual(await aboutOwner(next.id_token), told)
    assert.deepEqual(await userinfo(next.access_token), told)
    const operator = await operatorOf(service)
    const { body } = await operator('GET', 'authorizations?client=photo-printer')
    for (const { id } of body.items) {
      const permissions = ['openid', 'phone', 'photos:read']
      const changed = await operator('PATCH', `authorizations/${id}`, { permissions })
      assert.equal(changed.status, 200, changed.text)
    }
    assert.deepEqual(await userinfo(next.access_token), { phone_number })
    const last = (await refresh(service, next.refresh_token)).body
    assert.deepEqual(await aboutOwner(last.id_token), { phone_number })
  })

  test('without an access token, only id_token counts', async () => {
    const [client] = await registerOpenid(service)
    const claims = { userinfo: { email: null }, id_token: { phone_number: null } }
    const asked = { ...asking(claims), client_id: client, response_type: 'id_token' }
    const { id_token = '' } = answerOf(await walk(service, asked))
    assert.deepEqual(await aboutOwner(id_token, client), { phone_number })
  })
})

describe('section 5.5.1: the value of sub', () => {
  let browser: Browser
  let subject: string
  beforeEach(async () => {
    browser = await enter(service)
    const page = await walk(service, request, {}, browser)
    const { body } = await redeem(service, answerOf(page).code ?? '')
    subject = (await idTokenClaims(service, body.id_token, photoPrinter[0])).sub ?? ''
  })

  const silently = async (claims: unknown) => {
    const page = await browser.ask(authorizePath({ ...asking(claims), prompt: 'none' }))
    return answerOf(page).error ?? 'answered'
  }

  test('of the owner who is logged in is answered', async () => {
    assert.equal(await silently({ id_token: { sub: { value: subject } } }), 'answered')
    assert.equal(await silently({ userinfo: { sub: { values: ['x', subject] } } }), 'answered')
    assert.equal(await silently({ id_token: { sub: null } }), 'answered')
  })

  test('of anybody else is login_required', async () => {
    assert.equal(await silently({ id_token: { sub: { value: 'x' } } }), 'login_required')
    assert.equal(await silently({ id_token: { sub: { value: 7 } } }), 'login_required')
    const both = { id_token: { sub: { value: subject } }, userinfo: { sub: { value: 'x' } } }
    assert.equal(await silently(both), 'login_required')
  })

  test('tells a client without an approval nothing about who is logged in', async () => {
    const [client] = await registerOpenid(service)
    for (const value of [subject, 'x']) {
      const asked = { ...asking({ id_token: { sub: { value } } }), client_id: client }
      const page = await browser.ask(authorizePath({ ...asked, prompt: 'none' }))
      assert.equal(answerOf(page).error, 'login_required')
    }
  })
})

describe('claims that cannot be read are refused', () => {
  const refusalOf = async (claims: string) => {
    const page = await new Browser(service).ask(authorizePath({ ...request, claims }))
    const { error, error_description: said } = sentTo(page, `${callback}?`)
    return [error, said]
  }
  const bad = [
    '{',
    '[]',
    'null',
    '"email"',
    '{"userinfo":["email"]}',
    '{"userinfo":{"email":true}}',
    '{"id_token":{"acr":{"essential":"yes"}}}',
    '{"id_token":{"acr":{"values":"2"}}}',
    '['.repeat(4000),
  ]
  for (const claims of bad) {
    test(claims.slice(0, 60), async () => {
      assert.deepEqual(await refusalOf(claims), [
        'invalid_request',
        'claims has to be JSON as OpenID Connect Core section 5.5 describes it',
      ])
    })
  }

  test('more than 4096 characters', async () => {
    assert.deepEqual(await refusalOf(`{"x":"${'y'.repeat(4096)}"}`), [
      'invalid_request',
      'claims is longer than 4096 characters',
    ])
  })

  test('names of JavaScript are claims like any other unknown ones', async () => {
    const claims = '{"userinfo":{"__proto__":null,"constructor":{"essential":true}}}'
    const { access_token } = await tokensFor({ ...request, claims })
    assert.deepEqual(await userinfo(access_token), {})
  })
})
