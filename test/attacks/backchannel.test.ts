/** Attacks on backchannel requests: who is known here, people worn down, stolen and foreign requests (OpenID CIBA section 15). */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { defaultLimits } from '../../src/config/settable-limits.ts'
import { backchannelLimits } from '../../src/features/backchannel/limits.ts'
import { pollLimits } from '../../src/tokens/polled-request.ts'
import { operatorOf } from '../flows/operator.ts'
import {
  type AskedBackchannel,
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
  requestsPath,
  tryBackchannel,
} from '../support/backchannel.ts'
import { Browser } from '../support/browser.ts'
import { makeProver, postProven } from '../support/dpop.ts'
import { mailsIn } from '../support/mailbox.ts'
import { type Started, start } from '../support/start.ts'

const { refusalsPerMinute } = defaultLimits

describe('backchannel requests', () => {
  let started: Started
  beforeEach(async () => {
    started = await start()
  })
  afterEach(() => started.close())

  const newStranger = async (): Promise<ClientPair> => {
    const json = { client_name: 'Stranger', grant_types: [backchannelGrant], scope: 'photos:read' }
    const { status, body, text } = await started.ask('/register', { json })
    assert.equal(status, 201, text)
    return [body.client_id, body.client_secret]
  }

  const newClient = async (members: object = {}): Promise<ClientPair> => {
    const operator = await operatorOf(started)
    const json = { grant_types: [backchannelGrant], response_types: [], ...members }
    const { status, body, text } = await operator('POST', 'clients', json)
    assert.equal(status, 201, text)
    return [body.client_id, body.client_secret]
  }

  const shape = (body: object): object =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        name === 'auth_req_id' ? String(value).length : value,
      ]),
    )

  it('tell nobody whether a person is known: not at the beginning, in polls, or at the end', async () => {
    const hints = ['alice', 'alice@example.com', 'nobody', 'nobody@example.com', 'x'.repeat(254)]
    const codes = await Promise.all(
      hints.map((login_hint) => askBackchannel(started, { login_hint })),
    )
    const told = new Set(codes.map((one) => JSON.stringify(shape(one))))
    assert.equal(told.size, 1)
    const hear = async () => {
      const answers = await Promise.all(codes.map((one) => pollBackchannel(started, one)))
      return [...new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`))]
    }
    assert.equal((await hear()).length, 1)
    assert.match((await hear())[0] ?? '', /slow_down/)
    started.pass(300)
    const [end = '', ...others] = await hear()
    assert.match(end, /expired_token/)
    assert.deepEqual(others, [])
  })

  it('tell it by no limit either: known and unknown people have as many', async () => {
    for (const login_hint of ['alice', 'nobody']) {
      for (let i = 0; i < 20; i++) await askBackchannel(started, { login_hint })
      const { status, headers, body } = await tryBackchannel(started, { login_hint })
      assert.equal(status, 429)
      assert.equal(headers.get('retry-after'), '60')
      assert.deepEqual(body, {
        error: 'too_many_requests',
        error_description: '20 requests of the client wait for this person',
      })
    }
    // The address of the same person is counted by itself, and nobody is asked.
    const quiet = await askBackchannel(started, { login_hint: 'alice@example.com' })
    assert.equal((await pollBackchannel(started, quiet)).body.error, 'authorization_pending')
    const { page } = await openRequests(started)
    assert.equal(requestForms(page).length, 20)
  })

  it('by a pairwise subject look among so many owners, and say so beyond', async () => {
    const client = await newClient({ subject_type: 'pairwise' })
    const codes = await askBackchannel(started, { scope: 'openid' }, client)
    await decideAnew(started, codes)
    const { body } = await pollBackchannel(started, codes, {}, client)
    const hint = { login_hint: '', id_token_hint: body.id_token }
    await askBackchannel(started, hint, client)
    const database = new DatabaseSync(join(started.folder, 'latchkey.db'), {
      enableForeignKeyConstraints: false,
    })
    database.exec(`insert into authorizations
        (id, client_id, owner_id, permissions, duration, session_id, created_at, salt, revision)
      with recursive later (n) as (select 1 union all select n + 1 from later where n < 5000)
      select 'z' || n, '${client[0]}', 'z' || n, '', 'forever', '', 0, '', 0 from later`)
    database.close()
    const { status, body: refused } = await tryBackchannel(started, hint, client)
    assert.deepEqual(
      [status, refused],
      [
        400,
        {
          error: 'invalid_request',
          error_description:
            'id_token_hint has a pairwise subject, which is none of the latest 5000 owners of the client: send login_hint',
        },
      ],
    )
  })

  it('tell a trusted client of an unknown person', async () => {
    const client = await newClient({ trusted: true })
    const { status, body } = await tryBackchannel(started, { login_hint: 'nobody' }, client)
    assert.deepEqual(
      [status, body],
      [400, { error: 'unknown_user_id', error_description: 'the hint means nobody here' }],
    )
    assert.equal((await tryBackchannel(started, {}, client)).status, 200)
  })

  it('of a disabled owner, or one who leaves, are those of nobody', async () => {
    const operator = await operatorOf(started)
    const { body } = await operator('GET', 'owners?search=bob')
    await operator('PATCH', `owners/${body.items[0].id}`, { disabled: true })
    const codes = await askBackchannel(started, { login_hint: 'bob' })
    assert.equal((await pollBackchannel(started, codes)).body.error, 'authorization_pending')
  })

  it('reach the one who has proved an address, whoever else has typed it', async () => {
    const operator = await operatorOf(started)
    for (const name of ['mallory', 'trudy', 'verified']) {
      const email = { email: 'carol@example.com', email_verified: name === 'verified' }
      const json = { username: name, password: 'correct horse battery', ...email }
      assert.equal((await operator('POST', 'owners', json)).status, 201)
      started.pass(1)
    }
    const codes = await askBackchannel(started, { login_hint: 'carol@example.com' })
    const opened = await openRequests(started, ['verified', 'correct horse battery'])
    await decide(opened, codes, 'allow')
    assert.equal((await pollBackchannel(started, codes)).status, 200)
  })

  it('of strangers do not crowd a person: they share a few places, and the operator has others', async () => {
    const { ofOwnerByStrangers } = backchannelLimits
    const strangers = [await newStranger(), await newStranger()]
    for (let i = 0; i < ofOwnerByStrangers; i++) {
      await askBackchannel(started, {}, strangers[i % 2])
    }
    const unheard = await askBackchannel(started, {}, strangers[0])
    assert.equal(
      (await pollBackchannel(started, unheard, {}, strangers[0])).body.error,
      'authorization_pending',
    )
    const heard = await askBackchannel(started)
    const opened = await openRequests(started)
    assert.equal(requestForms(opened.page).length, ofOwnerByStrangers + 1)
    await decide(opened, heard, 'allow')
    assert.equal((await pollBackchannel(started, heard)).status, 200)
  })

  it('a denied client asks in vain after some denials, and again an hour later', async () => {
    for (let i = 0; i < backchannelLimits.denials; i++) {
      const codes = await askBackchannel(started)
      await decideAnew(started, codes, 'deny')
    }
    await askBackchannel(started)
    assert.deepEqual(requestForms((await openRequests(started)).page), [])
    started.pass(3600 + 300)
    const codes = await askBackchannel(started)
    await decideAnew(started, codes)
    assert.equal((await pollBackchannel(started, codes)).status, 200)
  })

  const mailEvents = async (): Promise<readonly string[]> => {
    const operator = await operatorOf(started)
    const { body } = await operator('GET', 'events?limit=100')
    const events: readonly { readonly type: string }[] = body.items
    return events.map(({ type }) => type).filter((type) => type.startsWith('mail.'))
  }

  it('send a person one mail, however fast they follow one another', async () => {
    const stranger = await newStranger()
    for (let i = 0; i < 12; i++) {
      for (const login_hint of ['alice', 'alice@example.com']) {
        const form = { login_hint, requested_expiry: '1' }
        assert.equal((await askBackchannel(started, form, stranger)).expires_in, 10)
      }
      assert.equal((await mailsIn(started)).length, 1)
      started.pass(10)
    }
    assert.deepEqual(await mailEvents(), ['mail.sent'])
    started.pass(300)
    await askBackchannel(started, {}, stranger)
    assert.equal((await mailsIn(started)).length, 2)
  })

  it('of many clients send few mails, and leave no mark of the others', async () => {
    for (let i = 0; i < 8; i++) await askBackchannel(started, {}, await newStranger())
    assert.equal((await mailsIn(started)).length, 5)
    assert.deepEqual(await mailEvents(), Array(5).fill('mail.sent'))
  })

  it('are not mailed about once nothing waits', async () => {
    const mails = async () => (await mailsIn(started)).filter(({ link }) => /requests$/.test(link))
    await decideAnew(started, await askBackchannel(started), 'deny')
    assert.deepEqual(await mails(), [])
    await askBackchannel(started, {}, await newStranger())
    started.pass(300)
    assert.deepEqual(await mails(), [])
  })

  it('of strangers cannot fill the store, however short they are', async () => {
    const stranger = await newStranger()
    const ask = (login_hint: string) =>
      tryBackchannel(started, { login_hint, requested_expiry: '1' }, stranger)
    for (let i = 0; i < backchannelLimits.ofNetwork; i++) {
      assert.equal((await ask(`person-${i}`)).status, 200)
      started.pass(1)
    }
    const { status, body } = await ask('another')
    assert.deepEqual(
      [status, body.error_description],
      [429, 'too many requests wait for a decision'],
    )
    started.pass(300)
    assert.equal((await ask('another')).status, 200)
  })

  it('a stolen auth_req_id earns another client nothing, and costs the client nothing', async () => {
    const codes = await askBackchannel(started)
    await decideAnew(started, codes)
    const thief = await newClient()
    const { body } = await pollBackchannel(started, codes, {}, thief)
    assert.deepEqual(body, {
      error: 'invalid_grant',
      error_description: 'the auth_req_id is unknown, used, or was issued to another client',
    })
    const forged = `${codes.auth_req_id.slice(0, -43)}${'A'.repeat(43)}`
    for (const auth_req_id of [forged, `${codes.auth_req_id}A`, codes.auth_req_id.slice(0, -1)]) {
      assert.equal((await pollBackchannel(started, { auth_req_id })).body.error, 'invalid_grant')
    }
    assert.equal((await pollBackchannel(started, codes)).status, 200)
  })

  it('RC-06 many polls at once after the approval earn one token', async () => {
    const codes = await askBackchannel(started)
    await decideAnew(started, codes)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => pollBackchannel(started, codes)),
    )
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    const lost = answers.filter(({ status }) => status !== 200)
    assert.deepEqual([...new Set(lost.map(({ body }) => body.error))], ['invalid_grant'])
  })

  it('AC-14 an auth_req_id is no other credential, and no other one is it', async () => {
    const codes = await askBackchannel(started)
    await decideAnew(started, codes)
    const token = (await pollBackchannel(started, codes)).body.access_token
    const { body } = await pollBackchannel(started, { auth_req_id: token })
    assert.equal(body.error, 'invalid_grant')
    assert.match(body.error_description, /but an auth_req_id \(lk_ar_\.\.\.\) belongs here/)
  })

  it('nobody decides for another person, whose request has the same page', async () => {
    const codes = await askBackchannel(started)
    const alice = await openRequests(started)
    const fields = formOf(alice, codes).fields
    const bob = await openRequests(started, ['bob', 'builder'])
    assert.deepEqual(requestForms(bob.page), [])
    const csrf = /name="csrf" value="([^"]*)"/.exec(bob.page.text)?.[1] ?? ''
    const tried = await bob.browser.go(requestsPath, { ...fields, csrf, decision: 'allow' })
    assert.equal(tried.status, 409)
    assert.equal((await pollBackchannel(started, codes)).body.error, 'authorization_pending')
  })

  it('a form of another site, or without a login, decides nothing', async () => {
    const codes = await askBackchannel(started)
    const { browser, page } = await openRequests(started)
    const { csrf: _, ...fields } = formOf({ page }, codes).fields
    assert.equal((await browser.go(requestsPath, { ...fields, decision: 'allow' })).status, 403)
    const form = { ...formOf({ page }, codes).fields, decision: 'allow' }
    const foreign = await browser.ask(requestsPath, form, { 'sec-fetch-site': 'cross-site' })
    assert.equal(foreign.status, 403)
    const nobody = await new Browser(started).go(requestsPath, form)
    assert.match(nobody.url, /\/login/)
    assert.equal((await pollBackchannel(started, codes)).body.error, 'authorization_pending')
  })

  it('nothing is allowed that the client did not ask for', async () => {
    const codes = await askBackchannel(started)
    const changes = { permission: ['photos:read', 'photos:write'] }
    assert.equal((await decideAnew(started, codes, 'allow', changes)).status, 400)
    const details = await decideAnew(started, codes, 'allow', { detail: ['0'] })
    assert.equal(details.status, 400)
    assert.equal((await pollBackchannel(started, codes)).body.error, 'authorization_pending')
  })

  it('what an owner saw of a client is what the owner allows', async () => {
    const codes = await askBackchannel(started)
    const opened = await openRequests(started)
    const operator = await operatorOf(started)
    await operator('PATCH', 'clients/cash-desk', { client_name: 'Another Desk' })
    const changed = await decide(opened, codes, 'allow')
    assert.equal(changed.status, 409)
    assert.match(changed.text, /the application has changed since this page was shown/)
    await operator('PATCH', 'clients/cash-desk', { scope: 'contacts:read' })
    assert.equal((await decide(opened, codes, 'allow')).status, 409)
    assert.equal((await pollBackchannel(started, codes)).body.error, 'authorization_pending')
  })

  it('the page says that the name of a stranger looks like another one', async () => {
    const json = {
      client_name: 'Cash  Dеsk',
      grant_types: [backchannelGrant],
      scope: 'photos:read',
    }
    const { body } = await started.ask('/register', { json })
    const client: ClientPair = [body.client_id, body.client_secret]
    await askBackchannel(started)
    const told = /its name looks like <bdi[^>]*>Cash Desk<\/bdi>/g
    assert.doesNotMatch((await openRequests(started)).page.text, told)
    for (let i = 0; i < 2; i++) await askBackchannel(started, {}, client)
    assert.equal((await openRequests(started)).page.text.match(told)?.length, 2)
  })

  it('a message cannot pass for the page: no markup, no hidden characters', async () => {
    const binding_message = '</q><b>Allow</b>\u202e\u200b'
    await askBackchannel(started, { binding_message })
    const { page } = await openRequests(started)
    assert.ok(!page.text.includes('<b>Allow</b>'))
    assert.ok(page.text.includes('‹U+202E›‹U+200B›'))
  })

  const changes: Readonly<
    Record<string, (operator: Awaited<ReturnType<typeof operatorOf>>) => Promise<unknown>>
  > = {
    'the client is disabled': (operator) =>
      operator('PATCH', 'clients/cash-desk', { disabled: true }),
    'the tokens of the client are ended': (operator) =>
      operator('POST', 'clients/cash-desk/end-tokens'),
    'the client lost the grant': (operator) =>
      operator('PATCH', 'clients/cash-desk', { grant_types: ['client_credentials'] }),
    'the permission was taken from the client': (operator) =>
      operator('PATCH', 'clients/cash-desk', { scope: 'contacts:read' }),
  }
  for (const [name, change] of Object.entries(changes)) {
    it(`an approval earns nothing once ${name}`, async () => {
      const codes = await askBackchannel(started)
      await decideAnew(started, codes)
      await change(await operatorOf(started))
      assert.notEqual((await pollBackchannel(started, codes)).status, 200)
    })
  }

  it('an approval earns nothing once its owner has ended it', async () => {
    const codes = await askBackchannel(started)
    const opened = await openRequests(started)
    await decide(opened, codes, 'allow')
    const operator = await operatorOf(started)
    const { body } = await operator('GET', 'authorizations?client=cash-desk')
    await operator('DELETE', `authorizations/${body.items[0].id}`)
    assert.equal((await pollBackchannel(started, codes)).body.error, 'invalid_grant')
  })

  it('an approval lets no other request of the client through without a page', async () => {
    const redirect_uris = ['https://app.example/back']
    const grant_types = [backchannelGrant, 'authorization_code']
    const client = await newClient({ grant_types, response_types: ['code'], redirect_uris })
    const codes = await askBackchannel(started, {}, client)
    const opened = await openRequests(started)
    await decide(opened, codes, 'allow')
    assert.equal((await pollBackchannel(started, codes, {}, client)).status, 200)
    const request = {
      client_id: client[0],
      response_type: 'code',
      redirect_uri: redirect_uris[0] ?? '',
      scope: 'photos:read',
    }
    const page = await opened.browser.go(`/authorize?${new URLSearchParams(request)}`)
    assert.match(page.url, /\/consent\?/)
  })

  it('polls that come in time are not held against the address, in any number', async () => {
    const codes = await Promise.all(Array.from({ length: 20 }, () => askBackchannel(started)))
    for (let asked = 0; asked <= refusalsPerMinute; asked += codes.length) {
      const answers = await Promise.all(codes.map((one) => pollBackchannel(started, one)))
      const errors = new Set(answers.map(({ body }) => body.error))
      assert.deepEqual([...errors], ['authorization_pending'])
      started.pass(5)
    }
  })

  it('polls that always come too soon count as refused, beyond the first few', async () => {
    const codes = await askBackchannel(started)
    assert.equal((await pollBackchannel(started, codes)).body.error, 'authorization_pending')
    for (let i = 0; i < pollLimits.slowDownsOfRoutine; i++) {
      const { reference, body } = await pollBackchannel(started, codes)
      assert.deepEqual([body.error, reference], ['slow_down', null])
    }
    assert.notEqual((await pollBackchannel(started, codes)).reference, null)
  })

  it('polls use no proof up before they earn a token (RFC 9449)', async () => {
    const prover = await makeProver(started.now)
    const proof = await prover.prove('POST', `${started.issuer}/token`)
    const poll = ({ auth_req_id }: AskedBackchannel) =>
      postProven(started, { grant_type: backchannelGrant, auth_req_id }, cashDesk, proof)
    const [codes, others] = [await askBackchannel(started), await askBackchannel(started)]
    for (let i = 0; i < 3; i++) {
      assert.equal((await poll(codes)).body.error, 'authorization_pending')
      started.pass(5)
    }
    for (const one of [codes, others]) await decideAnew(started, one)
    const { status, body } = await poll(codes)
    assert.deepEqual([status, body.token_type], [200, 'DPoP'])
    assert.equal((await poll(others)).body.error, 'invalid_dpop_proof')
  })
})
