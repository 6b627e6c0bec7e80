/** The scope of a client that registered itself: its default, not its limit. The owner decides. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { askFor, sentTo } from '../support/authorization.ts'
import { Browser, formsOf, type Page } from '../support/browser.ts'
import { callback, codeRequest, walk } from '../support/printing.ts'
import { type Answer, basic } from '../support/start.ts'
import { assertRefused, introspect, redeem, refresh, use } from '../support/tokens.ts'
import { startWithOperator } from './operator.ts'

const everything =
  'calendar:read calendar:write contacts:read contacts:write photos:read photos:write'

const { service, operator } = startWithOperator()

interface Made {
  readonly client_id: string
  readonly client_secret: string
  readonly registration_access_token: string
  readonly scope: string
}

const register = async (metadata: object = {}): Promise<Made> => {
  const { status, body, text } = await service.ask('/register', {
    json: {
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      ...metadata,
    },
  })
  assert.equal(status, 201, text)
  return body
}

const credentialsOf = ({ client_id, client_secret }: Made) => [client_id, client_secret] as const

type Asked = Readonly<Record<string, string>>

const obtain = async (made: Made, asked: Asked): Promise<Answer> => {
  const page = await walk(service, { ...codeRequest, ...asked, client_id: made.client_id })
  return redeem(service, sentTo(page, `${callback}?`).code ?? '', credentialsOf(made))
}

/** The scope of the tokens after alice allowed all that was asked. */
const granted = async (made: Made, asked: Asked = {}): Promise<string> => {
  const { status, body, text } = await obtain(made, asked)
  assert.equal(status, 200, text)
  return body.scope
}

/** The refusal that goes back to the client. */
const refused = async (made: Made, asked: Asked = {}) => {
  const page = await walk(service, { ...codeRequest, ...asked, client_id: made.client_id })
  const { error, error_description } = sentTo(page, `${callback}?`)
  return { error, error_description }
}

const ownToken = (made: Made, asked: Asked = {}) =>
  service.post('/token', { grant_type: 'client_credentials', ...asked }, credentialsOf(made))

describe('a registered scope', () => {
  it('is the default of a request without one', async () => {
    const made = await register({ scope: 'photos:read' })
    assert.equal(await granted(made), 'photos:read')
    assert.equal((await ownToken(made)).body.scope, 'photos:read')
  })

  it('is no limit: the owner decides about more', async () => {
    const made = await register({ scope: 'photos:read' })
    assert.equal(
      await granted(made, { scope: 'contacts photos' }),
      'contacts:read contacts:write photos:read photos:write',
    )
    const { body } = await obtain(made, { scope: 'calendar:read contacts:write' })
    assert.equal(await use(service, body.access_token), 403)
    const told = await introspect(service, body.access_token, credentialsOf(made))
    assert.deepEqual([told.active, told.scope], [true, 'calendar:read contacts:write'])
    const again = await refresh(service, body.refresh_token, credentialsOf(made))
    assert.equal(again.body.scope, 'calendar:read contacts:write')
  })

  it('is a limit of a client that the operator registered', async () => {
    const { body } = await operator('POST', 'clients', {
      redirect_uris: [callback],
      scope: 'photos:read',
    })
    assert.equal(await granted(body, { scope: 'photos contacts' }), 'photos:read')
    assert.deepEqual(await refused(body, { scope: 'contacts' }), {
      error: 'invalid_scope',
      error_description: 'scope names no permission that this client may ask for: contacts',
    })
  })
})

describe('without a registered scope', () => {
  it('a request without one gets the permissions of its resource', async () => {
    const made = await register()
    assert.equal(made.scope, '')
    const resource = `${service.issuer}/api/photos`
    assert.equal(await granted(made, { resource }), 'photos:read photos:write')
    assert.equal(await granted(made, { resource: `${service.issuer}/api` }), everything)
    assert.equal((await ownToken(made, { resource })).body.scope, 'photos:read photos:write')
  })

  it('and without a resource it is told what there is', async () => {
    const made = await register({ scope: '' })
    const said = `scope is missing, and the client registered no default: name some of ${everything.replaceAll(' ', ', ')}`
    assert.deepEqual(await refused(made), { error: 'invalid_scope', error_description: said })
    assertRefused(await ownToken(made), 'invalid_scope', said)
  })

  it('words alone are no default', async () => {
    const made = await register({ scope: 'openid email' })
    assert.equal((await refused(made)).error, 'invalid_scope')
    assert.equal(await granted(made, { scope: 'openid' }), 'openid')
  })
})

describe('what the operator sets is a limit', () => {
  it('for requests, tokens, and the client itself', async () => {
    const made = await register({ scope: 'photos:read' })
    const { body: before } = await obtain(made, { scope: 'photos contacts:read' })
    const { status } = await operator('PATCH', `clients/${made.client_id}`, {
      scope: 'photos:read',
    })
    assert.equal(status, 200)

    const told = await introspect(service, before.access_token, credentialsOf(made))
    assert.equal(told.scope, 'photos:read')
    const again = await refresh(service, before.refresh_token, credentialsOf(made))
    assert.equal(again.body.scope, 'photos:read')
    assert.equal(await granted(made, { scope: 'photos contacts' }), 'photos:read')
    assertRefused(
      await ownToken(made, { scope: 'contacts' }),
      'invalid_scope',
      'scope names no permission that this client may ask for: contacts',
    )

    const put = (scope?: string) =>
      service.ask(`/register/${made.client_id}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${made.registration_access_token}` },
        json: { client_id: made.client_id, redirect_uris: [callback], scope },
      })
    assert.equal((await put('contacts:read')).body.error, 'invalid_client_metadata')
    assert.equal((await put('photos contacts')).body.scope, 'photos:read')
    assert.equal((await put()).body.scope, 'photos:read')
  })

  it('its own tokens end with the limit as well', async () => {
    const made = await register()
    const { body } = await ownToken(made, { scope: 'photos:read' })
    assert.equal(await use(service, body.access_token), 200)
    await operator('PATCH', `clients/${made.client_id}`, { scope: 'contacts' })
    assert.equal(await use(service, body.access_token), 403)
  })
})

describe('a client that registers itself gets from nobody', () => {
  const admin = 'clients:read owners:write'

  it('the operator permissions, whatever it registers, asks for, or names as resource', async () => {
    const made = await register({ scope: `photos:read ${admin}` })
    assert.equal(made.scope, 'photos:read')
    assert.equal(await granted(made, { scope: `photos:read ${admin}` }), 'photos:read')
    assert.equal((await refused(made, { scope: admin })).error, 'invalid_scope')
    const bare = await register()
    for (const resource of [service.issuer, `${service.issuer}/admin/api`]) {
      const { status, body } = await ownToken(bare, { resource })
      if (status === 200) assert.equal(body.scope, everything)
      else assert.equal(body.error, 'invalid_target')
    }
    assert.equal((await ownToken(bare, { scope: admin })).body.error, 'invalid_scope')
    assert.equal(
      (await refused(bare, { resource: `${service.issuer}/admin/api` })).error,
      'invalid_target',
    )
    const { status } = await service.ask('/admin/api/clients', {
      headers: { authorization: basic(credentialsOf(bare)) },
    })
    assert.equal(status, 401)
  })

  it('a token in its own name for an API elsewhere, which nobody approves', async () => {
    const uri = 'https://orders.example/api'
    const orders = {
      name: 'orders',
      title: 'Orders',
      read: 'See orders',
      write: 'Change orders',
      uri,
    }
    const { status, text } = await operator('POST', 'resources', orders)
    assert.equal(status, 201, text)
    const made = await register({ scope: 'orders:read' })
    assert.equal(made.scope, 'orders:read')
    const refusals = [
      await ownToken(made, { scope: 'orders:read' }),
      await ownToken(made, { resource: uri }),
    ]
    assert.deepEqual(
      refusals.map(({ body }) => body.error),
      ['invalid_scope', 'invalid_target'],
    )
    assert.equal(await granted(made, { scope: 'orders' }), 'orders:read orders:write')
    await operator('DELETE', 'resources/orders')
  })

  /** The permissions of the consent page that its owner cannot untick. */
  const fixedOf = (page: Page): readonly string[] =>
    formsOf(page.text)
      .flatMap(({ fields }) => fields.permission ?? [])
      .filter((name) => new RegExp(`<input[^>]*value="${name}"[^>]*disabled`).test(page.text))

  it('a required permission beyond its scope, or one that it does not ask for', async () => {
    for (const scope of [undefined, '', 'photos:read']) {
      const { status, body } = await service.ask('/register', {
        json: { redirect_uris: [callback], scope, required_scope: 'contacts:write' },
      })
      assert.deepEqual(
        [status, body.error_description],
        [400, 'required_scope has to lie within scope'],
      )
    }
    const made = await register({ scope: 'photos', required_scope: 'photos:read' })
    const consent = async (scope: string) => {
      const browser = new Browser(service)
      const asked = await askFor(service, { client_id: made.client_id, scope }, browser)
      const login = await browser.go(asked.headers.get('location') ?? '')
      return { browser, page: await browser.logIn(login, 'alice', 'wonderland') }
    }
    assert.deepEqual(fixedOf((await consent('photos contacts')).page), ['photos:read'])
    const { browser, page } = await consent('contacts')
    assert.deepEqual(fixedOf(page), [])
    const allowed = await browser.submit(page, { decision: 'allow', permission: ['contacts:read'] })
    const tokens = await redeem(
      service,
      sentTo(allowed, `${callback}?`).code ?? '',
      credentialsOf(made),
    )
    assert.equal(tokens.body.scope, 'contacts:read')
  })
})
