/** Races over raw sockets: all but the last byte is sent, and then all last bytes at once. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Reachable } from '../support/browser.ts'
import { photoPrinter } from '../support/demo-clients.ts'
import { obtainCode, obtainTokens } from '../support/printing.ts'
import { reach } from '../support/reach.ts'
import { formBody } from '../support/start.ts'
import { bodyOf, formRequest, hear, open, statusOf, type Wired, wire } from './wire.ts'

let service: Wired
let client: Reachable
before(async () => {
  service = await wire()
  client = reach(service.issuer)
})
after(() => service.close())

const many = 20
const rounds = 5

/** Sends the same form so many times at the same moment. */
const atOnce = async (form: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const request = formRequest('/token', formBody(form), [
    `Authorization: Basic ${btoa(photoPrinter.join(':'))}`,
  ])
  const sockets = await Promise.all(Array.from({ length: many }, () => open(service.port)))
  const heard = sockets.map((socket) => hear(socket))
  for (const socket of sockets) socket.write(request.slice(0, -1))
  await client.ask('/health/live')
  for (const socket of sockets) socket.write(request.slice(-1))
  return Promise.all(heard)
}

const redirect_uri = 'http://127.0.0.1:6750/callback'

test('RC-01: of twenty redemptions of one code one succeeds, and the replay ends its tokens', async () => {
  for (let round = 0; round < rounds; round++) {
    const code = await obtainCode(client)
    const answers = await atOnce({ grant_type: 'authorization_code', code, redirect_uri })
    const won = answers.filter((answer) => statusOf(answer) === 200)
    const lost = answers.filter((answer) => statusOf(answer) === 400)
    assert.equal(won.length, 1)
    assert.equal(lost.length, many - 1)
    for (const answer of lost) assert.equal(JSON.parse(bodyOf(answer)).error, 'invalid_grant')
    const { access_token: token } = JSON.parse(bodyOf(won[0] ?? ''))
    const introspected = await client.post('/introspect', { token }, photoPrinter)
    assert.deepEqual(introspected.body, { active: false })
  }
})

test('RC-02: twenty refreshes of one token have one and the same successor', async () => {
  for (let round = 0; round < rounds; round++) {
    const { refresh_token } = await obtainTokens(client)
    const answers = await atOnce({ grant_type: 'refresh_token', refresh_token })
    const bodies = answers.map((answer) => JSON.parse(bodyOf(answer)))
    assert.deepEqual(new Set(answers.map(statusOf)), new Set([200]))
    assert.equal(new Set(bodies.map((body) => body.refresh_token)).size, 1)
    assert.notEqual(bodies[0].refresh_token, refresh_token)
    const next = await client.post(
      '/token',
      { grant_type: 'refresh_token', refresh_token: bodies[0].refresh_token },
      photoPrinter,
    )
    assert.equal(next.status, 200)
  }
})
