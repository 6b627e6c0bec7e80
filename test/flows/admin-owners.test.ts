/** The admin API: the resource owners of the service. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { demoOwners } from '../../src/demo/people.ts'
import { Browser } from '../support/browser.ts'
import { houseApp, photoPrinter } from '../support/demo-clients.ts'
import { authorizePath, codeRequest, obtainTokens } from '../support/printing.ts'
import { bearer, operatorOf, problem, startWithOperator } from './operator.ts'

const { service, operator } = startWithOperator()

const logIn = (username: string, password: string) =>
  service.post('/token', { grant_type: 'password', username, password }, houseApp)

let made = 0
/** An owner of the test's own. */
const create = async (said: object = {}) => {
  const given = { username: `owner-${++made}`, password: 'correct horse', ...said }
  const { status, body, text } = await operator('POST', 'owners', given)
  assert.equal(status, 201, text)
  return { ...body, password: given.password }
}

const idOf = async (username: string): Promise<string> => {
  const { body } = await operator('GET', 'owners')
  return body.items.find((owner: { username: string }) => owner.username === username).id
}

describe('GET /admin/api/owners', () => {
  it('ST-09: shows owners without their password hashes', async () => {
    const reader = await operatorOf(service, 'owners:read')
    const id = await idOf('alice')
    const { status, headers, body } = await reader('GET', `owners/${id}`)
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(body, {
      id,
      username: 'alice',
      name: 'Alice Liddell',
      email: 'alice@example.com',
      email_verified: true,
      claims: demoOwners[0].claims,
      attributes: {},
      roles: [],
      updated_at: Date.UTC(2026, 10, 21, 12) / 1000,
      disabled: false,
      created_at: Date.UTC(2026, 10, 21, 12) / 1000,
      deletion_at: null,
      password_changed_at: null,
      waits: [],
    })
    const { waits: _, ...listed } = body
    const list = await reader('GET', 'owners')
    assert.deepEqual(
      list.body.items.find((owner: { id: string }) => owner.id === id),
      listed,
    )
    assert.equal(/argon2|hash|wonderland/i.test(list.text), false)
  })

  it('goes through all of them page by page', async () => {
    await create()
    const whole = await operator('GET', 'owners')
    const first = await operator('GET', 'owners?limit=1')
    const rest = await operator('GET', `owners?after=${first.body.next}`)
    assert.deepEqual([...first.body.items, ...rest.body.items], whole.body.items)
    assert.equal(first.body.items.length, 1)
  })
})

describe('POST /admin/api/owners', () => {
  it('answers 201, and the owner can log in', async () => {
    const { status, headers, body } = await operator('POST', 'owners', {
      username: 'Cäcilia',
      password: 'a good password',
      name: 'Cäcilia Maus',
      email: 'c@example.com',
    })
    assert.equal(status, 201)
    assert.equal(headers.get('location'), `${service.issuer}/admin/api/owners/${body.id}`)
    const { id, ...rest } = body
    assert.match(id, /^[0-9a-z]{26}$/)
    assert.deepEqual(rest, {
      username: 'Cäcilia',
      name: 'Cäcilia Maus',
      email: 'c@example.com',
      email_verified: false,
      claims: {},
      attributes: {},
      roles: [],
      updated_at: service.now(),
      disabled: false,
      created_at: service.now(),
      deletion_at: null,
      password_changed_at: null,
    })
    assert.equal((await logIn('cäcilia', 'a good password')).status, 200)
    const log = JSON.stringify(service.notices)
    assert.equal(log.includes('a good password'), false)
  })

  it('a username is taken in whatever way it is written', async () => {
    await create({ username: 'Zoë' })
    for (const username of ['Zoë', 'zoë', 'ZOE\u0308', 'Ｚoë']) {
      const { status, body } = await operator('POST', 'owners', {
        username,
        password: 'correct horse',
      })
      assert.deepEqual(
        [status, body],
        [409, problem('conflict', 409, 'there is an owner with this username')],
      )
    }
  })

  it('names what is wrong, and repeats nothing', async () => {
    const name = 'username has to be text of 1 to 200 visible characters, no blank at either end'
    const password = 'password has to be text of at least 8 characters and at most 256 bytes'
    const email = 'email has to be an email address of at most 254 characters, or empty'
    const common =
      'password is one that many people choose, a repetition or a sequence: choose another'
    const names =
      'password is made of the name or email address of the owner or the name of this service: choose another'
    const right = { username: 'nobody', password: 'correct horse' }
    const wrong: readonly (readonly [object, string])[] = [
      [{ username: '' }, name],
      [{ username: undefined }, name],
      [{ username: ['a'] }, name],
      [{ username: ' a' }, name],
      [{ username: 'a\n' }, name],
      [{ username: 'a\u0000b' }, name],
      [{ username: 'a\u200bb' }, name],
      [{ username: 'a\u202eb' }, name],
      [{ username: '\u3164' }, name],
      [{ username: 'a\u2028b' }, name],
      [{ username: 'a'.repeat(201) }, name],
      [{ password: 'seven77' }, password],
      [{ password: '🐎🐎🐎🐎🐎🐎🐎' }, password],
      [{ password: 'p'.repeat(257) }, password],
      [{ password: 'ü'.repeat(129) }, password],
      [{ password: undefined }, password],
      [{ password: 12345678 }, password],
      [{ password: 'PassWord123' }, common],
      [{ password: 'nobody2026!' }, names],
      [{ email: 'no address' }, email],
      [{ email: 'a@b@c' }, email],
      [{ email: `${'a'.repeat(254)}@b` }, email],
      [
        { name: 'a\tb' },
        'name has to be text of at most 200 characters without control characters',
      ],
      [
        { is_admin: true },
        'unknown: is_admin; known: username, sub, password, password_hash, name, email, email_verified, claims, attributes, roles',
      ],
    ]
    for (const [said, detail] of wrong) {
      const { status, body } = await operator('POST', 'owners', { ...right, ...said })
      assert.deepEqual([status, body], [400, problem('invalid_request', 400, detail)])
    }
    assert.equal((await operator('POST', 'owners', { ...right, password: '8 bytes!' })).status, 201)
  })

  it('LG-12: a long password counts to its last byte', async () => {
    const owner = await create({ password: `${'p'.repeat(255)}!` })
    assert.equal((await logIn(owner.username, `${'p'.repeat(255)}!`)).status, 200)
    assert.equal((await logIn(owner.username, `${'p'.repeat(255)}q`)).status, 400)
  })
})

describe('PATCH /admin/api/owners/{id}', () => {
  it('changes what is named, and nothing else can be named', async () => {
    const { password, ...owner } = await create({ name: 'Before', email: 'b@example.com' })
    const { status, body } = await operator('PATCH', `owners/${owner.id}`, { name: 'After' })
    assert.deepEqual([status, body], [200, { ...owner, name: 'After' }])
    const idle = await operator('PATCH', `owners/${owner.id}`, {})
    assert.deepEqual([idle.status, idle.body], [200, body])
    for (const member of ['username', 'password', 'id', 'password_hash']) {
      const refused = await operator('PATCH', `owners/${owner.id}`, { [member]: 'x' })
      const detail = `unknown: ${member}; known: name, email, email_verified, claims, attributes, roles, disabled, keep_ways_in`
      assert.deepEqual(
        [refused.status, refused.body],
        [400, problem('invalid_request', 400, detail)],
      )
    }
    const bad = await operator('PATCH', `owners/${owner.id}`, { disabled: 'yes' })
    assert.deepEqual(bad.body, problem('invalid_request', 400, 'disabled has to be true or false'))
  })

  it('sets claims, all of them together, and says when', async () => {
    const { password: _, ...owner } = await create({ email: 'b@example.com', email_verified: true })
    assert.deepEqual([owner.email_verified, owner.claims], [true, {}])
    await service.advance(60)
    const claims = {
      nickname: 'Ally',
      birthdate: '0000-05-04',
      picture: 'https://example.com/a.jpg',
      address: { formatted: 'Line one\nLine two', country: 'UK' },
      phone_number: '+44 1865 496 0101',
      phone_number_verified: true,
    }
    const path = `owners/${owner.id}`
    const first = await operator('PATCH', path, { claims: { ...claims, gender: '' } })
    assert.deepEqual(first.body, { ...owner, claims, updated_at: service.now() })
    await service.advance(60)
    const second = await operator('PATCH', path, { claims: { locale: 'en' } })
    const told = { ...first.body, claims: { locale: 'en' }, updated_at: service.now() }
    assert.deepEqual(second.body, told)
    await service.advance(60)
    assert.deepEqual((await operator('PATCH', path, { disabled: false })).body, told)
  })

  it('another email address is not verified, unless the change says so', async () => {
    const { id } = await create({ email: 'g@example.com', email_verified: true })
    const steps: readonly (readonly [object, boolean])[] = [
      [{ email: 'g@example.com' }, true],
      [{ name: 'Other' }, true],
      [{ email: 'c@example.com' }, false],
      [{ email_verified: true }, true],
      [{ email: 'd@example.com', email_verified: true }, true],
      [{ email_verified: false }, false],
    ]
    for (const [change, isVerified] of steps) {
      const { body } = await operator('PATCH', `owners/${id}`, change)
      assert.equal(body.email_verified, isVerified, JSON.stringify(change))
    }
  })

  it('sets attributes, all of them together, whatever JSON they are', async () => {
    const { id, password: _, ...owner } = await create({ attributes: { groups: ['a'] } })
    assert.deepEqual(owner.attributes, { groups: ['a'] })
    const attributes = { 'urn:x/y': { deep: [null, 1.5, true] }, department: 'Post "7"' }
    const { body } = await operator('PATCH', `owners/${id}`, { attributes })
    assert.deepEqual(body.attributes, attributes)
    assert.deepEqual((await operator('GET', `owners/${id}`)).body.attributes, attributes)
    for (const wrong of [[], 'x', null, { 'a b': 1 }, { a: 'x'.repeat(16_384) }]) {
      const refused = await operator('PATCH', `owners/${id}`, { attributes: wrong })
      assert.equal(refused.status, 400, JSON.stringify(wrong).slice(0, 40))
      assert.match(refused.body.detail, /^attributes has to be an object of at most 16384 /)
    }
  })

  it('names claims that are wrong, and repeats nothing', async () => {
    const { id } = await create()
    const wrong: readonly object[] = [
      { nickname: 'a\nb' },
      { nickname: 12 },
      { nickname: 'x'.repeat(2049) },
      { picture: 'javascript:alert(1)' },
      { website: 'no address' },
      { birthdate: '4 May' },
      { address: 'Oxford' },
      { address: { planet: 'Earth' } },
      { phone_number_verified: 'yes' },
      { email: 'a@example.com' },
      { sub: 'somebody' },
    ]
    const detail =
      'claims has to be an object of claims such as given_name, picture, address and phone_number, each text of at most 2048 characters; URLs begin with http, birthdate is YYYY-MM-DD'
    for (const claims of wrong) {
      const { status, body } = await operator('PATCH', `owners/${id}`, { claims })
      assert.deepEqual([status, body], [400, problem('invalid_request', 400, detail)])
    }
  })

  it('disabling ends logins and tokens at once', async () => {
    const owner = await create()
    const { body: earned } = await logIn(owner.username, owner.password)
    const browser = new Browser(service)
    await browser.logIn(
      await browser.go(authorizePath(codeRequest)),
      owner.username,
      owner.password,
    )
    const isLoggedIn = async () => !(await browser.go('/account')).url.includes('/login')
    const photos = async () =>
      (await service.ask('/api/photos', bearer(earned.access_token))).status
    assert.deepEqual([await isLoggedIn(), await photos()], [true, 200])

    await operator('PATCH', `owners/${owner.id}`, { disabled: true })

    assert.deepEqual([await isLoggedIn(), await photos()], [false, 401])
    const refused = await logIn(owner.username, owner.password)
    assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
    await operator('PATCH', `owners/${owner.id}`, { disabled: false })
    assert.equal((await logIn(owner.username, owner.password)).status, 200)
  })
})

describe('POST /admin/api/owners/{id}/set-password', () => {
  it('sets a password: the old one is wrong, what began under it is over', async () => {
    const owner = await create()
    const { body: earned } = await logIn(owner.username, owner.password)
    const { status, body } = await operator('POST', `owners/${owner.id}/set-password`, {
      password: 'battery staple',
    })
    assert.equal(status, 200)
    const { password, ...rest } = owner
    assert.deepEqual(body, {
      ...rest,
      password_changed_at: service.now(),
      passkeys_of_former_password: [],
      upstreams_of_former_password: [],
    })
    assert.equal((await logIn(owner.username, owner.password)).status, 400)
    assert.equal((await logIn(owner.username, 'battery staple')).status, 200)
    const refreshed = await service.post(
      '/token',
      { grant_type: 'refresh_token', refresh_token: earned.refresh_token },
      houseApp,
    )
    assert.deepEqual([refreshed.status, refreshed.body.error], [400, 'invalid_grant'])
    assert.equal((await service.ask('/api/photos', bearer(earned.access_token))).status, 401)
  })

  it('holds to the same rule as a new owner', async () => {
    const { id } = await create()
    const { status, body } = await operator('POST', `owners/${id}/set-password`, {
      password: 'short',
    })
    const detail = 'password has to be text of at least 8 characters and at most 256 bytes'
    assert.deepEqual([status, body], [400, problem('invalid_request', 400, detail)])
  })
})

describe('DELETE /admin/api/owners/{id}', () => {
  it('LG-05: ends everything, and a later owner of the same name is somebody else', async () => {
    const { access_token: token } = await obtainTokens(service)
    const id = await idOf('alice')
    const sub = async (text: string, client: readonly [string, string]) =>
      (await service.post('/introspect', { token: text }, client)).body.sub
    assert.equal(await sub(token, photoPrinter), id)

    const gone = await operator('DELETE', `owners/${id}`)
    assert.deepEqual([gone.status, gone.text], [204, ''])
    assert.equal((await service.ask('/api/photos', bearer(token))).status, 401)

    const again = await create({ username: 'alice', password: 'through the glass' })
    assert.notEqual(again.id, id)
    assert.equal((await service.ask('/api/photos', bearer(token))).status, 401)
    const { body: earned } = await logIn('alice', 'through the glass')
    assert.equal(await sub(earned.access_token, houseApp), again.id)
    const photos = await service.ask('/api/photos', bearer(earned.access_token))
    assert.deepEqual(photos.body, { items: [], next: null })
  })

  it('an owner who is not there is not found', async () => {
    const unknown = '01m7yzmhg00000000000000000'
    for (const id of [unknown, 'alice', "' or 1=1 --", 'n'.repeat(5000)]) {
      for (const [method, path, json] of [
        ['GET', '', undefined],
        ['PATCH', '', {}],
        ['DELETE', '', undefined],
        ['POST', '/set-password', { password: 'correct horse' }],
      ] as const) {
        const { status, body } = await operator(
          method,
          `owners/${encodeURIComponent(id)}${path}`,
          json,
        )
        assert.deepEqual([status, body], [404, problem('not_found', 404, 'there is no such owner')])
      }
    }
  })
})
