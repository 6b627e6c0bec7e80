/** The auditor's walk: every change has an event with actor, subject, network, old and new values. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Browser, formsOf } from '../support/browser.ts'
import { apiOf } from '../support/commands.ts'
import { act, newConsoleVisitor } from '../support/console.ts'
import { newVisitor, type Visitor } from '../support/people.ts'
import { callback } from '../support/printing.ts'
import { listRows } from '../support/rows.ts'
import { start, startBefore } from '../support/start.ts'
import { bearer, type Operator, operatorOf } from './operator.ts'

let operator: Visitor
let auditor: Visitor
let victim: Visitor
let program: Operator
const network = '127.0.0.*'

const service = startBefore(start, async () => {
  operator = await newConsoleVisitor(service)
  auditor = await newConsoleVisitor(service, ['auditor'])
  victim = await newVisitor(service)
  program = await operatorOf(service)
})

interface ToldEvent {
  readonly type: string
  readonly at: number
  readonly actor: Readonly<Record<string, unknown>>
  readonly owner_id: string | null
  readonly client_id: string | null
  readonly details: unknown
}

/** The events of some work, without those of its reader. */
const during = async (work: () => Promise<unknown>): Promise<readonly ToldEvent[]> => {
  await service.advance(1)
  const since = service.now()
  await work()
  const until = since + 1
  await service.advance(1)
  const { body } = await program('GET', `events?since=${since}&until=${until}&order=oldest`)
  return body.items
}

const inConsole = () => ({ type: 'operator', door: 'console', owner_id: operator.id, network })

const submit = async (browser: Browser, path: string, changes: Record<string, string>) => {
  const page = await browser.go(path)
  const form = formsOf(page.text).find(({ action }) => action === path)
  assert.ok(form, page.text)
  const done = await browser.submitForm(page, form, changes)
  assert.equal(done.status, 200, done.text)
}

const told = (events: readonly ToldEvent[]) =>
  events.map(({ type, actor, owner_id: owner, client_id: client, details }) => ({
    type,
    actor,
    about: owner ?? client,
    details,
  }))

describe('an event tells actor, subject, old and new values', () => {
  test('of an owner whom an operator changes in the console', async () => {
    const path = `/admin/owners/${victim.id}`
    const events = await during(async () => {
      await act(operator.browser, path, { action: 'disable' })
      await act(operator.browser, path, { action: 'enable' })
      await act(operator.browser, path, { action: 'roles', roles: 'staff' })
    })
    const changed = (details: object) => ({
      type: 'owner.changed',
      actor: inConsole(),
      about: victim.id,
      details,
    })
    const sorted = (all: readonly unknown[]) => all.map((one) => JSON.stringify(one)).toSorted()
    assert.deepEqual(
      sorted(told(events)),
      sorted([
        changed({ changed: 'disabled', disabledBefore: false, disabled: true }),
        changed({ changed: 'disabled', disabledBefore: true, disabled: false }),
        changed({ changed: 'roles', rolesBefore: '', roles: 'staff' }),
      ]),
    )
  })

  test('of an owner whom a program changes, without values of personal data', async () => {
    const change = {
      email: 'new@example.com',
      claims: { nickname: 'Vic' },
      attributes: { groups: ['admins'], floor: 2 },
    }
    const events = await during(() => program('PATCH', `owners/${victim.id}`, change))
    assert.deepEqual(
      told(events).map(({ details }) => details),
      [{ changed: 'attributes claims email' }],
    )
    const [{ type, client_id: client } = {}] = events.map(({ actor }) => actor)
    assert.deepEqual([type, client], ['operator', 'latchkey-admin'])
  })

  test('of an owner whose member is set to what it was, with that value', async () => {
    const events = await during(() =>
      program('PATCH', `owners/${victim.id}`, { disabled: false, roles: ['staff'] }),
    )
    assert.deepEqual(
      told(events).map(({ details }) => details),
      [{ changed: 'disabled roles', disabled: false, roles: 'staff' }],
    )
  })

  test('of an owner who is created with a role', async () => {
    const named = { username: 'born-auditor', password: 'correct horse battery' }
    const events = await during(() => program('POST', 'owners', { ...named, roles: ['auditor'] }))
    assert.deepEqual(
      told(events).map(({ details }) => details),
      [{ username: 'born-auditor', roles: 'auditor' }],
    )
  })

  test('of a client that an operator changes at the command line', async () => {
    const api = apiOf(service)
    const client = await api.ask('POST', 'clients', {
      client_id: 'audited',
      client_name: 'Audited',
      redirect_uris: ['https://a.example/cb', 'https://b.example/cb'],
    })
    const change = {
      client_name: 'Renamed',
      redirect_uris: ['https://b.example/cb', 'https://c.example/cb'],
      trusted: true,
      tos_uri: 'https://a.example/terms',
    }
    const events = await during(() => api.ask('PATCH', 'clients/audited', change))
    assert.equal(client.client_id, 'audited')
    assert.deepEqual(told(events), [
      {
        type: 'client.changed',
        actor: { type: 'cli', user: 'root', door: 'command_line' },
        about: 'audited',
        details: {
          changed: 'display name redirectUris trusted',
          nameBefore: 'Audited',
          name: 'Renamed',
          redirectUrisRemoved: 'https://a.example/cb',
          redirectUrisAdded: 'https://c.example/cb',
          tos_uriBefore: null,
          tos_uri: 'https://a.example/terms',
          trustedBefore: false,
          trusted: true,
        },
      },
    ])
  })

  test('of a new secret, and nothing of the secret', async () => {
    const events = await during(() => program('POST', 'clients/audited/rotate-secret'))
    assert.deepEqual(
      events.map(({ type, details }) => [type, details]),
      [['client.secret_rotated', { changed: 'secretDigest' }]],
    )
  })

  test('of a client that changes itself', async () => {
    const metadata = { client_name: 'Own', redirect_uris: [callback] }
    const { body } = await service.ask('/register', { json: metadata })
    const { client_id: id, registration_access_token: token } = body
    const json = { client_id: id, ...metadata, client_name: 'Owned' }
    const init = { ...bearer(token), method: 'PUT', json }
    const events = await during(() => service.ask(`/register/${id}`, init))
    assert.deepEqual(told(events), [
      {
        type: 'client.changed_itself',
        actor: { type: 'client', client_id: id, network },
        about: id,
        details: { changed: 'name', nameBefore: 'Own', name: 'Owned' },
      },
    ])
  })

  test('of a resource', async () => {
    const texts = { title: 'Tickets', read: 'See', write: 'Buy' }
    await program('POST', 'resources', { name: 'tickets', ...texts })
    const change = { title: 'Cards', destructive: ['write'] }
    const events = await during(() => program('PATCH', 'resources/tickets', change))
    assert.deepEqual(
      told(events).map(({ details }) => details),
      [
        {
          resource: 'tickets',
          changed: 'destructive title',
          destructiveAdded: 'write',
          titleBefore: '{"en":"Tickets"}',
          title: '{"en":"Cards"}',
        },
      ],
    )
  })

  test('of what an owner changes alone, and of what housekeeping does', async () => {
    const { browser, id, username } = await newVisitor(service)
    const own = await during(() => submit(browser, '/account/profile', { name: 'New Name' }))
    assert.deepEqual(told(own), [
      {
        type: 'owner.profile_changed',
        actor: { type: 'owner', owner_id: id, network },
        about: id,
        details: { changed: 'name' },
      },
    ])
    await submit(browser, '/account/delete', { username })
    await service.advance(14 * 86_400)
    const latest = await operatorOf(service)
    const found = await latest('GET', `events?owner=${id}&actor=service`)
    assert.deepEqual(told(found.body.items), [
      {
        type: 'owner.deleted',
        actor: { type: 'service' },
        about: id,
        details: {},
      },
    ])
  })
})

describe('an auditor', () => {
  /** The types on the page of events, in the order of their names. */
  const typesFor = async (query: string): Promise<readonly string[]> => {
    const { status, text } = await auditor.browser.go(`/admin/events?${query}`)
    assert.equal(status, 200)
    const types = [...text.matchAll(/<p><b><code>([^<]+)</g)].map(([, type = '']) => type)
    return types.toSorted()
  }

  test('finds by actor, user, application, kind and time, with old and new values', async () => {
    const { id } = await newVisitor(service)
    await during(async () => {
      operator = await newConsoleVisitor(service)
      auditor = await newConsoleVisitor(service, ['auditor'])
    })
    const since = service.now()
    await act(operator.browser, `/admin/owners/${id}`, { action: 'disable' })
    await act(operator.browser, '/admin/clients/gallery', { action: 'disable' })
    const acts = ['client.changed', 'owner.changed']
    assert.deepEqual(await typesFor(`actor=operator:owner:${operator.id}`), acts)
    const minute = new Date(since * 1000).toISOString().slice(0, 19)
    assert.deepEqual(await typesFor(`actor=operator&since=${minute}`), acts)
    assert.deepEqual(await typesFor(`owner=${id}&type=owner.changed`), ['owner.changed'])
    assert.deepEqual(await typesFor('client=gallery&actor=operator'), ['client.changed'])
    const { text } = await auditor.browser.go('/admin/events?client=gallery&actor=operator')
    assert.match(text, /<code>disabled: false → true<\/code>/)
    assert.match(text, new RegExp(`An operator <a [^>]*><bdi>${operator.username}</bdi></a>`))
    assert.ok(text.includes(`dir="ltr">${network}</bdi>`))
  })

  test('can send no form of the console, and has no part in the admin API', async () => {
    const { browser } = auditor
    const all = listRows()
    // The form of a token only asks about it.
    const changing = all.filter(
      ({ method, path }) =>
        method !== 'GET' && path.startsWith('/admin/') && path !== '/admin/token',
    )
    assert.ok(changing.length > 20)
    for (const { method, path } of changing) {
      const url = path.replaceAll(/:[a-z_]+/g, 'gallery')
      const isApi = path.startsWith('/admin/api')
      if (isApi) {
        const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const { status } = await service.ask(url, { method, headers: { cookie }, json: {} })
        assert.equal(status, 401, `${method} ${path}`)
      } else assert.equal((await act(browser, url, { action: 'delete' })).status, 403, path)
    }
    const latest = await operatorOf(service)
    assert.equal((await latest('GET', 'clients/gallery')).status, 200)
  })
})
