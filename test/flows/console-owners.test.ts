/** The console about users, access and events: found, shown, and acted on, with the operator named. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { importBatch } from '../../src/cli/people/batch.ts'
import { drawRandom as random } from '../../src/crypto/digest.ts'
import type { OwnerId } from '../../src/model/ids.ts'
import { consoleLimits } from '../../src/rooms/console/limits.ts'
import { makeServiceTrace } from '../../src/store/trace.ts'
import { Browser } from '../support/browser.ts'
import { act, newConsoleVisitor } from '../support/console.ts'
import { isInside } from '../support/factors.ts'
import { newPerson, newVisitor, type Visitor } from '../support/people.ts'
import { codeRequest, walk } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'

let olga: Awaited<ReturnType<typeof newConsoleVisitor>>
let auditor: Visitor
const service = startBefore(start, async () => {
  auditor = await newConsoleVisitor(service, ['auditor'], 'Audrey')
  olga = await newConsoleVisitor(service)
})

const noticeOn = (text: string): string => /<p role="status">(.*?)<\/p>/.exec(text)?.[1] ?? ''

/** Sends a form, after the proof where it is asked for. */
const done = async (path: string, form: Record<string, string>): Promise<string> => {
  const page = await act(olga.browser, path, form)
  if (!page.url.includes('/account/confirm')) return noticeOn(page.text)
  const back = await olga.logInAgain(page)
  assert.equal(new URL(back.url).pathname, path)
  return noticeOn((await act(olga.browser, path, form)).text)
}

/** The newest event about somebody, as the admin API tells it. */
const latest = async ({ id }: { id: string }) => {
  const { body } = await olga.operator('GET', `events?owner=${id}&limit=20`)
  return body.items as readonly { type: string; actor: Record<string, string> }[]
}

const byOlga = () => ({
  type: 'operator',
  door: 'console',
  owner_id: olga.id,
  network: '127.0.0.*',
})

describe('/admin/owners', () => {
  test('finds users by words of username, address and name', async () => {
    const person = await newPerson(service, 'Zoe Zimmer')
    await person.operator('PATCH', `owners/${person.id}`, { email: 'zoe@zimmer.example' })
    for (const query of [
      `q=${person.username}`,
      'q=zoe%40zimmer',
      'q=zimmer+ZO%C3%8B',
      'q=zimmer&state=enabled&login=never',
      `q=${person.id}`,
    ]) {
      const { text } = await auditor.browser.go(`/admin/owners?${query}`)
      assert.match(text, new RegExp(`href="/admin/owners/${person.id}"`), query)
    }
    const { text } = await auditor.browser.go('/admin/owners?q=nobody-like-this')
    assert.match(text, /Nobody fits\./)
  })

  test('finds those with a role among those with these words', async () => {
    const found = async (query: string) => {
      const { text } = await auditor.browser.go(`/admin/owners?${query}`)
      return [olga, auditor].map(({ id }) => text.includes(`href="/admin/owners/${id}"`))
    }
    assert.deepEqual(await found('q=OLGA&role=any'), [true, false])
    assert.deepEqual(await found('q=audrey&role=any'), [false, true])
    assert.deepEqual(await found('q=audrey&role=operator'), [false, false])
    assert.deepEqual(await found('role=any&state=disabled'), [false, false])
    assert.deepEqual(await found('role=any&login=old'), [false, false])
    assert.deepEqual(await found('role=any&login=month'), [true, true])
    assert.deepEqual(await found('role=any'), [true, true])
  })

  test('finds those with a role, and shows many page by page', async () => {
    const { text } = await auditor.browser.go('/admin/owners?role=any')
    assert.match(text, /Olga Ops/)
    assert.doesNotMatch(text, /Alice Liddell/)
    const { store } = service.server()
    const page = await store.listOwners(null, 100)
    const missing = consoleLimits.rows + 1 - page.rows.length
    for (let i = 0; i < missing; i++) {
      const [owner] = page.rows
      assert.ok(owner)
      const id = `many-${i}`
      const made = { ...owner, id: id as never, username: id, email: '', roles: [] }
      await store.createOwner(made, {
        eventId: `event-of-many-${i}` as never,
        at: service.now(),
        requestId: null,
        actor: { type: 'service' },
      })
    }
    const first = await auditor.browser.go('/admin/owners')
    const [, next = ''] = /href="([^"]*after=[^"]*)">Next page/.exec(first.text) ?? []
    const second = await auditor.browser.go(next.replaceAll('&amp;', '&'))
    const idsOn = (text: string): readonly string[] =>
      text.match(/href="\/admin\/owners\/[^"?]+"/g) ?? []
    assert.equal(idsOn(first.text).length, consoleLimits.rows)
    assert.ok(idsOn(second.text).length > 0)
    assert.equal(
      idsOn(second.text).some((id) => idsOn(first.text).includes(id)),
      false,
    )
    assert.match(second.text, /Back to the first page/)
  })

  test('says which directory disabled somebody, and an operator keeps that', async () => {
    const { store, operated } = service.server()
    const [ownerId, kept] = [
      (await newPerson(service, 'Lena Left')).id as OwnerId,
      (await newPerson(service, 'Mark Left')).id as OwnerId,
    ]
    const makeTrace = () => makeServiceTrace(service.now(), { clock: Date.now, random })
    await store.claimDirectoryCheck('company', 100, service.now())
    for (const id of [ownerId, kept]) {
      const account = { upstream: 'company', issuer: 'dc=example', subject: id }
      const link = { ...account, ownerId: id, label: '', createdAt: 1, lastUsedAt: null }
      assert.equal(await store.linkByOperator(link, [], makeTrace()), 'linked')
      const person = { ...account, ownerId: id, disabledAt: null }
      const outcome = await store.disableLeaver(person, { most: 9, since: 0 }, makeTrace())
      assert.equal(outcome, 'disabled')
    }
    const path = `/admin/owners/${ownerId}`
    const says = /Disabled by company\. Enabled again if a check finds this person there\./
    assert.match((await auditor.browser.go(path)).text, says)
    assert.match(await done(path, { action: 'keep' }), /stays disabled until an operator/)
    const { text } = await olga.browser.go(path)
    assert.doesNotMatch(text, says)
    assert.doesNotMatch(text, /Keep disabled/)
    assert.equal(await store.findDisabler(ownerId), null)
    assert.match(await done(`/admin/owners/${olga.id}`, { action: 'keep' }), /your own account/)

    // An import keeps it, too.
    const username = (await store.findOwner(kept, 'disabled'))?.username
    const flags = { entries: [{ line: 1, members: { username, disabled: true } }], update: true }
    const parts = { ...operated, trace: makeTrace }
    for (const [dryRun, is] of [
      [true, 'changed'],
      [false, 'changed'],
      [false, 'existing'],
    ] as const) {
      const outcomes = JSON.parse(await importBatch({ ...flags, dryRun }, parts))
      assert.deepEqual(outcomes, [{ line: 1, is }])
    }
    assert.equal(await store.findDisabler(kept), null)
  })

  test('invites somebody by a link, which is shown this once', async () => {
    const page = await act(olga.browser, '/admin/owners', { username: 'newcomer', email: '' })
    const [, link = ''] = /<code>(http[^<]+\/invite[^<]+)<\/code>/.exec(page.text) ?? []
    const opened = await new Browser(service).go(link.replaceAll('&amp;', '&'))
    assert.match(opened.text, /newcomer/)
    const { body } = await olga.operator('GET', 'owners?search=newcomer')
    const created = (await latest(body.items[0])).find(({ type }) => type === 'owner.created')
    assert.deepEqual(created?.actor, byOlga())
    const again = await act(olga.browser, '/admin/owners', { username: 'newcomer' })
    assert.equal(again.status, 400)
    assert.match(again.text, /there is an owner with this username/)
  })
})

describe('/admin/owners/{id}', () => {
  test('shows access, logins, facts and events, and an auditor no button', async () => {
    const person = await newVisitor(service, 'Bea Bloom')
    await walk(service, codeRequest, {}, person.browser)
    const { body: group } = await olga.operator('POST', 'groups', { name: 'Botanists' })
    const added = { add: [person.id] }
    const { status } = await olga.operator('POST', `groups/${group.id}/members`, added)
    assert.equal(status, 200)
    const path = `/admin/owners/${person.id}`
    const { text } = await olga.browser.go(path)
    for (const seen of ['Bea Bloom', 'Photo Printer', 'photos:read', 'authorization.approved']) {
      assert.ok(text.includes(seen), seen)
    }
    for (const link of ['clients/photo-printer', `groups/${group.id}`, 'resources/photos']) {
      assert.ok(text.includes(`href="/admin/${link}"`), link)
    }
    const events = await olga.browser.go('/admin/events?type=group.created')
    assert.ok(events.text.includes(`href="/admin/groups/${group.id}"><code>groupId: `))
    assert.match(text, /Disable user/)
    const shown = await auditor.browser.go(path)
    assert.equal(shown.status, 200)
    assert.doesNotMatch(shown.text, new RegExp(`action="${path}"`))
    assert.equal((await olga.browser.ask('/admin/owners/nobody')).status, 404)
  })

  test('acts, and each event names the operator', async () => {
    const person = await newVisitor(service)
    await walk(service, codeRequest, {}, person.browser)
    const path = `/admin/owners/${person.id}`
    const steps = [
      ['end-sessions', 'All logins have ended.', 'session.ended'],
      ['end-access', 'All logins and all access have ended.', 'owner.access_ended'],
      ['disable', 'The user is disabled.', 'owner.changed'],
      ['enable', 'The user is enabled.', 'owner.changed'],
    ] as const
    for (const [action, notice, type] of steps) {
      assert.equal(await done(path, { action }), notice)
      const event = (await latest(person)).find((one) => one.type === type)
      assert.deepEqual(event?.actor, byOlga(), action)
    }
    assert.equal(await isInside(person.browser), false)
    assert.equal(
      await done(path, { action: 'roles', roles: 'staff  auditor' }),
      'The roles were saved.',
    )
    const { body } = await olga.operator('GET', `owners/${person.id}`)
    assert.deepEqual(body.roles, ['auditor', 'staff'])
    const page = await act(olga.browser, path, { action: 'delete' })
    assert.equal(noticeOn(page.text), 'The user was deleted.')
    assert.equal((await olga.operator('GET', `owners/${person.id}`)).status, 404)
  })

  test('makes a link for a new password, and tells its user of an operator', async () => {
    const person = await newVisitor(service)
    const page = await act(olga.browser, `/admin/owners/${person.id}`, { action: 'link' })
    assert.match(page.text, /<code>http[^<]+\/reset[^<]+<\/code>/)
    const { text } = await person.browser.go('/account/events')
    assert.match(text, /The operator made a link to your account, such as one for a new password/)
  })

  test('does not let an operator disable, delete or demote the own account', async () => {
    const path = `/admin/owners/${olga.id}`
    for (const action of ['disable', 'delete', 'roles']) {
      assert.match(await done(path, { action, roles: '' }), /^Nothing was changed/)
    }
    const { body } = await olga.operator('GET', `owners/${olga.id}`)
    assert.deepEqual([body.disabled, body.roles], [false, ['operator']])
  })
})

describe('/admin/authorizations', () => {
  test('finds access by user and application, and ends it', async () => {
    const person = await newVisitor(service)
    await walk(service, codeRequest, {}, person.browser)
    const path = `/admin/authorizations?owner=${person.username}&client=photo-printer`
    const page = await olga.browser.go(path)
    const [, id = ''] = /name="authorization" value="([^"]+)"/.exec(page.text) ?? []
    assert.doesNotMatch((await auditor.browser.go(path)).text, /name="authorization"/)
    const ended = await act(olga.browser, path, { authorization: id })
    assert.equal(noticeOn(ended.text), 'The access has ended.')
    assert.match(ended.text, /Nothing fits\./)
    const event = (await latest(person)).find(({ type }) => type === 'authorization.ended')
    assert.deepEqual(event?.actor, byOlga())
    const twice = await act(olga.browser, path, { authorization: id })
    assert.equal(noticeOn(twice.text), 'It was gone already.')
    const nobody = await olga.browser.go('/admin/authorizations?owner=nobody-like-this')
    assert.match(nobody.text, /There is no such user\./)
  })
})

describe('/admin/events', () => {
  test('filters by type, user, actor and time', async () => {
    const person = await newPerson(service)
    const typesFor = async (query: string) => {
      const { text } = await auditor.browser.go(`/admin/events?owner=${person.username}&${query}`)
      return [...text.matchAll(/<p><b><code>([^<]+)<\/code>/g)].map(([, type]) => type)
    }
    assert.equal(
      await done(`/admin/owners/${person.id}`, { action: 'disable' }),
      'The user is disabled.',
    )
    assert.deepEqual(new Set(await typesFor('')), new Set(['owner.created', 'owner.changed']))
    assert.deepEqual(await typesFor('type=owner.created'), ['owner.created'])
    assert.deepEqual(await typesFor(`actor=operator:owner:${olga.id}`), ['owner.changed'])
    assert.deepEqual(await typesFor('actor=cli'), [])
    const later = new Date((service.now() + 60) * 1000).toISOString().slice(0, 16)
    assert.deepEqual(await typesFor(`since=${later}`), [])
    assert.equal((await typesFor(`until=${later}`)).length, 2)
  })

  test('links each reference to the events of its request, and the search field finds them', async () => {
    const person = await newPerson(service)
    await newPerson(service)
    const { text } = await auditor.browser.go(`/admin/events?owner=${person.username}`)
    const [, reference = ''] = /href="\/admin\/events\?reference=(\w{26})"/.exec(text) ?? []
    const shown = await auditor.browser.go(`/admin/events?reference=${reference}`)
    const types = [...shown.text.matchAll(/<p><b><code>([^<]+)<\/code>/g)]
    assert.deepEqual(
      types.map(([, type]) => type),
      ['owner.created'],
    )
    assert.ok(shown.text.includes(`value="${reference}"`))
    assert.ok(shown.text.includes(`href="/admin/owners/${person.id}"`))
    const found = await auditor.browser.go(`/admin/find?q=${reference.toUpperCase()}`)
    assert.equal(found.url, `${service.issuer}/admin/events?reference=${reference}`)
  })

  test('tells times to the second, and in UTC as the filters take them', async () => {
    const person = await newPerson(service)
    const { text } = await auditor.browser.go(`/admin/events?owner=${person.username}`)
    const { body } = await olga.operator('GET', `events?owner=${person.id}`)
    const made = new Date(body.items[0].at * 1000).toISOString()
    assert.ok(text.includes(`>${made.slice(11, 19)}</time>`), text)
    assert.doesNotMatch(text, /data-zone|times\.js/)
  })

  test('has a live view that needs no script, and whose script asks this service alone', async () => {
    const page = await auditor.browser.ask('/admin/events?live=1')
    assert.match(page.text, /href="\/admin\/events\?live=1">Refresh</)
    assert.match(page.text, /<script type="module" src="\/assets\/live\.js">/)
    assert.match(page.headers.get('content-security-policy') ?? '', /connect-src 'self'/)
    const empty = await auditor.browser.ask('/admin/events?live=1&type=store.restored')
    assert.match(empty.text, /<div class="days" id="events">\s*<\/div>/)
    const still = await auditor.browser.ask('/admin/events')
    assert.doesNotMatch(still.headers.get('content-security-policy') ?? '', /connect-src/)
  })
})

describe('/admin/find', () => {
  test('leads to the page of an id or a reference, else shows all that begin so', async () => {
    const person = await newPerson(service, 'Quentin Quill')
    const at = async (q: string) =>
      new URL((await auditor.browser.go(`/admin/find?q=${q}`)).url).pathname
    assert.equal(await at(person.username), `/admin/owners/${person.id}`)
    assert.equal(await at('photo-printer'), '/admin/clients/photo-printer')
    const refused = await service.post('/token', { grant_type: 'nothing' })
    const reference = refused.headers.get('latchkey-reference') ?? ''
    assert.equal(await at(reference), '/admin/explain')
    assert.equal(await at('01k3hq9v7w0000000000000000'), '/admin/find')
    const { text } = await auditor.browser.go('/admin/find?q=quentin')
    assert.match(text, /No application fits\./)
    assert.match(text, new RegExp(`href="/admin/owners/${person.id}"`))
  })
})
