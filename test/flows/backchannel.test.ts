/** Backchannel requests (OpenID CIBA), from the client to its token. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeJwt } from 'jose'
import {
  askBackchannel,
  backchannelGrant,
  type ClientPair,
  cashDesk,
  decide,
  decideAnew,
  formOf,
  openRequests,
  pollBackchannel,
  requestForms,
  tryBackchannel,
} from '../support/backchannel.ts'
import { Browser } from '../support/browser.ts'
import { rent, startWithDetails } from '../support/details.ts'
import { orders, startWithJwts } from '../support/elsewhere.ts'
import { mailsIn } from '../support/mailbox.ts'
import { assertPlaced } from '../support/placed.ts'
import { type Answer, type Form, start, startBefore } from '../support/start.ts'
import { operatorOf } from './operator.ts'

const started = startBefore()

const pendingBody = {
  error: 'authorization_pending',
  error_description: 'nobody has decided yet: ask again',
}

const read = (token: string): Promise<Answer> =>
  started.ask('/api/photos', { headers: { authorization: `Bearer ${token}` } })

/** A client of the operator with the grant and more. */
const newClient = async (members: object = {}): Promise<ClientPair> => {
  const operator = await operatorOf(started)
  const json = { grant_types: [backchannelGrant], response_types: [], ...members }
  const { status, body, text } = await operator('POST', 'clients', json)
  assert.equal(status, 201, text)
  return [body.client_id, body.client_secret]
}

describe('POST /bc-authorize', () => {
  it('answers with an auth_req_id (CIBA section 7.3)', async () => {
    const { status, headers, body } = await tryBackchannel(started)
    const { auth_req_id, ...rest } = body
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(auth_req_id, /^lk_ar_[0-9a-z]{26}[\w-]{43}$/)
    assert.deepEqual(rest, { expires_in: 300, interval: 5 })
  })

  it('takes a user name or an email address, or an ID token, and exactly one of them', async () => {
    const one = {
      error: 'invalid_request',
      error_description: 'send one hint: login_hint or id_token_hint',
    }
    for (const form of [
      { login_hint: '' },
      { login_hint_token: 'a.b.c' },
      { login_hint: '', login_hint_token: 'a.b.c' },
    ]) {
      const { status, body } = await tryBackchannel(started, form)
      assert.deepEqual([status, body], [400, one])
    }
    const { page } = await openRequests(started, ['bob', 'builder'])
    const before = requestForms(page).length
    for (const login_hint of ['bob', 'BOB', 'bob@example.com']) {
      await askBackchannel(started, { login_hint })
    }
    const after = await openRequests(started, ['bob', 'builder'])
    assert.equal(requestForms(after.page).length, before + 3)
  })

  it('finds the owner of an ID token of the client, also by a pairwise subject', async () => {
    for (const members of [{}, { subject_type: 'pairwise' }]) {
      const client = await newClient(members)
      const codes = await askBackchannel(started, { scope: 'openid photos:read' }, client)
      await decideAnew(started, codes)
      const { body } = await pollBackchannel(started, codes, {}, client)
      const form = { login_hint: '', id_token_hint: body.id_token }
      const again = await askBackchannel(started, form, client)
      await decideAnew(started, again, 'deny')
      assert.equal((await pollBackchannel(started, again, {}, client)).body.error, 'access_denied')
      const both = await tryBackchannel(started, { id_token_hint: body.id_token }, client)
      assert.equal(both.body.error, 'invalid_request')
      const foreign = await tryBackchannel(started, form)
      assert.deepEqual(foreign.body, {
        error: 'invalid_request',
        error_description:
          'id_token_hint has to be an ID token that this service issued to the client',
      })
    }
  })

  const refusals: readonly (readonly [name: string, form: Form, error: string, said: string])[] = [
    [
      'a message that is too long',
      { binding_message: 'm'.repeat(101) },
      'invalid_binding_message',
      'binding_message has to be one line of at most 100 characters, without control characters',
    ],
    [
      'a message with a control character',
      { binding_message: 'a\u0007b' },
      'invalid_binding_message',
      'binding_message has to be one line of at most 100 characters, without control characters',
    ],
    [
      'a message of two lines',
      { binding_message: 'a\nb' },
      'invalid_binding_message',
      'binding_message has to be one line of at most 100 characters, without control characters',
    ],
    [
      'an expiry of no time',
      { requested_expiry: '0' },
      'invalid_request',
      'requested_expiry has to be a number of seconds, from 1 on',
    ],
    [
      'an expiry that is no number',
      { requested_expiry: '1e2' },
      'invalid_request',
      'requested_expiry has to be a number of seconds, from 1 on',
    ],
    [
      'a request object of a client without an algorithm for it',
      { request: 'a.b.c' },
      'invalid_request',
      'the client has not registered backchannel_authentication_request_signing_alg',
    ],
  ]
  for (const [name, form, error, error_description] of refusals) {
    it(`refuses ${name}`, async () => {
      const { status, body } = await tryBackchannel(started, form)
      assert.deepEqual([status, body], [400, { error, error_description }])
    })
  }

  it('refuses an unknown scope, resource and detail as /authorize does', async () => {
    const refused = async (form: Form) => (await tryBackchannel(started, form)).body.error
    assert.equal(await refused({ scope: 'nothing:read' }), 'invalid_scope')
    assert.equal(await refused({ resource: 'https://elsewhere.example' }), 'invalid_target')
    assert.equal(
      await refused({ authorization_details: '[{"type":"x"}]' }),
      'invalid_authorization_details',
    )
  })

  it('is for clients with the grant, which prove themselves', async () => {
    const other = await tryBackchannel(started, {}, ['photo-printer', 'photo-printer-secret'])
    assert.deepEqual(other.body, {
      error: 'unauthorized_client',
      error_description: `the client is not registered for the grant type ${backchannelGrant}`,
    })
    const wrong = await tryBackchannel(started, {}, ['cash-desk', 'wrong'])
    assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client'])
    const json = { grant_types: [backchannelGrant], token_endpoint_auth_method: 'none' }
    const made = await started.ask('/register', { json })
    assert.equal(made.body.error, 'invalid_client_metadata')
  })

  it('ends sooner for a client that asks for it, and never later', async () => {
    const ask = async (requested_expiry: string) =>
      (await askBackchannel(started, { requested_expiry })).expires_in
    assert.equal(await ask('30'), 30)
    assert.equal(await ask('1000000'), 300)
  })

  it('takes its time from the limit', async () => {
    const { limits } = started.server().settings
    const other = await start({ limits: { ...limits, backchannelRequestSeconds: 1000 } })
    try {
      assert.equal((await askBackchannel(other)).expires_in, 1000)
    } finally {
      await other.close()
    }
  })
})

describe('the page of requests', () => {
  it('shows who asks, for what, with which words, and what will happen', async () => {
    const binding_message = 'Till 7: W4SCT <b>'
    const codes = await askBackchannel(started, { binding_message })
    const browser = new Browser(started)
    const login = await browser.go('/account/requests')
    assert.match(login.url, /\/login\?/)
    const page = await browser.logIn(login, 'alice', 'wonderland')
    assert.match(page.url, /\/account\/requests$/)
    const form = formOf({ page }, codes)
    assert.deepEqual(Object.keys(form.fields).toSorted(), [
      'csrf',
      'permission',
      'request',
      'requester',
    ])
    assert.deepEqual(form.fields.permission, ['photos:read'])
    assert.ok(page.text.includes('Cash Desk'))
    assert.ok(page.text.includes('Till 7: W4SCT &lt;b&gt;'))
    assert.ok(page.text.includes('127.0.0.*'))
    assert.match(page.text, /gets access once, for 1 hour/)
    const end = await decide({ browser, page }, codes, 'allow')
    assert.match(end.text, /You allowed the request of <bdi class="name">Cash Desk<\/bdi>/)
    const { status, body } = await pollBackchannel(started, codes)
    const { access_token, ...rest } = body
    assert.equal(status, 200)
    assert.match(access_token, /^lk_at_/)
    assert.deepEqual(rest, {
      token_type: 'Bearer',
      expires_in: 3600,
      authorization_expires_in: 3600,
      scope: 'photos:read',
    })
    assert.equal((await read(access_token)).status, 200)
  })

  it('is linked from the account with a count, while anything waits', async () => {
    const { browser } = await openRequests(started, ['bob', 'builder'])
    for (const { fields } of requestForms(await browser.go('/account/requests'))) {
      await browser.go('/account/requests', { ...fields, decision: 'deny' })
    }
    assert.doesNotMatch((await browser.go('/account')).text, /account\/requests/)
    await askBackchannel(started, { login_hint: 'bob' })
    await askBackchannel(started, { login_hint: 'bob' })
    const client = await newClient()
    await askBackchannel(started, { login_hint: 'bob' }, client)
    const operator = await operatorOf(started)
    await operator('PATCH', `clients/${client[0]}`, { scope: 'contacts:read' })
    assert.equal(requestForms(await browser.go('/account/requests')).length, 2)
    const account = await browser.go('/account')
    assert.match(account.text, /2 requests wait for your decision/)
    assert.match(account.text, /href="[^"]*\/account\/requests"/)
  })

  it('tells the client of a denial', async () => {
    const codes = await askBackchannel(started)
    const end = await decideAnew(started, codes, 'deny')
    assert.match(end.text, /You denied the request of <bdi class="name">Cash Desk<\/bdi>/)
    const { status, body } = await pollBackchannel(started, codes)
    assert.deepEqual(
      [status, body],
      [400, { error: 'access_denied', error_description: 'the resource owner denied access' }],
    )
  })

  it('gives only what was ticked, and nothing ticked is a denial', async () => {
    const some = await askBackchannel(started, { scope: 'photos contacts' })
    await decideAnew(started, some, 'allow', { permission: ['contacts:read'] })
    assert.equal((await pollBackchannel(started, some)).body.scope, 'contacts:read')
    const none = await askBackchannel(started)
    await decideAnew(started, none, 'allow', { permission: [] })
    assert.equal((await pollBackchannel(started, none)).body.error, 'access_denied')
  })

  it('says that a request is over', async () => {
    const codes = await askBackchannel(started)
    const opened = await openRequests(started)
    await decide(opened, codes, 'allow')
    const again = await decide(opened, codes, 'deny')
    assert.equal(again.status, 409)
    assert.match(again.text, /That request was decided before, or has expired/)
    assert.equal((await pollBackchannel(started, codes)).status, 200)
  })

  it('tells who logged in, for openid', async () => {
    const codes = await askBackchannel(started, { scope: 'openid email' })
    await decideAnew(started, codes)
    const { body } = await pollBackchannel(started, codes)
    assert.equal(body.scope, 'email openid')
    const { aud, amr, acr } = decodeJwt(body.id_token)
    assert.deepEqual({ aud, amr, acr }, { aud: 'cash-desk', amr: ['pwd'], acr: '1' })
  })

  it('is led to by a mail, if its owner has proved the address', async () => {
    const service = await start()
    try {
      await askBackchannel(service, { binding_message: 'not in a mail' })
      const [mail] = await mailsIn(service)
      assert.equal(mail?.to, 'alice@example.com')
      assert.equal(mail?.link, `${service.issuer}/account/requests`)
      assert.doesNotMatch(mail?.text ?? '', /not in a mail|Cash Desk/)
      const operator = await operatorOf(service)
      const carol = { username: 'carol', password: 'correct horse battery', email: 'c@example.com' }
      assert.equal((await operator('POST', 'owners', carol)).status, 201)
      await askBackchannel(service, { login_hint: 'carol' })
      await askBackchannel(service, { login_hint: 'c@example.com' })
      await askBackchannel(service, { login_hint: 'nobody' })
      assert.equal((await mailsIn(service)).length, 1)
    } finally {
      await service.close()
    }
  })

  it('leaves a mark in the activity of the owner', async () => {
    const codes = await askBackchannel(started)
    const { browser, page } = await openRequests(started)
    await decide({ browser, page }, codes, 'deny')
    const { text } = await browser.go('/account/events')
    assert.match(
      text,
      /You denied a request of <b><bdi[^>]*>Cash Desk<\/bdi><\/b>, which asked on /,
    )
  })
})

describe('an approval', () => {
  it('is for one token, although the client may refresh', async () => {
    const client = await newClient({ grant_types: [backchannelGrant, 'refresh_token'] })
    const codes = await askBackchannel(started, {}, client)
    await decideAnew(started, codes)
    const { body } = await pollBackchannel(started, codes, {}, client)
    assert.deepEqual(Object.keys(body).toSorted(), [
      'access_token',
      'authorization_expires_in',
      'expires_in',
      'scope',
      'token_type',
    ])
  })

  it('lasts where offline_access was asked and shown', async () => {
    const client = await newClient({ grant_types: [backchannelGrant, 'refresh_token'] })
    const form = { scope: 'photos:read offline_access' }
    const codes = await askBackchannel(started, form, client)
    const opened = await openRequests(started)
    assert.match(opened.page.text, /keeps access until you end it/)
    await decide(opened, codes, 'allow')
    const { body } = await pollBackchannel(started, codes, {}, client)
    assert.match(body.refresh_token, /^lk_rt_/)
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    assert.equal((await started.post('/token', refresh, client)).status, 200)
  })

  const keeping: Form = { scope: 'photos:read offline_access' }
  const lived = async (client: ClientPair) => {
    const operator = await operatorOf(started)
    return (await operator('GET', `authorizations?client=${client[0]}`)).body.items.length
  }

  it('with offline_access ends with its request, unless it is redeemed', async () => {
    const client = await newClient({ grant_types: [backchannelGrant, 'refresh_token'] })
    await decideAnew(started, await askBackchannel(started, keeping, client))
    assert.equal(await lived(client), 1)
    started.pass(300)
    assert.equal(await lived(client), 0)
    const codes = await askBackchannel(started, keeping, client)
    await decideAnew(started, codes)
    const { body } = await pollBackchannel(started, codes, {}, client)
    assert.equal(body.authorization_expires_in, undefined)
    started.pass(86_400)
    assert.equal(await lived(client), 1)
  })

  it('with offline_access ends with the login where that is the default duration', async () => {
    const service = await start({ defaultDuration: 'session' })
    try {
      const operator = await operatorOf(service)
      const grant_types = [backchannelGrant, 'refresh_token']
      const { body: made } = await operator('POST', 'clients', { grant_types, response_types: [] })
      const client = [made.client_id, made.client_secret] as const
      const codes = await askBackchannel(service, keeping, client)
      const opened = await openRequests(service)
      await decide(opened, codes, 'allow')
      const { body } = await pollBackchannel(service, codes, {}, client)
      const refresh = async (refresh_token: string) =>
        service.post('/token', { grant_type: 'refresh_token', refresh_token }, client)
      const { body: next } = await refresh(body.refresh_token)
      await opened.browser.submit(await opened.browser.go('/logout'), {})
      assert.equal((await refresh(next.refresh_token)).body.error, 'invalid_grant')
    } finally {
      await service.close()
    }
  })

  it('for one token without an end of its own ends with a JWT, and not with another token', async () => {
    const service = await startWithJwts()
    try {
      const operator = await operatorOf(service)
      const grant_types = [backchannelGrant]
      const json = { grant_types, response_types: [], access_token_seconds: null }
      const { body: made } = await operator('POST', 'clients', json)
      const client = [made.client_id, made.client_secret] as const
      const living = async () => {
        const again = await operatorOf(service)
        return (await again('GET', `authorizations?client=${made.client_id}`)).body.items.length
      }
      for (const [scope, resource, seconds] of [
        ['orders:read', orders, 3600],
        ['photos:read', `${service.issuer}/api/photos`, undefined],
      ] as const) {
        const codes = await askBackchannel(service, { scope, resource }, client)
        await decideAnew(service, codes)
        const { body } = await pollBackchannel(service, codes, {}, client)
        assert.equal(body.expires_in, seconds)
        service.pass(3600)
        assert.equal(await living(), seconds === undefined ? 1 : 0)
      }
    } finally {
      await service.close()
    }
  })

  it('answers for no other request', async () => {
    const codes = await askBackchannel(started)
    await decideAnew(started, codes)
    const again = await askBackchannel(started)
    assert.deepEqual((await pollBackchannel(started, again)).body, pendingBody)
  })

  it('goes on after a restart, and earns one token', async () => {
    const codes = await askBackchannel(started)
    await decideAnew(started, codes)
    await started.restart()
    const first = await pollBackchannel(started, codes)
    assert.equal(first.status, 200)
    const again = await pollBackchannel(started, codes)
    assert.deepEqual(again.body, {
      error: 'invalid_grant',
      error_description: 'the auth_req_id is unknown, used, or was issued to another client',
    })
    assert.equal((await read(first.body.access_token)).status, 200)
  })

  it('is an access of the owner, who ends it', async () => {
    const codes = await askBackchannel(started)
    const { browser, page } = await openRequests(started)
    await decide({ browser, page }, codes, 'allow')
    const { access_token } = (await pollBackchannel(started, codes)).body
    const account = await browser.go('/account')
    assert.ok(account.text.includes('Cash Desk'))
    const operator = await operatorOf(started)
    const { body } = await operator('GET', 'authorizations?client=cash-desk')
    for (const { id } of body.items) await operator('DELETE', `authorizations/${id}`)
    assert.equal((await read(access_token)).status, 401)
  })
})

describe('polling', () => {
  it('is pending, and slows down a client that comes too soon, for good', async () => {
    const codes = await askBackchannel(started)
    const error = async () => (await pollBackchannel(started, codes)).body.error
    assert.deepEqual((await pollBackchannel(started, codes)).body, pendingBody)
    assert.deepEqual((await pollBackchannel(started, codes)).body, {
      error: 'slow_down',
      error_description: 'ask again after five more seconds than before',
    })
    started.pass(9)
    assert.equal(await error(), 'slow_down')
    started.pass(15)
    assert.equal(await error(), 'authorization_pending')
  })

  it('ends with the request', async () => {
    const codes = await askBackchannel(started)
    started.pass(300)
    const { status, body } = await pollBackchannel(started, codes)
    assert.deepEqual(
      [status, body],
      [
        400,
        { error: 'expired_token', error_description: 'the request has expired: make another one' },
      ],
    )
  })

  it('without a request is told so', async () => {
    const { body } = await started.post('/token', { grant_type: backchannelGrant }, cashDesk)
    assert.deepEqual(body, {
      error: 'invalid_request',
      error_description: 'parameter auth_req_id is missing',
    })
  })
})

describe('details', () => {
  it('are shown with every value, and approved one by one', async () => {
    const service = await startWithDetails()
    try {
      const wine = { type: 'payments', actions: ['pay'], amount: '9.00', to: 'Vintner' }
      const form = { scope: '', authorization_details: JSON.stringify([rent, wine]) }
      const codes = await askBackchannel(service, form)
      const opened = await openRequests(service)
      assert.deepEqual(formOf(opened, codes).fields.detail, ['0', '1'])
      for (const value of ['800.00', 'Landlord', '9.00', 'Vintner']) {
        assert.ok(opened.page.text.includes(value), value)
      }
      await decide(opened, codes, 'allow', { detail: ['1'] })
      const { body } = await pollBackchannel(service, codes)
      assert.deepEqual(body.authorization_details, [wine])
    } finally {
      await service.close()
    }
  })
})

describe('the metadata', () => {
  it('name the endpoint and its modes (CIBA section 4)', async () => {
    const { body } = await started.ask('/.well-known/openid-configuration')
    const named = Object.entries(body).filter(([name]) => name.startsWith('backchannel_'))
    const { issuer } = started
    assert.deepEqual(Object.fromEntries(named), {
      backchannel_authentication_endpoint: `${issuer}/bc-authorize`,
      backchannel_token_delivery_modes_supported: ['poll', 'ping'],
      backchannel_authentication_request_signing_alg_values_supported:
        body.request_object_signing_alg_values_supported,
      backchannel_user_code_parameter_supported: false,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    })
    assert.ok(body.grant_types_supported.includes(backchannelGrant))
  })
})

it('ids of all that began here name the shard key of their owner', () => assertPlaced(started))
