/** Signing keys over time: rotation, how long the old ones stay, and withdrawal. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeProtectedHeader } from 'jose'
import { withdrawKey } from '../../../src/cli/keys.ts'
import { drawRandom } from '../../../src/crypto/digest.ts'
import { createId } from '../../../src/model/ids.ts'
import { signingKeyLimits } from '../../../src/tokens/keys/kinds.ts'
import { callback, codeRequest, obtainCode } from '../../support/printing.ts'
import { type Started, start } from '../../support/start.ts'

const printer = ['photo-printer', 'photo-printer-secret'] as const
const hour = 3600
const day = 24 * hour

let started: Started

const beginAgain = async (): Promise<void> => {
  started = await start({ keyRotationDays: 10 })
}

/** The id of the key that signs now. */
const signs = async (): Promise<string> => {
  const code = await obtainCode(started, { ...codeRequest, scope: 'openid photos:read' })
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  const { body } = await started.post('/token', form, printer)
  return decodeProtectedHeader(body.id_token).kid ?? ''
}

const published = async (): Promise<readonly string[]> =>
  (await started.ask('/jwks')).body.keys
    .filter(({ alg }: { alg?: string }) => alg === 'RS256')
    .map(({ kid }: { kid: string }) => kid)

describe('rotation', () => {
  before(beginAgain)
  after(() => started.close())

  test('a key is published for an hour before it signs, and the old one stays', async () => {
    const old = await signs()
    await started.advance(10 * day)
    const [, next] = await published()
    assert.equal((await published()).length, 2)
    assert.equal(await signs(), old)
    await started.advance(hour - 1)
    assert.equal(await signs(), old)
    await started.advance(1)
    assert.equal(await signs(), next)
    assert.deepEqual(await published(), [old, next])
  })

  test('the old one goes a day after its last token has ended', async () => {
    const [old, next] = await published()
    const { keepAfterEndSeconds, keepAheadSeconds } = signingKeyLimits
    // The last token of the old key was issued a second ago.
    await started.advance(hour + keepAfterEndSeconds - 2)
    assert.deepEqual(await published(), [old, next])
    await started.advance(keepAheadSeconds + 2)
    assert.deepEqual(await published(), [next])
  })

  test('the events tell of both', async () => {
    const { rows } = await started.server().store.listEvents({}, null, 100)
    const keyEvents = rows.filter(({ type }) => type.startsWith('keys.'))
    const signing = keyEvents.map(({ type, actor, details }) => [
      type,
      actor?.type,
      details.algorithm,
    ])
    assert.deepEqual(signing[0], ['keys.removed', 'service', undefined])
    assert.ok(signing.some((one) => one.join() === 'keys.rotated,service,RS256'))
  })
})

describe('latchkey key withdraw', () => {
  before(beginAgain)
  after(() => started.close())

  const withdraw = async (id: string, operated = started.server().operated): Promise<unknown> => {
    const trace = () => ({
      eventId: createId(started.now() * 1000, drawRandom(10)),
      at: started.now(),
      requestId: null,
      actor: { type: 'cli', user: 'root' } as const,
    })
    return JSON.parse(await withdrawKey({ id, json: true }, { ...operated, trace } as never))
  }

  test('a key that signs is gone at once, and another signs in its place', async () => {
    const id = await signs()
    const { successor } = (await withdraw(id)) as { successor: string }
    await started.advance(5)
    assert.deepEqual(await published(), [successor])
    assert.equal(await signs(), successor)
  })

  test('a node that has not noticed yet signs with no key that is gone', async () => {
    const id = await signs()
    // The next token needs the key for longer than was noted before.
    started.pass(3 * day)
    await withdraw(id)
    assert.notEqual(await signs(), id)
  })

  test('the keys are read once, so that all it decides is about the same ones', async () => {
    const { operated } = started.server()
    let reads = 0
    const listKeys = () => {
      reads += 1
      return operated.store.listKeys()
    }
    const id = await signs()
    await withdraw(id, { ...operated, store: { ...operated.store, listKeys } })
    assert.equal(reads, 1)
  })

  test('a sealing key is refused, and so is an unknown one', async () => {
    const keys = await started.server().store.listKeys()
    const sealing = keys.find(({ use }) => use === 'sealing')?.id ?? ''
    await assert.rejects(withdraw(sealing), /only signing keys can be withdrawn/)
    await assert.rejects(withdraw('nothing'), /there is no key "nothing"/)
  })
})
