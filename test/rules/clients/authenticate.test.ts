/** Client authentication as a rule: whatever an id and a secret are, exactly they open. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openAuthentication } from '../../../src/clients/authenticate.ts'
import { hashText } from '../../../src/crypto/digest.ts'
import { createMetrics } from '../../../src/events/metrics.ts'
import { makeMeter } from '../../../src/events/monitoring.ts'
import type { Caller } from '../../../src/model/actor.ts'
import type { Client } from '../../../src/model/client.ts'
import type { ClientId } from '../../../src/model/ids.ts'
import { parseParameters } from '../../../src/protocol/parameters.ts'
import { Refusal } from '../../../src/protocol/refusal.ts'
import { builtIn, type ServiceParts } from '../../../src/registries.ts'
import { sampleClient } from '../../store/sample.ts'

const clientOf = (id: string, secret: string | null): Client =>
  sampleClient({
    id: id as ClientId,
    authenticationMethod: secret === null ? 'none' : 'client_secret_basic',
    secretDigest: secret === null ? null : hashText(secret),
  })

/** The client of a request at a service with one client, or the reason of a refusal. */
const outcome = async (
  client: Client,
  authorization: string | null,
  body: string,
): Promise<string> => {
  const request = new Request('http://127.0.0.1/token', {
    method: 'POST',
    headers: authorization === null ? {} : { authorization },
  })
  const store = {
    findClient: async (id: string) => (id === client.id ? client : null),
  } as unknown as ServiceParts['store']
  try {
    const caller: Caller = { network: '', proven: { type: 'anyone' } }
    const settings = { profile: 'spec' }
    const meter = makeMeter(
      createMetrics(() => 0),
      {},
    )
    const given = { settings, store, registries: builtIn, tell: () => {}, meter }
    const parts = given as unknown as ServiceParts
    const { authenticate } = openAuthentication(parts)
    const exchange = { request, caller, address: '192.0.2.1', at: 1 }
    return (await authenticate(exchange, parseParameters(body))).id
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    return `refused: ${fault.reason}`
  }
}

/** Form-encoding as URLSearchParams writes it, so not by the code under test. */
const formEncoded = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2)

const basicOf = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`, 'utf8').toString('base64')}`

const text = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 60 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.constantFrom('a:b', '100%', 'a+b', 'a b', '%41', '%252D', 'ä&ö=ü', ':', '=='),
  )
  .map((given) => given.toWellFormed().replaceAll(/[\0\ufffd]/g, '?'))

/** A word, or a URL with whatever a URL may hold. */
const idText = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,60}$/),
  fc.stringMatching(/^https:\/\/[!-~]{1,60}$/),
  fc
    .constantFrom('a:b', '100%', 'a+b', '%41', '%252D', 'a&b=c', ':', '==')
    .map((path) => `https://a.example/${path}`),
)

describe('CA-05: an id and a secret, form-encoded in Basic', () => {
  test('open whatever characters they have, and in the body as well', async () => {
    await fc.assert(
      fc.asyncProperty(idText, text, async (id, secret) => {
        const client = clientOf(id, secret)
        assert.equal(await outcome(client, basicOf(id, secret), ''), id)
        const body = new URLSearchParams({ client_id: id, client_secret: secret }).toString()
        assert.equal(await outcome(client, null, body), id)
      }),
    )
  })

  test('no other secret opens, not even one that decodes to it twice', async () => {
    await fc.assert(
      fc.asyncProperty(idText, text, text, async (id, secret, other) => {
        const client = clientOf(id, secret)
        const guesses = [other, `${secret}x`, secret.slice(0, -1), formEncoded(secret)]
        for (const guess of guesses.filter((one) => one !== secret)) {
          const said = await outcome(client, basicOf(id, guess), '')
          assert.match(said, /^refused: (wrong_secret|bad_basic)$/)
        }
      }),
    )
  })

  test('any other header is refused, never a fault', async () => {
    const client = clientOf('known', 'secret')
    const header = fc.oneof(
      fc.base64String().map((coded) => `Basic ${coded}`),
      fc.string({ unit: 'grapheme-ascii' }),
      fc.uint8Array().map((bytes) => `Basic ${Buffer.from(bytes).toString('base64')}`),
    )
    await fc.assert(
      fc.asyncProperty(header, async (given) => {
        assert.match(await outcome(client, given, 'client_id=known'), /^refused: /)
      }),
    )
  })
})

describe('a public client', () => {
  test('is who it says, as long as it sends no secret in any way', async () => {
    const client = clientOf('gallery', null)
    assert.equal(await outcome(client, null, 'client_id=gallery'), 'gallery')
    assert.equal(await outcome(client, null, 'client_id=gallery&client_secret='), 'gallery')
    const refused = 'refused: secret_of_public_client'
    assert.equal(await outcome(client, basicOf('gallery', ''), ''), refused)
    assert.equal(await outcome(client, null, 'client_id=gallery&client_secret=x'), refused)
  })
})

describe('a confidential client whose secret digest is missing', () => {
  test('is let in by nothing, not even by the empty secret', async () => {
    const client = { ...clientOf('odd', 'x'), secretDigest: null }
    assert.equal(await outcome(client, basicOf('odd', ''), ''), 'refused: missing_secret')
    assert.equal(await outcome(client, basicOf('odd', 'x'), ''), 'refused: missing_secret')
    assert.equal(await outcome(client, null, 'client_id=odd'), 'refused: missing_secret')
  })
})
