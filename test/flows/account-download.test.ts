/** The download of everything stored about an owner: whole, without secrets, and visibly cut where it fails. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { createId, type EventId, type OwnerId } from '../../src/model/ids.ts'
import { StoreFault } from '../../src/store/fault.ts'
import { answerOf, Browser, formsOf } from '../support/browser.ts'
import { makeRecoveryCodes, setUpCodes } from '../support/factors.ts'
import { eventsOf, newVisitor, password, type Visitor } from '../support/people.ts'
import { authorizePath, codeRequest } from '../support/printing.ts'
import { requestOf, startBefore } from '../support/start.ts'
import { redeem } from '../support/tokens.ts'

const started = startBefore()
let owner: Visitor

beforeEach(async () => {
  owner = await newVisitor(started, 'Ada')
})

/** The answer to the form of the page, not read yet. */
const begin = async ({ browser }: Visitor = owner): Promise<Response> => {
  const page = await browser.go('/account/download')
  const form = formsOf(page.text).find(({ action }) => action === '/account/download')
  assert.ok(form, page.text)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const url = `${started.issuer}/account/download`
  const request = requestOf(url, { form: form.fields, headers: { cookie } })
  return started.server().fetch(request, '127.0.0.1')
}

const download = async () => {
  const text = await (await begin()).text()
  return { text, document: JSON.parse(text) }
}

let added = 0

/** Events of long ago. */
const addEvents = (count: number): Promise<unknown> =>
  Promise.all(
    Array.from({ length: count }, () =>
      started.server().store.appendEvent({
        id: createId(++added, new Uint8Array(10)) as EventId,
        at: 1,
        type: 'login.failed',
        clientId: null,
        ownerId: owner.id as OwnerId,
        authorizationId: null,
        requestId: null,
        actor: { type: 'anyone', network: '192.0.2.*' },
        details: { address: '192.0.2.77' },
      }),
    ),
  )

const approve = async () => {
  const page = await owner.browser.go(authorizePath(codeRequest))
  const { code = '' } = answerOf(await owner.browser.submit(page, { decision: 'allow' }))
  return (await redeem(started, code)).body
}

describe('the file', () => {
  test('is JSON to keep, and its last member says that it is whole', async () => {
    const response = await begin()
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'application/json;charset=UTF-8')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="account.json"')
    const { taken_at, account, ...document } = JSON.parse(await response.text())
    assert.equal(taken_at, new Date(started.now() * 1000).toISOString().replace('.000', ''))
    assert.equal(account.id, owner.id)
    assert.deepEqual(Object.keys(document), [
      'format',
      'issuer',
      'ways_to_log_in',
      'groups',
      'sessions',
      'applications',
      'access_days',
      'access_log',
      'items',
      'events',
      'complete',
    ])
    assert.deepEqual([document.format, document.complete], ['latchkey-account-1', true])
    assert.deepEqual(document.ways_to_log_in, {
      passkeys: [],
      passkey_required: false,
      one_time_codes_since: null,
      recovery_codes_left: 0,
      linked_logins: [],
    })
  })

  test('tells of applications, their requests, and items', async () => {
    const { access_token: token } = await approve()
    const init = { headers: { authorization: `Bearer ${token}` } }
    const made = await started.ask('/api/photos', { ...init, json: { title: 'Tower' } })
    assert.equal(made.status, 201)
    const { document } = await download()
    const [access] = document.applications
    assert.deepEqual(
      [access.client_id, access.client_name, access.ended_at],
      ['photo-printer', 'Photo Printer', null],
    )
    assert.deepEqual(document.access_days, [
      {
        authorization_id: access.id,
        day: '2026-11-21',
        reads: 0,
        writes: 1,
        checks: 0,
        refused: 0,
      },
    ])
    const [line] = document.access_log
    assert.deepEqual(
      [line.authorization_id, line.action, line.resource, line.count],
      [access.id, 'write', 'photos', 1],
    )
    assert.deepEqual(
      document.items.map(({ resource, id, fields }: Record<string, unknown>) => [
        resource,
        id,
        fields,
      ]),
      [['photos', made.body.id, { title: 'Tower' }]],
    )
  })

  test('tells of an access that ended', async () => {
    await approve()
    const [{ id }] = (await download()).document.applications
    assert.equal((await owner.operator('DELETE', `authorizations/${id}`)).status, 204)
    await started.advance(60)
    const { document } = await download()
    assert.equal(document.applications.length, 1)
    assert.notEqual(document.applications[0].ended_at, null)
  })

  test('holds no secret', async () => {
    const secret = await setUpCodes(owner.browser, started.now())
    const recovery = await makeRecoveryCodes(owner.browser)
    const tokens = await approve()
    const { text, document } = await download()
    assert.equal(document.ways_to_log_in.recovery_codes_left, recovery.length)
    const { store } = started.server()
    const stored = await store.findOwner(owner.id as OwnerId)
    const factors = await store.findFactors(owner.id as OwnerId)
    const [authorization] = (
      await store.listAuthorizations({ ownerId: owner.id as OwnerId }, null, 1, started.now())
    ).rows
    const secrets = [
      password,
      secret,
      tokens.access_token,
      tokens.refresh_token,
      stored?.passwordHash,
      factors.oneTimeCodes?.secret,
      authorization?.salt,
      ...recovery,
      ...(await store.listRecoveryCodes(owner.id as OwnerId)),
      // The last way of a login is none.
      ...[...owner.browser.cookies].flatMap(([name, value]) => (/way$/.test(name) ? [] : value)),
    ]
    for (const one of secrets) {
      assert.ok(one)
      assert.equal(text.includes(one), false, one)
    }
    assert.doesNotMatch(text, /\$argon2|lk_(at|rt|ac)_/)
  })

  test('has every event of a long life, each once, without addresses of strangers', async () => {
    await addEvents(1000)
    const { text, document } = await download()
    const ids = document.events.map(({ id }: { id: string }) => id)
    assert.equal(new Set(ids).size, ids.length)
    const failed = document.events.filter(({ type }: { type: string }) => type === 'login.failed')
    assert.equal(failed.length, 1000)
    assert.deepEqual(failed[0].details, { network: '192.0.2.*' })
    assert.equal(text.includes('192.0.2.77'), false)
  })

  test('is of its owner alone', async () => {
    const other = await newVisitor(started, 'Grace')
    const { text } = await download()
    for (const one of [other.id, other.username, 'Grace']) assert.equal(text.includes(one), false)
  })

  test('is an event that the owner sees, and that the file itself has', async () => {
    const { document } = await download()
    assert.ok((await eventsOf(owner)).some(({ type }) => type === 'owner.data_downloaded'))
    assert.ok(
      document.events.some(({ type }: { type: string }) => type === 'owner.data_downloaded'),
    )
    const page = await owner.browser.go('/account/events')
    assert.match(page.text, /Everything stored about you was downloaded\./)
  })
})

describe('whoever finds a browser logged in', () => {
  test('has to show the password first, and comes back to the page', async () => {
    const page = await owner.browser.go('/account/download')
    const [, form] = formsOf(page.text)
    await started.advance(700)
    const asked = await owner.browser.ask('/account/download')
    assert.equal(asked.headers.get('location'), '/account/confirm?next=download')
    const posted = await owner.browser.ask('/account/download', form?.fields)
    assert.equal(posted.headers.get('location'), '/account/confirm?next=download')
    assert.equal(
      (await eventsOf(owner)).some(({ type }) => type === 'owner.data_downloaded'),
      false,
    )
    const confirmed = await owner.browser.submit(
      await owner.browser.go('/account/confirm?next=download'),
      { password },
    )
    assert.equal(new URL(confirmed.url).pathname, '/account/download')
  })

  test('gets nothing by a form without the token, or without a login', async () => {
    assert.equal((await owner.browser.ask('/account/download', { csrf: 'x' })).status, 403)
    const stranger = await new Browser(started).ask('/account/download', { csrf: 'x' })
    assert.equal(stranger.status, 303)
  })

  test('gets no more once the login has ended', async () => {
    await addEvents(3000)
    const body = (await begin()).body?.getReader()
    assert.ok(body)
    await body.read()
    const phone = new Browser(started)
    await phone.logIn(await phone.go('/login'), owner.username, password)
    const page = await phone.go('/account/sessions')
    const form = formsOf(page.text).find(({ action }) => action === '/account/sessions')
    await phone.submitForm(page, form ?? assert.fail(), { action: 'end-others' })
    await assert.rejects(async () => {
      while (!(await body.read()).done);
    })
  })
})

test('a fault of the store cuts the file off', async (t) => {
  await addEvents(3000)
  const { store } = started.server()
  let calls = 0
  const listEvents = store.listEvents.bind(store)
  t.mock.method(store, 'listEvents', async (...args: Parameters<typeof listEvents>) => {
    if (++calls === 3) throw new StoreFault('failed', 'the disk is full')
    return listEvents(...args)
  })
  const response = await begin()
  assert.equal(response.status, 200)
  let text = ''
  await assert.rejects(async () => {
    for await (const piece of response.body ?? []) text += Buffer.from(piece).toString()
  })
  assert.match(text, /"events":\[\n/)
  assert.doesNotMatch(text, /"complete"/)
  assert.throws(() => JSON.parse(text))
})

test('ten downloads in an hour are enough', async () => {
  for (let i = 0; i < 10; i++) assert.equal((await begin()).status, 200)
  const eleventh = await begin()
  assert.deepEqual([eleventh.status, eleventh.headers.get('retry-after')], [429, '3600'])
  assert.equal((await begin(await newVisitor(started))).status, 200)
})
