/** Attacks: assertions that were stolen, forged, sent on, or made to cost something. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { exportSPKI, importJWK, type JWK } from 'jose'
import { createPlatformKeys } from '../../src/clients/platform-keys.ts'
import { unbounded } from '../../src/clients/site-fetch.ts'
import { refusalLimits } from '../../src/events/limits.ts'
import { createOutbound } from '../../src/http/outbound.ts'
import { type Operator, operatorOf } from '../flows/operator.ts'
import { findPostgres } from '../store/postgres.ts'
import { assertionClaims, assertionForm, provenBy, signBySecret } from '../support/assertions.ts'
import { selfSigned } from '../support/certificate.ts'
import { type KeyPair, keySetOf, newKeys } from '../support/client-keys.ts'
import { openDocumentSiteBefore } from '../support/document-site.ts'
import { register } from '../support/registered.ts'
import { openSite, type Site } from '../support/site.ts'
import {
  type Answer,
  type Form,
  formBody,
  type Started,
  start,
  startBefore,
} from '../support/start.ts'
import { assertRefused } from '../support/tokens.ts'
import { failedClient } from '../support/told.ts'

const trusted = selfSigned(['127.0.0.1'])
setDefaultCACertificates([trusted.cert])

const postgres = await findPostgres()
after(() => postgres?.stop())

const service = startBefore()
/** Its token is a new one each time: some tests let hours pass. */
const operator: Operator = async (...asked) => (await operatorOf(service))(...asked)
const site = openDocumentSiteBefore()

const keys = await newKeys('ES256', 'k-1')
const other = await newKeys('ES256', 'k-1')
const replayed = 'the client assertion was used before: make a new one for each request'
const unsure =
  'the client assertion was made before a crash or a restore of this service, and may have been used: make a new one'

const create = async (metadata: object, by = operator) => {
  const said = { grant_types: ['client_credentials'], ...metadata }
  const { status, body, text } = await by('POST', 'clients', said)
  assert.equal(status, 201, text)
  return body
}

const method = { token_endpoint_auth_method: 'private_key_jwt' }

const createWithKeys = async (pair: KeyPair, by = operator): Promise<string> =>
  (await create({ ...method, jwks: keySetOf(pair) }, by)).client_id

const ask = (form: Form, at: Pick<Started, 'post'> = service) =>
  at.post('/token', { grant_type: 'client_credentials', ...form })

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

describe('a stolen assertion', () => {
  test('is not taken twice, not even at the same moment', async () => {
    const id = await createWithKeys(keys)
    const form = await provenBy(service, id, keys)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(form)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assertRefused(answer, 'invalid_client', replayed)
    }
  })

  test('is not taken after a restart, or at another endpoint', async () => {
    const id = await createWithKeys(keys)
    const form = await provenBy(service, id, keys, { exp: service.now() + 3600 })
    assert.equal((await ask(form)).status, 200)
    await service.restart()
    await service.advance(3599)
    assertRefused(await ask(form), 'invalid_client', replayed)
    const introspected = await service.post('/introspect', { token: 'x', ...form })
    assertRefused(introspected, 'invalid_client', replayed)
    await service.advance(86_400)
    assertRefused(await ask(form), 'invalid_client', 'the client assertion has expired')
  })

  test('is refused after the process was killed, until it is younger than that', async () => {
    const killed = await start()
    const by = await operatorOf(killed)
    const id = await createWithKeys(keys, by)
    const make = (claims = {}) => provenBy(killed, id, keys, { exp: killed.now() + 60, ...claims })
    const iat = killed.now()
    // A part of a second makes no row: it would be refused as used.
    const used = await make({ iat: iat + 0.5 })
    const [ahead, dateless] = [await make({ iat: iat + 30 }), await make({ iat: undefined })]
    for (const form of [used, ahead, dateless]) assert.equal((await ask(form, killed)).status, 200)
    await killed.kill()
    const warned = killed.notices
      .map(({ message }) => message)
      .filter((said) => /proofs/.test(said))
    assert.deepEqual(warned, [
      `assertions and proofs that were made before ${new Date((iat + 1) * 1000).toISOString()} are refused: after a crash or a restore, nobody knows whether they were used`,
    ])
    for (const form of [used, await make({ iat })]) {
      assertRefused(await ask(form, killed), 'invalid_client', unsure)
    }
    for (const form of [ahead, dateless]) {
      assertRefused(await ask(form, killed), 'invalid_client', replayed)
    }
    killed.pass(1)
    const next = await make({ iat: killed.now() })
    assert.equal((await ask(next, killed)).status, 200)
    await killed.restart()
    assertRefused(await ask(next, killed), 'invalid_client', replayed)
    assertRefused(await ask(used, killed), 'invalid_client', unsure)
    await killed.close()
  })

  test('has no second spelling of its signature', async () => {
    const id = await createWithKeys(keys)
    const { client_assertion: text, ...rest } = await provenBy(service, id, keys)
    assert.equal((await ask({ ...rest, client_assertion: text ?? '' })).status, 200)
    for (const spelled of [`${text}=`, `${text}A`, ` ${text}`, `${text}.`]) {
      assert.equal((await ask({ ...rest, client_assertion: spelled })).status, 401, spelled)
    }
  })

  describe('over two nodes', { skip: postgres === null }, () => {
    const nodes: Started[] = []
    before(async () => {
      if (postgres === null) return
      const store = await postgres.newDatabase()
      const open = () => start({ store, secret: 'a-root-secret-that-all-nodes-share' })
      nodes.push(await open(), await open())
    })
    after(() => Promise.all(nodes.map((node) => node.close())))

    test('is taken by one of them, once', async () => {
      const [one, two] = nodes
      assert.ok(one !== undefined && two !== undefined)
      const made = await create({ ...method, jwks: keySetOf(keys) }, await operatorOf(one))
      for (let round = 0; round < 5; round++) {
        const form: Form = await provenBy(one, made.client_id, keys)
        const answers: readonly Answer[] = await Promise.all(
          [one, two, one, two].map((node) => ask(form, node)),
        )
        assert.equal(answers.filter(({ status }) => status === 200).length, 1)
        assertRefused(await ask(form, two), 'invalid_client', replayed)
      }
    })
  })
})

describe('a forged assertion', () => {
  test('under the public key of the client, taken for a secret', async () => {
    for (const algorithm of ['RS256', 'ES256']) {
      const pair = await newKeys(algorithm, 'k')
      const id = await createWithKeys(pair)
      const { publicKey } = pair
      const pem = await exportSPKI((await importJWK(publicKey, algorithm)) as CryptoKey)
      for (const secret of [pem, pem.trim(), JSON.stringify(publicKey), publicKey.n ?? 'x']) {
        const forged = await signBySecret(assertionClaims(service, id), secret, { kid: 'k' })
        assertRefused(await ask(assertionForm(forged)), 'invalid_client', failedClient)
      }
    }
  })

  test('without a signature, whatever it is called', async () => {
    const id = await createWithKeys(keys)
    const { client_id: signer } = await create({ token_endpoint_auth_method: 'client_secret_jwt' })
    for (const alg of ['none', 'None', 'NONE', '', 'HS256', 'ES256', 'HS384', 'RS512']) {
      for (const client of [id, signer]) {
        const claims = assertionClaims(service, client)
        const text = `${encode({ alg, kid: 'k-1' })}.${encode(claims)}.`
        assertRefused(await ask(assertionForm(text)), 'invalid_client', failedClient)
      }
    }
    await service.advance(60)
  })

  test('by a key that it brings along, or that is named elsewhere', async () => {
    const id = await createWithKeys(keys)
    const before = site.asked('/evil.json')
    const url = site.answer('/evil.json', (_request, response) => {
      response.writeHead(200).end(JSON.stringify(keySetOf(other)))
    })
    const headers = [
      { jwk: other.publicKey },
      { jku: url },
      { x5u: url },
      { kid: 'foreign' },
      { kid: '../k-1' },
      { kid: undefined },
    ]
    for (const header of headers) {
      const form = await provenBy(service, id, other, {}, header)
      assertRefused(await ask(form), 'invalid_client', failedClient)
    }
    assert.equal(site.asked('/evil.json'), before)
  })

  test('by another client, about itself or about its victim', async () => {
    const [victim, thief] = [await createWithKeys(keys), await createWithKeys(other)]
    const about = await provenBy(service, thief, other, { sub: victim })
    const own = await provenBy(service, thief, other)
    const posing = await provenBy(service, victim, other)
    for (const form of [about, posing, { ...own, client_id: victim }]) {
      assertRefused(await ask(form), 'invalid_client', failedClient)
    }
    const said = 'iss and sub of the client assertion have to be the client_id'
    const swapped = await provenBy(service, victim, other, { sub: thief })
    assertRefused(await ask(swapped), 'invalid_client', said)
  })

  test('under a key that was withdrawn, or that is for encryption', async () => {
    const id = await createWithKeys(keys)
    assert.equal((await ask(await provenBy(service, id, keys))).status, 200)
    const jwks = (publicKey: JWK) => ({ jwks: { keys: [publicKey] } })
    await operator('PATCH', `clients/${id}`, jwks(other.publicKey))
    assertRefused(await ask(await provenBy(service, id, keys)), 'invalid_client', failedClient)
    const encrypting = { ...keys.publicKey, use: 'enc' }
    await operator('PATCH', `clients/${id}`, { jwks: { keys: [encrypting, other.publicKey] } })
    const form = await provenBy(service, id, keys)
    assertRefused(await ask(form), 'invalid_client', failedClient)
    await service.advance(60)
  })

  test('by the secret of a client that only hashes it, or before a change of the method', async () => {
    const { client_id: id, client_secret: secret } = await create({})
    const prove = async (key: string) =>
      ask(assertionForm(await signBySecret(assertionClaims(service, id), key)))
    assertRefused(await prove(secret), 'invalid_client', failedClient)
    const store = service.server().store
    const client = await store.findClient(id)
    assertRefused(await prove(client?.secretDigest ?? ''), 'invalid_client', failedClient)
  })
})

describe('what an assertion tells and costs', () => {
  test('an unknown client, a disabled one and a wrong key look alike', async () => {
    const id = await createWithKeys(keys)
    const disabled = await createWithKeys(keys)
    await operator('PATCH', `clients/${disabled}`, { disabled: true })
    const answers = [
      await ask(await provenBy(service, 'nobody', keys)),
      await ask(await provenBy(service, disabled, keys)),
      await ask(await provenBy(service, id, other)),
      await ask(await provenBy(service, 'photo-printer', keys)),
    ]
    for (const answer of answers) assertRefused(answer, 'invalid_client', failedClient)
  })

  const from = async (form: Form, peer = '192.0.2.7') => {
    const body = formBody({ grant_type: 'client_credentials', ...form })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const request = new Request(`${service.issuer}/token`, { method: 'POST', body, headers })
    return (await service.server().fetch(request, peer)).status
  }

  test('none of a client is verified at a network with many refused ones of it', async () => {
    const [id, neighbour] = [await createWithKeys(keys), await createWithKeys(keys)]
    const good = await provenBy(service, id, keys)
    const bad = { ...good, client_assertion: `${good.client_assertion}AAAA` }
    for (let n = 0; n < refusalLimits.refusedAssertions; n++) await from(bad)
    assert.equal(await from(good), 429)
    assert.equal(await from(good, '192.0.2.8'), 200)
    assert.equal(await from(await provenBy(service, neighbour, keys)), 200)
    await service.advance(60)
    assert.equal(await from(await provenBy(service, id, keys)), 200)
  })

  test('one that is refused before its signature stops no right one', async () => {
    const id = await createWithKeys(keys)
    const bad = [
      await provenBy(service, id, keys, {}, { kid: 'unknown' }),
      assertionForm(await signBySecret(assertionClaims(service, id), 'x'.repeat(32))),
      await provenBy(service, 'nobody', keys),
    ]
    for (let n = 0; n < refusalLimits.refusedAssertions; n++) {
      for (const form of bad) assert.equal(await from(form, '192.0.2.9'), 401)
    }
    assert.equal(await from(await provenBy(service, id, keys), '192.0.2.9'), 200)
    await service.advance(60)
  })

  test('a client that registered itself has a bounded number of them taken in a minute', async () => {
    const metadata = { ...method, jwks: keySetOf(keys) }
    const { id } = await register(service, metadata)
    const operated = await createWithKeys(keys)
    const inspect = async (client: string) => {
      const form = { token: 'x', ...(await provenBy(service, client, keys)) }
      return (await service.post('/introspect', form)).status
    }
    const replay = await provenBy(service, id, keys)
    for (let n = 0; n < refusalLimits.usedUp / 2; n++) {
      await service.post('/introspect', { token: 'x', ...replay })
    }
    // Whoever sends a used one again uses nothing up.
    for (let n = 1; n < refusalLimits.usedUp; n++) {
      assert.equal(await inspect(id), 200)
      await inspect(operated)
    }
    assert.deepEqual([await inspect(operated), await inspect(operated)], [200, 200])
    assert.deepEqual([await inspect(id), await inspect(id)], [429, 429])
    const { id: another } = await register(service, metadata)
    assert.equal(await inspect(another), 200)
    await service.advance(60)
    assert.equal(await inspect(id), 200)
  })

  test('a key set at a URL is asked for seldom, whatever kid is named', async () => {
    const jwks_uri = site.answer('/keys.json', (_request, response) => {
      response.writeHead(200).end(JSON.stringify(keySetOf(keys)))
    })
    const { client_id: id } = await create({ ...method, jwks_uri })
    assert.equal((await ask(await provenBy(service, id, keys))).status, 200)
    for (let n = 0; n < 10; n++) {
      const form = await provenBy(service, id, keys, {}, { kid: `unknown-${n}` })
      assertRefused(await ask(form), 'invalid_client', failedClient)
    }
    assert.equal(site.asked('/keys.json'), 1)
    assert.equal((await ask(await provenBy(service, id, keys))).status, 200)
    service.pass(31)
    const late = await provenBy(service, id, keys, {}, { kid: 'unknown' })
    assert.equal((await ask(late)).status, 401)
    assert.equal(site.asked('/keys.json'), 2)
    await service.advance(60)
  })

  test('an issuer leads to no private address of another host', async () => {
    const options = { certificate: trusted }
    const inside = await openSite((_request, answer) => answer.end(JSON.stringify(set)), options)
    const set = keySetOf(keys)
    const urlOf = ({ port }: Site): string => `https://127.0.0.1:${port}`
    let jwksUri = ''
    const issuing = await openSite((request, answer) => {
      const document = { issuer: urlOf(issuing), jwks_uri: jwksUri }
      answer.end(JSON.stringify(request.url === '/keys' ? set : document))
    }, options)
    const rule = { loopback: false, resolve: async () => [] }
    const findFrom = (uri: string) => {
      jwksUri = uri
      const platformKeys = createPlatformKeys({
        operator: {
          outbound: createOutbound({ ...rule, allowed: ['127.0.0.1'] }),
          bounds: unbounded,
        },
        itself: { outbound: createOutbound({ ...rule, allowed: [] }), bounds: unbounded },
      })
      const credential = { issuer: urlOf(issuing), subject: 's', audience: 'a' }
      const wanted = { algorithm: 'ES256', use: 'sig', kid: null } as const
      return platformKeys.find(credential, wanted, { at: 1, address: '192.0.2.1' })
    }
    assert.equal((await findFrom(`${urlOf(issuing)}/keys`)).is, 'found')
    assert.equal((await findFrom(urlOf(inside))).is, 'unusable')
    assert.equal(inside.requests.length, 0)
    await Promise.all([issuing.close(), inside.close()])
  })

  test('nothing of an assertion gets into the log or the record of refusals', async () => {
    const id = await createWithKeys(keys)
    const form = await provenBy(service, id, other, { secretly: 'told' })
    await ask(form)
    await service.advance(3)
    const { body } = await operator('GET', 'refusals')
    const kept = JSON.stringify([service.notices, body])
    const text = form.client_assertion ?? ''
    const [, claims = 'x', signature = 'x'] = String(text).split('.')
    assert.ok(!kept.includes(claims) && !kept.includes(signature))
    assert.ok(kept.includes('assertion_signature'))
  })
})
