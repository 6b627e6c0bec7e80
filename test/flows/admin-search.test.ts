/** Searching the lists of the admin API: owners by words, others by the beginning of a text, with cursors. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { start, startBefore } from '../support/start.ts'
import { type Operator, operatorOf, problem } from './operator.ts'

let operator: Operator
const service = startBefore(start, async () => {
  operator = await operatorOf(service)
  for (const i of [1, 2, 3]) {
    const person = { username: `walrus-${i}`, name: `Tusk ${i}`, email: `w${i}@sea.example` }
    const { status } = await operator('POST', 'owners', { ...person, password: null })
    assert.equal(status, 201)
  }
})

const usernames = async (query: string) => {
  const { status, body, text } = await operator('GET', `owners?${query}`)
  assert.equal(status, 200, text)
  return [body.items.map(({ username }: { username: string }) => username), body.next]
}

describe('GET /admin/api/owners?search=', () => {
  it('finds by words of username, address and name', async () => {
    const all = ['walrus-1', 'walrus-2', 'walrus-3']
    for (const search of ['WALRUS', 't%C3%BAsk', 'sea', 'exam%20tu%20walr', 'walrus-']) {
      assert.deepEqual(await usernames(`search=${search}`), [all, null], search)
    }
    assert.deepEqual(await usernames('search=w2@sea.example'), [['walrus-2'], null])
    assert.deepEqual(await usernames('search=tusk%203'), [['walrus-3'], null])
    for (const search of ['alrus', 'tusk%20nobody', 'tusk%204']) {
      assert.deepEqual(await usernames(`search=${search}`), [[], null], search)
    }
  })

  it('goes on by the cursor of an answer', async () => {
    const [first, next] = await usernames('search=walrus&limit=2')
    assert.deepEqual(first, ['walrus-1', 'walrus-2'])
    assert.match(next, /^[\w-]+$/)
    assert.deepEqual(await usernames(`search=walrus&limit=2&after=${next}`), [['walrus-3'], null])
  })

  it('refuses what it cannot search for', async () => {
    const refused = async (query: string) => {
      const { status, body } = await operator('GET', `owners?${query}`)
      return [status, body]
    }
    const because = (detail: string) => [400, problem('invalid_request', 400, detail)]
    const length = 'search has to be text of 1 to 200 characters'
    assert.deepEqual(await refused(`search=${'x'.repeat(201)}`), because(length))
    const words = 'search has to be text with a letter or a digit'
    assert.deepEqual(await refused('search=*'), because(words))
    const most = 'search has to be at most 8 words of 32 characters'
    assert.deepEqual(await refused('search=1+2+3+4+5+6+7+8+9'), because(most))
    assert.deepEqual(await usernames('search=1.2.3.4.5.6.7.8.9'), [[], null])
    const state = 'state has to be enabled, disabled or leaving'
    assert.deepEqual(await refused('search=a&state=gone'), because(state))
    const cursor = 'after has to be a next of an earlier answer'
    for (const given of ['x', '%0A', 'CmE', 'AA', 'IQ', 'eA']) {
      assert.deepEqual(await refused(`search=a&after=${given}`), because(cursor), given)
    }
  })
})

it('GET /admin/api/clients?search= finds by a word', async () => {
  const { status, body } = await operator('GET', 'clients?search=photo')
  assert.equal(status, 200)
  assert.deepEqual(
    body.items.map(({ client_id }: { client_id: string }) => client_id),
    ['photo-printer'],
  )
  assert.equal(body.next, null)
})

it('GET /admin/api/clients finds by words, origin, kind, state and last use', async () => {
  const find = async (query: string) => {
    const { status, body, text } = await operator('GET', `clients?${query}`)
    assert.equal(status, 200, text)
    return [body.items.map(({ client_id: id }: { client_id: string }) => id), body.next]
  }
  const found = [['photo-printer'], null]
  assert.deepEqual(await find('search=PRINT%20photo&registered_by=operator&state=enabled'), found)
  assert.deepEqual(await find('search=photo&used_before=2026-01-01T00:00:00Z'), found)
  assert.deepEqual(await find('search=photo&registered_by=itself'), [[], null])
  assert.deepEqual(await find('kind=secret&used_since=99999999999'), [[], null])
  const [kinds] = await find('kind=secret')
  assert.ok(kinds.includes('latchkey-admin'))
  const [first, next] = await find('limit=1')
  assert.deepEqual((await find(`limit=100&after=${next}`))[0].includes(first[0]), false)
})

describe('GET /admin/api/resources', () => {
  const names = async (query: string) => {
    const { status, body, text } = await operator('GET', `resources?${query}`)
    assert.equal(status, 200, text)
    return [body.items.map(({ name }: { name: string }) => name), body.next]
  }

  it('finds by name, and goes on by the cursor', async () => {
    const [all, none] = await names('')
    assert.equal(none, null)
    assert.deepEqual(await names('limit=2'), [all.slice(0, 2), all[1]])
    assert.deepEqual(await names(`limit=2&after=${all[1]}`), [all.slice(2), null])
    assert.deepEqual(await names('search=pho'), [['photos'], null])
    assert.deepEqual(await names('search=hotos'), [[], null])
  })

  it('refuses a cursor that no answer held', async () => {
    const { status, body } = await operator('GET', 'resources?after=nothing')
    const detail = 'after has to be a next of an earlier answer'
    assert.deepEqual([status, body], [400, problem('invalid_request', 400, detail)])
  })
})

describe('GET /admin/api/events', () => {
  type Listed = { at: number; type: string; owner_id: string; actor: { type: string } }
  const events = async (query: string): Promise<readonly Listed[]> => {
    const { status, body, text } = await operator('GET', `events?${query}`)
    assert.equal(status, 200, text)
    return body.items
  }

  it('finds by type, actor and time, the oldest first if asked', async () => {
    const made = await events('type=owner.created&actor=operator:client:latchkey-admin')
    assert.equal(made.length, 3)
    const told = await events(
      'type=owner.created&actor=operator:client:latchkey-admin&order=oldest',
    )
    assert.deepEqual(told, made.toReversed())
    const at = made[0]?.at ?? 0
    const written = new Date(at * 1000).toISOString()
    assert.deepEqual(await events(`actor=operator&since=${at}&type=owner.created`), made)
    assert.deepEqual(await events(`actor=operator&since=${written}&until=${at + 1}`), made)
    assert.deepEqual(await events(`until=${at}&type=owner.created&actor=operator`), [])
    assert.deepEqual(await events('actor=operator:client:nobody'), [])
  })

  it('hands each event out once as it is written, from a position on', async () => {
    const page = async (after: string) => {
      const query = `events?order=committed&type=owner.created${after}`
      const { status, body, text } = await operator('GET', query)
      assert.equal(status, 200, text)
      return body as { items: readonly Listed[]; next: string }
    }
    const begin = await page('')
    assert.deepEqual(begin.items, [])
    const { body } = await operator('POST', 'owners', {
      username: 'late-riser',
      password: 'a long password of a person',
    })
    const first = await page(`&after=${begin.next}`)
    assert.deepEqual(
      first.items.map(({ owner_id }) => owner_id),
      [body.id],
    )
    assert.deepEqual(await page(`&after=${first.next}`), { items: [], next: first.next })
    const far = await operator('GET', 'events?order=committed&after=999999999999999')
    const detail = 'after is a position that this database has not reached: begin again without it'
    assert.deepEqual([far.status, far.body], [400, problem('invalid_request', 400, detail)])
  })

  it('refuses what no event has', async () => {
    const expected = {
      'type=login': 'type has to be a type of events, such as login.failed',
      'type=logn.failed':
        'type has to be a type of events, such as login.failed; did you mean login.failed?',
      'actor=somebody':
        'actor has to be operator, cli, owner, client, anyone or service, or one of them such as operator:client:ID',
      'actor=operator:latchkey-admin':
        'actor has to be operator, cli, owner, client, anyone or service, or one of them such as operator:client:ID',
      'since=yesterday': 'since has to be unix seconds, or a time such as 2026-11-22T10:00:00Z',
      'order=random': 'order has to be newest, oldest or committed',
      'order=committed&after=first': 'after has to be a next of an earlier answer',
      'order=committed&before=01': 'before has to be a next of an earlier answer',
    }
    for (const [query, detail] of Object.entries(expected)) {
      const { status, body } = await operator('GET', `events?${query}`)
      assert.deepEqual([status, body], [400, problem('invalid_request', 400, detail)], query)
    }
  })
})

// Behind the tests of events, since it writes one.
it('GET /admin/api/owners finds by state and last login, in the order of usernames', async () => {
  const { body } = await operator('GET', 'owners?search=walrus-2')
  await operator('PATCH', `owners/${body.items[0].id}`, { disabled: true })
  assert.deepEqual(await usernames('state=disabled'), [['walrus-2'], null])
  assert.deepEqual(await usernames('state=disabled&search=tusk&role=any'), [[], null])
  const enabled = ['walrus-1', 'walrus-3']
  assert.deepEqual(await usernames('state=enabled&search=walrus'), [enabled, null])
  assert.deepEqual(await usernames('search=walrus&login_since=1'), [[], null])
  const never = await usernames('search=walrus&login_before=2026-01-01T00:00:00Z&state=enabled')
  assert.deepEqual(never, [enabled, null])
  const [all] = await usernames('')
  assert.deepEqual(all, all.toSorted())
})
