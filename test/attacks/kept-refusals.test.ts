/** Strangers cause refusals: no secret gets into their record, and no flood fills it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { refusalLimits } from '../../src/events/limits.ts'
import { housekeepingLimits } from '../../src/housekeeping.ts'
import { houseApp, nightlyReport } from '../support/demo-clients.ts'
import { callback, obtainTokens } from '../support/printing.ts'
import { type Answer, requestOf, type Started, startBefore } from '../support/start.ts'

const started = startBefore()

/** Every row of the record, as text. */
const dump = async (): Promise<string> => {
  await started.advance(housekeepingLimits.refusalsFlushSeconds)
  const database = new DatabaseSync(join(started.folder, 'latchkey.db'), { readOnly: true })
  const rows = database.prepare('select * from refusals').all()
  database.close()
  return JSON.stringify(rows)
}

const parameters = [
  ...['code', 'access_token', 'refresh_token', 'token', 'client_secret', 'password', 'username'],
  ...['code_verifier', 'code_challenge', 'client_assertion', 'assertion', 'subject_token'],
  ...['id_token_hint', 'request', 'state', 'nonce', 'login_hint', 'claims', 'csrf', 'journey'],
  ...['client_id', 'redirect_uri', 'scope', 'response_type', 'grant_type', 'prompt', 'resource'],
  ...['response_mode', 'code_challenge_method', 'max_age', 'acr_values', 'request_uri', 'unknown'],
]

describe('no secret gets into the record', () => {
  test('whatever parameter, path or header it stands in', async () => {
    const tokens = await obtainTokens(started)
    const jwt = `eyJhbGciOiJSUzI1NiJ9.${'a1B2'.repeat(20)}.${'c3D4'.repeat(20)}`
    const secrets = [
      tokens.access_token,
      tokens.refresh_token,
      jwt,
      'photo-printer-secret',
      'lk_cs_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
      'q8Zt3-vN2x_L0pKd7RsYwE5uBh1MjCfGaTi4oXe9SlU',
    ]
    let address = 0
    const ask = (path: string, init: Parameters<Started['ask']>[1] = {}) =>
      // Each from a network of its own, so that none is left out for want of room.
      started
        .server()
        .fetch(requestOf(started.issuer + path, init), `10.${address >> 8}.${address++ & 255}.1`)
    for (const [i, secret] of secrets.entries()) {
      const encoded = encodeURIComponent(secret)
      for (const name of parameters) {
        const others = name === 'client_id' ? '' : '&client_id=photo-printer'
        await ask(`/authorize?${name}=${encoded}${others}`)
        const uri = encodeURIComponent(`${callback}?key=${secret}#${secret}`)
        if (i === 0) await ask(`/authorize?${name}=${encoded}${others}&redirect_uri=${uri}`)
        await ask('/token', { form: { grant_type: 'nothing', [name]: secret } })
        await ask('/register', { json: { [name]: secret, redirect_uris: [secret] } })
      }
      const path = `/api/photos/${encoded}`
      const headers = { authorization: `Bearer ${secret}`, cookie: `latchkey_session=${secret}` }
      await ask(path, { headers, method: 'PATCH' })
      await ask(`/nothing/${encoded}`, { headers })
      const basic = `Basic ${btoa(`nobody:${secret}`)}`
      await ask('/token', { method: 'POST', headers: { authorization: basic } })
      await ask('/token', { form: { grant_type: secret }, headers: { authorization: basic } })
    }
    const kept = await dump()
    assert.ok(kept.includes('unknown_grant_type') || kept.includes('unknown_client'))
    for (const secret of secrets) {
      assert.equal(kept.includes(secret), false, secret)
      assert.equal(kept.includes(secret.slice(4, 24)), false, secret)
    }
  })

  test('a password that stands in two parameters is kept from none', async () => {
    const form = { grant_type: 'password', username: 'alice', scope: 'wonderwall' }
    await started.post('/token', { ...form, password: 'wonderwall' }, houseApp)
    assert.equal((await dump()).includes('wonderwall'), false)
  })
})

describe('a flood', () => {
  const wrong = (address: string): Promise<Response> => {
    const form = { grant_type: 'refresh_token', refresh_token: 'lk_rt_x', client_id: 'gallery' }
    return started.server().fetch(requestOf(`${started.issuer}/token`, { form }), address)
  }
  const isKept = async (reference: string | null): Promise<boolean> =>
    (await started.server().store.findRefusal(reference ?? '', 0)) !== null

  test('fills neither the memory nor the store, and pushes out nobody else', async () => {
    const victim: Answer = await started.post('/token', { grant_type: 'x' }, nightlyReport)
    await started.advance(housekeepingLimits.refusalsFlushSeconds)
    const references: (string | null)[] = []
    for (let turn = 0; turn < 3; turn++) {
      for (let i = 0; i < 100; i++) {
        const { headers } = await wrong('198.51.100.7')
        references.push(headers.get('latchkey-reference'))
      }
      await started.advance(housekeepingLimits.refusalsFlushSeconds)
    }
    const kept = await Promise.all(references.map(isKept))
    assert.equal(kept.filter((is) => is).length, 3 * refusalLimits.gatheredOfOne)
    assert.equal(await isKept(victim.reference), true)
    const other = await wrong('203.0.113.9')
    await started.advance(housekeepingLimits.refusalsFlushSeconds)
    assert.equal(await isKept(other.headers.get('latchkey-reference')), true)
  })
})
