/** The root secret: set later, wrong, changed; and keys that the operator rotates. On both engines. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after, describe, type TestContext, test } from 'node:test'
import { listKeys, rewrapKeys, rotateKeys } from '../../src/cli/keys.ts'
import { addTraces, type StoreParts } from '../../src/cli/store.ts'
import { housekeepingLimits } from '../../src/housekeeping.ts'
import { readAccessToken } from '../../src/tokens/formats/opaque.ts'
import { keyLimits, keyMakers } from '../../src/tokens/keys/kinds.ts'
import { newPath } from '../store/folder.ts'
import { findPostgres, type Postgres } from '../store/postgres.ts'
import { sampleKey } from '../store/sample.ts'
import { assertionClaims, assertionForm, signBySecret } from '../support/assertions.ts'
import { enter } from '../support/authorization.ts'
import { nightlyReport } from '../support/demo-clients.ts'
import { codeAt, firstStep, isInside, setUpCodes, submitWith } from '../support/factors.ts'
import { obtainTokens } from '../support/printing.ts'
import { openStream } from '../support/signals.ts'
import { type Started, start } from '../support/start.ts'
import { refresh, use } from '../support/tokens.ts'
import { operatorOf } from './operator.ts'

const secrets = ['first', 'second', 'third'].map(
  (name) => `the ${name} root secret, which guards my quiet boxes`,
)
const [first = '', second = '', third = ''] = secrets

const warningsOf = ({ notices }: Started): readonly string[] =>
  notices.filter(({ level }) => level === 'warn').map(({ message }) => message)

const partsOf = (service: Started): StoreParts => addTraces(service.server().operated, 'root')

/** All wrapped values of the store. */
const keptBy = async (service: Started): Promise<readonly string[]> => {
  const { store } = service.server()
  const codes = await store.listOneTimeCodes(null, 100)
  const clients = await store.listClientSecrets(null, 100)
  const streams = await store.listSignalStreams(null)
  return [
    ...streams.map(({ credential }) => credential ?? ''),
    ...clients.rows.flatMap(({ secrets }) => secrets),
    ...(await store.listKeys()).map((key) => key.wrapped),
    ...codes.rows.map((row) => row.secret),
  ]
}

const isIn = async (service: Started, secret: string): Promise<boolean> => {
  const { browser, page } = await firstStep(service, 'bob', 'builder')
  await submitWith(browser, page, 'code', { code: codeAt(secret, service.now()) })
  return isInside(browser)
}

/** Whether a client that signs with its secret is known. */
const isSigner = async (
  service: Started,
  { client_id: id, client_secret: secret }: Record<string, string>,
): Promise<boolean> => {
  const proof = await signBySecret(assertionClaims(service, id ?? ''), secret ?? '')
  const form = { grant_type: 'client_credentials', ...assertionForm(proof) }
  return (await service.post('/token', form)).status === 200
}

/** Tokens of alice's, and one-time codes of bob's. */
const live = async (service: Started) => {
  const tokens = await obtainTokens(service)
  const codes = await setUpCodes(await enter(service, 'bob', 'builder'), service.now())
  const operator = await operatorOf(service)
  const { body: signer } = await operator('POST', 'clients', {
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'client_secret_jwt',
  })
  const change = { introspection_clients: [nightlyReport[0]] }
  await operator('PATCH', 'resources/photos', change)
  const delivery = {
    method: 'urn:ietf:rfc:8935',
    endpoint_url: 'https://receiver.example/x',
    authorization_header: 'Bearer of-the-receiver',
  }
  await openStream(service, { delivery })
  return { ...tokens, codes, signer }
}

const rejected =
  /^Error: the root secret does not open the sealing keys in this store\. Use the secret/
const inClear = /^the sealing keys and the secrets of one-time codes are in the database in clear/
const previous =
  /^the store is still wrapped under LATCHKEY_PREVIOUS_SECRET: run latchkey key rewrap/

/** Opens services on one store, one after the other or at once. */
type Open = (given: { secret: string | null; previousSecret?: string }) => Promise<Started>

const changeOf = (newStore: (t: TestContext) => Promise<string>): void => {
  const openOn = async (t: TestContext): Promise<Open> => {
    const store = await newStore(t)
    return ({
      secret,
      previousSecret = null,
    }: {
      secret: string | null
      previousSecret?: string | null
    }) => start({ store, secret, previousSecret })
  }

  test('a wrong one is refused, also where no key is there to try it on', async (t) => {
    const open = await openOn(t)
    const service = await open({ secret: first })
    const { store } = service.server()
    const ids = (await store.listKeys()).map(({ id }) => id)
    await store.removeKeys(ids, partsOf(service).trace())
    await service.close()
    await assert.rejects(open({ secret: second }), rejected)
    await (await open({ secret: first })).close()
  })

  test('it changes as docs/keys.md says, and nobody notices', async (t) => {
    const open = await openOn(t)
    let service = await open({ secret: first })
    const { access_token, refresh_token, codes, signer } = await live(service)
    await service.close()
    await assert.rejects(open({ secret: second }), rejected)
    await assert.rejects(open({ secret: second, previousSecret: third }), rejected)

    service = await open({ secret: second, previousSecret: first })
    assert.match(warningsOf(service).join(), previous)
    assert.equal(await use(service, access_token), 200)
    const before = await keptBy(service)
    const moved = await rewrapKeys({}, partsOf(service))
    assert.match(
      moved,
      /^Wrapped anew under the root secret: 1 key, 1 secret of one-time codes, 1 secret of a client, 1 header of a stream\. Run this again/,
    )
    const after = await keptBy(service)
    assert.equal(after.filter((one) => before.includes(one)).length, 0)
    assert.match(
      await rewrapKeys({}, partsOf(service)),
      /^Everything is wrapped under the root secret\./,
    )
    assert.deepEqual(await keptBy(service), after)
    assert.equal(await use(service, access_token), 200)
    await service.close()
    await assert.rejects(open({ secret: first }), rejected)

    service = await open({ secret: second })
    assert.deepEqual(warningsOf(service), [])
    service.pass(60)
    assert.equal(await use(service, access_token), 200)
    assert.equal((await refresh(service, refresh_token)).status, 200)
    assert.equal(await isIn(service, codes), true)
    assert.equal(await isSigner(service, signer), true)
    await service.close()
  })

  test('what was wrapped under the previous one meanwhile is found by the second run', async (t) => {
    const open = await openOn(t)
    let service = await open({ secret: first })
    await service.close()
    service = await open({ secret: second, previousSecret: first })
    const slow = partsOf(service)
    const { vault } = await slow.openRoot()
    const late = vault.wrap(new Uint8Array(32), 'latchkey sealing keys')
    await rewrapKeys({}, slow)
    const key = { ...sampleKey('late', service.now()), wrapped: late }
    await slow.store.addKey(key, Number.MAX_SAFE_INTEGER, slow.trace())
    assert.match(await rewrapKeys({}, slow), /: 1 key, 0 secrets/)
    await service.close()
    await (await open({ secret: second })).close()
  })

  test('rewrapping is refused where there is nothing to go over to', async (t) => {
    const open = await openOn(t)
    const service = await open({ secret: first })
    const before = await keptBy(service)
    assert.match(await rewrapKeys({}, partsOf(service)), /^Nothing to do: everything is wrapped/)
    assert.deepEqual(await keptBy(service), before)
    await service.close()
  })
}

/** The key that a token was sealed with. */
const keyOf = (token: string): string => readAccessToken(token)?.keyId ?? ''

const ownToken = async (service: Started): Promise<string> =>
  (await service.post('/token', { grant_type: 'client_credentials' }, nightlyReport)).body
    .access_token

const rotating = (openNodes: (t: TestContext) => Promise<readonly [Started, Started]>): void => {
  /** Seconds pass on both, with the housekeeping of each. */
  const pass = async (nodes: readonly Started[], seconds: number): Promise<void> => {
    for (let i = 0; i < seconds; i++) await Promise.all(nodes.map((node) => node.advance(1)))
  }

  test('key rotate --now takes effect within ten seconds on every node, and ends nothing', async (t) => {
    const nodes = await openNodes(t)
    const before = await Promise.all(nodes.map(ownToken))
    const said = JSON.parse(await rotateKeys({ now: true, json: true }, partsOf(nodes[0])))
    assert.equal(said.keys[0].usable_from, nodes[0].now() + keyLimits.keyHurrySeconds)
    assert.deepEqual(
      new Set((await Promise.all(nodes.map(ownToken))).map(keyOf)),
      new Set(before.map(keyOf)),
    )
    await pass(nodes, 10)
    const tokens = await Promise.all(nodes.map(ownToken))
    assert.deepEqual(tokens.map(keyOf), [said.keys[0].id, said.keys[0].id])
    for (const node of nodes) {
      for (const token of [...before, ...tokens]) assert.notEqual(await use(node, token), 401)
    }
    const states = JSON.parse(await listKeys({ json: true }, partsOf(nodes[1])))
    assert.deepEqual(
      states.map((key: { state: string; wrapped_under: string }) => [key.state, key.wrapped_under]),
      [
        ['old', 'root secret'],
        ['sealing', 'root secret'],
      ],
    )
  })

  test('key rotate is known for an hour before, and --now does not wait for it', async (t) => {
    const nodes = await openNodes(t)
    const parts = partsOf(nodes[0])
    const later = JSON.parse(await rotateKeys({ json: true }, parts))
    assert.equal(later.keys[0].usable_from, nodes[0].now() + keyLimits.keyPublishSeconds)
    const now = JSON.parse(await rotateKeys({ now: true, json: true }, parts))
    await pass(nodes, 10)
    assert.deepEqual((await Promise.all(nodes.map(ownToken))).map(keyOf), [
      now.keys[0].id,
      now.keys[0].id,
    ])
  })

  test('key rotate --end-tokens ends within ten seconds what older keys have sealed', async (t) => {
    const nodes = await openNodes(t)
    const { access_token, refresh_token } = await obtainTokens(nodes[0])
    const own = await ownToken(nodes[1])
    await rotateKeys({ endTokens: true }, partsOf(nodes[0]))
    await pass(nodes, 10)
    for (const node of nodes) {
      assert.deepEqual([await use(node, access_token), await use(node, own)], [401, 401])
      assert.equal((await refresh(node, refresh_token)).status, 400)
    }
    const [one, other] = await Promise.all(nodes.map(ownToken))
    assert.equal(await use(nodes[1], one ?? ''), await use(nodes[0], other ?? ''))
    assert.equal(keyOf(one ?? ''), keyOf(other ?? ''))
    const fresh = await obtainTokens(nodes[1])
    assert.equal(await use(nodes[0], fresh.access_token), 200)
  })

  test('keys of each use are listed, rotated and wrapped anew; /jwks has their public halves', async (t) => {
    const [node, other] = await openNodes(t)
    const parts = partsOf(node)
    const kids = async (service: Started): Promise<readonly string[]> =>
      (await service.ask('/jwks')).body.keys.map((key: { kid: string }) => key.kid)
    const makers = keyMakers.filter(({ algorithm }) => /^(HS256|EdDSA)$/.test(algorithm))
    const flags = { use: 'signing', json: true }
    const said = JSON.parse(await rotateKeys(flags, parts, makers))
    const usable_from = node.now() + keyLimits.keyPublishSeconds
    const [{ id: kid }] = said.keys
    assert.deepEqual(said, {
      keys: [{ id: kid, use: 'signing', algorithm: 'EdDSA', usable_from }],
      tokens_ended: false,
    })
    const listed = JSON.parse(await listKeys(flags, parts))
    assert.deepEqual(listed, [
      {
        ...said.keys[0],
        created_at: node.now(),
        state: 'signing',
        wrapped_under: 'root secret',
      },
    ])
    assert.equal(JSON.parse(await listKeys({ json: true }, parts)).length, 2)
    await pass([node, other], 10)
    for (const service of [node, other]) {
      assert.equal((await kids(service)).includes(kid), true)
    }
    const both = await rotateKeys({ endTokens: true }, parts, makers)
    assert.match(
      both,
      /^Key \w+ has taken the place of all other sealing keys\.[\s\S]*\n\nKey \w+ has/,
    )
    assert.deepEqual(
      JSON.parse(await listKeys({ json: true }, parts))
        .map((key: { state: string }) => key.state)
        .sort(),
      ['sealing', 'signing', 'signing', 'signing'],
    )
  })

  test('rotating keys of an unknown use is refused', async (t) => {
    const [node] = await openNodes(t)
    const before = await keptBy(node)
    await assert.rejects(rotateKeys({ use: 'x' }, partsOf(node)), /^Error: --use has to be sealing/)
    assert.deepEqual(await keptBy(node), before)
  })
}

describe('on SQLite', () => {
  changeOf(async (t) => `sqlite:${newPath(t)}`)

  test('the file beside the database is followed by a secret of the settings', async (t) => {
    const path = newPath(t)
    let service = await start({ store: `sqlite:${path}` })
    const { access_token } = await obtainTokens(service)
    const settings = service.server().settings
    await service.close()
    await assert.rejects(start({ store: `sqlite:${path}`, secret: second }), rejected)
    const { given } = await service.server().operated.openRoot()
    service = await start({ ...settings, secret: second, previousSecret: given.secret })
    await rewrapKeys({}, partsOf(service))
    await service.close()
    rmSync(`${path}.key`)
    service = await start({ ...settings, secret: second })
    assert.equal(await use(service, access_token), 200)
    await service.close()
  })
})

const suite = (postgres: Postgres): void => {
  const newStore = (): Promise<string> => postgres.newDatabase()
  describe('on PostgreSQL', () => {
    changeOf(newStore)

    test('without one nothing starts at an issuer that others reach, and nothing is written', async () => {
      const store = await newStore()
      const issuer = 'https://auth.example'
      await assert.rejects(start({ store, issuer, demo: false }), {
        name: 'Error',
        message:
          /^LATCHKEY_SECRET must be set, the same on every node, since the issuer is not loopback http/,
      })
      const tables = await postgres.askIn(
        store,
        "select * from pg_tables where schemaname = 'public'",
      )
      assert.deepEqual(tables, [])
      await (await start({ store, issuer, demo: false, secret: first })).close()
    })

    test('set later, it replaces keys that lay in clear, and wraps the secrets in rows', async () => {
      const store = await newStore()
      let service = await start({ store })
      const { access_token, refresh_token, codes, signer } = await live(service)
      assert.match(warningsOf(service).join(), inClear)
      assert.deepEqual(
        (await keptBy(service)).map((one) => one.split('.')[0]),
        ['plain', 'plain', 'plain', 'plain'],
      )
      const clearKeys = (await service.server().store.listKeys()).map(({ id }) => id)
      await service.close()

      service = await start({ store, secret: first })
      assert.deepEqual(
        (await keptBy(service)).map((one) => one.split('.')[0]),
        ['gcm', 'gcm', 'gcm', 'gcm'],
      )
      const keys = await service.server().store.listKeys()
      assert.equal(keys.filter(({ id }) => clearKeys.includes(id)).length, 0)
      assert.deepEqual(warningsOf(service), [
        'the keys that seal tokens lay in the database in clear: they are replaced, and all tokens from before have ended',
        'secrets of one-time codes lay in the database in clear, and are wrapped now: whoever read it before knows them',
        'secrets for client_secret_jwt lay in the database in clear, and are wrapped now: whoever read it before knows them',
        'headers of streams of signals lay in the database in clear, and are wrapped now: whoever read it before knows them',
      ])
      assert.equal(await use(service, access_token), 401)
      assert.equal((await refresh(service, refresh_token)).status, 400)
      service.pass(60)
      assert.equal(await isIn(service, codes), true)
      assert.equal(await isSigner(service, signer), true)
      await service.close()

      await assert.rejects(start({ store, secret: second }), rejected)
      await assert.rejects(
        start({ store }),
        /^Error: no root secret was given, and the sealing keys/,
      )
      service = await start({ store, secret: first })
      assert.deepEqual(warningsOf(service), [])
      await service.close()
    })

    test('a node without it answers 503 once another has set it', async () => {
      const store = await newStore()
      const careless = await start({ store })
      const { access_token } = await obtainTokens(careless)
      const careful = await start({ store, secret: first })
      await careless.advance(housekeepingLimits.keyReloadSeconds)
      const form = { grant_type: 'client_credentials' }
      assert.equal((await careless.post('/token', form, nightlyReport)).status, 503)
      assert.equal(await use(careless, access_token), 503)
      assert.equal(await use(careful, access_token), 401)
      assert.equal((await careful.post('/token', form, nightlyReport)).status, 200)
      assert.deepEqual(
        (await keptBy(careful)).map((one) => one.split('.')[0]),
        ['gcm'],
      )
      await careless.close()
      await careful.close()
    })

    test('a key in clear that somebody puts into the table opens nothing', async () => {
      const store = await newStore()
      const service = await start({ store, secret: first })
      const planted = `plain.${Buffer.alloc(32, 7).toString('base64url')}`
      await postgres.askIn(
        store,
        `insert into keys (id, use, algorithm, wrapped, usable_from, created_at)
         values ('planted', 'sealing', 'HS256', '${planted}', 0, 0)`,
      )
      await service.close()
      const again = await start({ store, secret: first })
      const keys = await again.server().store.listKeys()
      assert.equal(
        keys.some(({ id }) => id === 'planted'),
        false,
      )
      await again.close()
    })

    rotating(async (t) => {
      const store = await newStore()
      const nodes = [
        await start({ store, secret: first }),
        await start({ store, secret: first }),
      ] as const
      t.after(() => Promise.all(nodes.map((node) => node.close())))
      return nodes
    })
  })
}

const postgres = await findPostgres()
if (postgres === null) {
  test('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): its suite is left out')
} else {
  after(() => postgres.stop())
  suite(postgres)
}
