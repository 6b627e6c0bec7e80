/** `/admin/api/keys`: keys are listed, rotated and withdrawn from another machine, and none leaves the service. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyLimits } from '../../src/tokens/keys/kinds.ts'
import { obtainTokens } from '../support/printing.ts'
import { start, startBefore } from '../support/start.ts'
import { use } from '../support/tokens.ts'
import { type Operator, operatorOf, problem } from './operator.ts'

let operator: Operator
const service = startBefore(start, async () => {
  operator = await operatorOf(service)
})

const keys = async (query = '') => (await operator('GET', `keys${query}`)).body.items

type Listed = readonly { readonly id: string; readonly state: string }[]

describe('GET /admin/api/keys', () => {
  it('tells of every key what is not secret', async () => {
    const [sealing] = await service.server().store.listKeys()
    const { status, body, text } = await operator('GET', 'keys')
    assert.equal(status, 200)
    assert.deepEqual(body, {
      items: [
        {
          id: sealing?.id,
          use: 'sealing',
          algorithm: 'HS256',
          created_at: service.now(),
          usable_from: service.now(),
          state: 'sealing',
        },
      ],
      next: null,
    })
    assert.ok(!text.includes(sealing?.wrapped ?? ''))
  })

  it('filters by use, and pages', async () => {
    await service.ask('/jwks')
    const signing = await keys('?use=signing')
    assert.deepEqual(
      signing.map((key: { algorithm: string; state: string }) => [key.algorithm, key.state]),
      signing.map(({ algorithm }: { algorithm: string }) => [algorithm, 'signing']),
    )
    const { body } = await operator('GET', 'keys?use=signing&limit=1')
    const rest = await keys(`?use=signing&after=${body.next}`)
    assert.deepEqual([...body.items, ...rest], signing)
    const wrong = await operator('GET', 'keys?use=opening')
    const detail = 'use has to be both, sealing or signing'
    assert.deepEqual([wrong.status, wrong.body.detail], [400, detail])
  })
})

describe('POST /admin/api/keys', () => {
  it('makes no first key of a kind that nobody uses', async (t) => {
    const unused = await start()
    t.after(unused.close)
    const own = await operatorOf(unused)
    assert.equal((await own('POST', 'keys', { use: 'both' })).status, 201)
    const stored = await unused.server().store.listKeys()
    assert.deepEqual(
      stored.map((key) => key.use),
      ['sealing', 'sealing'],
    )
  })

  it('adds keys that are used an hour later, or within seconds, and ends nothing', async () => {
    const { access_token } = await obtainTokens(service)
    const later = await operator('POST', 'keys', { use: 'sealing' })
    const now = await operator('POST', 'keys', { use: 'sealing', now: true })
    const expected = (id: string, seconds: number) => ({
      keys: [{ id, use: 'sealing', algorithm: 'HS256', usable_from: service.now() + seconds }],
      tokens_ended: false,
    })
    assert.deepEqual(later.body, expected(later.body.keys[0].id, keyLimits.keyPublishSeconds))
    assert.deepEqual(now.body, expected(now.body.keys[0].id, keyLimits.keyHurrySeconds))
    await service.advance(keyLimits.keyHurrySeconds)
    const states: Listed = await keys('?use=sealing')
    assert.deepEqual(
      states.map(({ id, state }) => [id, state]),
      [
        [states[0]?.id, 'old'],
        [now.body.keys[0]?.id, 'sealing'],
        [later.body.keys[0]?.id, 'next'],
      ],
    )
    assert.equal(await use(service, access_token), 200)
  })

  it('needs no body, and refuses what it does not know', async () => {
    assert.equal((await operator('POST', 'keys')).status, 201)
    const { status, body } = await operator('POST', 'keys', { use: 'opening' })
    const detail = 'use has to be sealing, signing or both (the default)'
    const { latchkey_reference: _, ...refusal } = body
    assert.deepEqual([status, refusal], [400, problem('invalid_request', 400, detail)])
  })
})

describe('DELETE /admin/api/keys/{id}', () => {
  it('takes a signing key away, and names the operator in the events', async () => {
    const [key] = await keys('?use=signing')
    const { status, body } = await operator('DELETE', `keys/${key.id}`)
    assert.equal(status, 200)
    assert.deepEqual(body, { withdrawn: key.id, successor: body.successor })
    await service.advance(keyLimits.keyHurrySeconds)
    const published = (await service.ask('/jwks')).body.keys.map(({ kid }: { kid: string }) => kid)
    assert.ok(!published.includes(key.id))
    assert.ok(published.includes(body.successor))
    const { items } = (await operator('GET', 'events?type=keys.removed')).body
    assert.deepEqual(
      [items[0].actor.type, items[0].actor.client_id, items[0].details],
      ['operator', 'latchkey-admin', { keys: 1, keyIds: key.id }],
    )
  })

  it('refuses a sealing key, and an unknown one', async () => {
    const [sealing] = await keys('?use=sealing')
    const refused = await operator('DELETE', `keys/${sealing.id}`)
    const unknown = await operator('DELETE', 'keys/nothing')
    assert.deepEqual([refused.status, refused.body.title], [409, 'conflict'])
    assert.match(refused.body.detail, /^only signing keys can be withdrawn/)
    assert.deepEqual([unknown.status, unknown.body.detail], [404, 'there is no such key'])
  })
})

describe('the end of all tokens', () => {
  it('ends the token of whoever asked for it, too', async () => {
    const { access_token } = await obtainTokens(service)
    const { body } = await operator('POST', 'keys', { use: 'sealing', end_tokens: true })
    assert.equal(body.tokens_ended, true)
    await service.advance(10)
    assert.equal(await use(service, access_token), 401)
    assert.equal((await operator('GET', 'keys')).status, 401)
    operator = await operatorOf(service)
    assert.equal((await keys('?use=sealing')).length, 1)
  })
})
