/** Findings of `latchkey doctor` about machines and servers that no test can set up: each with the fault, and without. */
import assert from 'node:assert/strict'
import { truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { before, describe, it } from 'node:test'
import { checkCertificateClients } from '../../../src/cli/doctor/certificates.ts'
import { type Examined, examine } from '../../../src/cli/doctor/examine.ts'
import type { Finding } from '../../../src/cli/doctor/finding.ts'
import { checkMachine, type Machine } from '../../../src/cli/doctor/machine.ts'
import { checkSite } from '../../../src/cli/doctor/site.ts'
import { checkConditions } from '../../../src/cli/doctor/store.ts'
import { addTraces } from '../../../src/cli/store.ts'
import { defaultLimits } from '../../../src/config/settable-limits.ts'
import type { ClientId } from '../../../src/model/ids.ts'
import type { PostgresConditions } from '../../../src/store/engines/postgres/session.ts'
import { newPath } from '../../store/folder.ts'
import { startBefore } from '../../support/start.ts'

const makeSample = (id: string): ClientId => id as ClientId

const idsOf = (findings: readonly Finding[]): readonly string[] => findings.map(({ id }) => id)

describe('doctor on clients with certificates', () => {
  const named = { id: 'named', authenticationMethod: 'tls_client_auth', openid: {} }
  const own = { ...named, id: 'own', authenticationMethod: 'self_signed_tls_client_auth' }
  const bound = {
    id: 'bound',
    authenticationMethod: 'none',
    openid: { tls_client_certificate_bound_access_tokens: true },
  }
  const other = { id: 'other', authenticationMethod: 'client_secret_basic', openid: {} }
  const clients = [named, own, bound, other].map((client) => ({
    ...client,
    id: makeSample(client.id),
  }))
  const service = startBefore()
  const found = (trustedProxies: readonly string[], clientCa: readonly string[]) => {
    const settings = { ...service.server().settings, trustedProxies, clientCa }
    return checkCertificateClients(clients, { settings })
  }

  it('finds those whose certificates do not arrive, and those without an authority', () => {
    const all = found([], ['MAA='])
    assert.equal(all?.id, 'clients.certificate')
    assert.match(all.finding, /^named and 2 more /)
    assert.match(found(['127.0.0.1'], [])?.finding ?? '', /^named cannot /)
    assert.equal(found(['127.0.0.1'], ['MAA=']), null)
  })
})

describe('doctor on a machine', () => {
  const gigabyte = 1024 ** 3
  const disk = { type: 0xef53, bsize: 4096, blocks: gigabyte, bavail: gigabyte / 2 }
  const good: Machine = { node: '26.1.0', openFiles: 65_536, fileSystem: () => disk }

  it('finds nothing on a good one', (t) => {
    const path = newPath(t)
    writeFileSync(path, '', { mode: 0o600 })
    assert.deepEqual(checkMachine({ store: `sqlite:${path}` }, good), [])
    assert.deepEqual(checkMachine({ store: 'postgres://db.example/latchkey' }, good), [])
  })

  it('finds an old Node, one without long support, and few files', () => {
    const store = { store: 'postgres://db.example/latchkey' }
    const found = (machine: Partial<Machine>) => idsOf(checkMachine(store, { ...good, ...machine }))
    assert.deepEqual(found({ node: '22.20.0' }), ['node.old'])
    assert.deepEqual(found({ node: '25.1.0' }), ['node.odd'])
    assert.deepEqual(found({ openFiles: 1024 }), ['files.few'])
    assert.deepEqual(found({ openFiles: null }), [])
  })

  it('finds a disk that gets full, and one that is', (t) => {
    const path = newPath(t)
    writeFileSync(path, '', { mode: 0o600 })
    const found = (fileSystem: object) => {
      const machine = { ...good, fileSystem: () => ({ ...disk, ...fileSystem }) }
      return checkMachine({ store: `sqlite:${path}` }, machine)
    }
    const [full] = found({ bavail: 10_000 })
    assert.deepEqual(full, {
      id: 'disk.full',
      level: 'error',
      finding: `${dirname(path)} has 0.0 GB free (0 %).`,
      fix: 'Make room: a full disk ends every login. Backups belong on another disk.',
    })
    assert.deepEqual(idsOf(found({ bavail: 100_000 })), ['disk.space'])
    assert.deepEqual(idsOf(found({ bavail: gigabyte / 50 })), ['disk.space'])
    assert.deepEqual(idsOf(found({ type: 0x6969 })), ['database.network'])
    assert.deepEqual(idsOf(found({ type: 0x01021994 })), ['database.volatile'])
  })

  it('finds no database, and tells one that was removed under its service', (t) => {
    const path = newPath(t)
    const fixes = () =>
      checkMachine({ store: `sqlite:${path}` }, good).map(({ id, fix }) => [id, fix])
    assert.deepEqual(fixes(), [
      ['database.missing', 'Run latchkey init, or correct LATCHKEY_STORE.'],
    ])
    writeFileSync(`${path}-wal`, '')
    assert.match(fixes()[0]?.[1] ?? '', /^The file was removed or moved\. Put it back/)
  })

  it('finds a write-ahead log that makes a start slow', (t) => {
    const path = newPath(t)
    for (const file of [path, `${path}-wal`]) writeFileSync(file, '', { mode: 0o600 })
    truncateSync(`${path}-wal`, 2 * gigabyte)
    assert.deepEqual(idsOf(checkMachine({ store: `sqlite:${path}` }, good)), ['database.log'])
  })
})

describe('doctor on a PostgreSQL server', () => {
  const now = 1_800_000_000
  const good: PostgresConditions = {
    connections: 97,
    autovacuum: true,
    synchronousCommit: 'on',
    address: '10.0.0.5',
    encrypted: true,
    time: now + 3,
  }
  const found = (conditions: Partial<PostgresConditions>) =>
    checkConditions({ ...good, ...conditions }, defaultLimits, now, false)

  it('finds nothing on a good one, here or elsewhere', () => {
    assert.deepEqual(found({}), [])
    assert.deepEqual(found({ encrypted: false, address: '127.0.0.1' }), [])
    assert.deepEqual(found({ encrypted: false, address: null }), [])
  })

  it('finds a way without TLS, no vacuum, and another time', () => {
    assert.deepEqual(idsOf(found({ encrypted: false })), ['database.plain'])
    assert.deepEqual(idsOf(found({ autovacuum: false })), ['database.vacuum'])
    assert.deepEqual(idsOf(found({ time: now - 90 })), ['clock.database'])
  })

  it('finds too few connections for two nodes, and for one', () => {
    const levels = [27, 26, 10].map((connections) =>
      found({ connections }).map(({ id, level }) => [id, level]),
    )
    assert.deepEqual(levels, [
      [],
      [['database.connections', 'warning']],
      [['database.connections', 'error']],
    ])
  })
})

describe('doctor on a site', () => {
  const issuer = 'https://127.0.0.1:1'
  const now = Date.UTC(2026, 10, 23)
  const answer = () =>
    Response.json(
      { issuer },
      { headers: { date: new Date(now).toUTCString(), 'strict-transport-security': 'max-age=1' } },
    )

  it('finds an http address beside https that does not lead to it', async () => {
    const ask = async () => answer()
    assert.deepEqual(idsOf(await checkSite({ issuer }, now, ask)), ['tls.missing'])
    const redirecting = async (url: string) =>
      url.startsWith('http:') ? new Response(null, { status: 308 }) : answer()
    assert.deepEqual(await checkSite({ issuer }, now, redirecting), [])
  })
})

describe('doctor on a store', () => {
  const service = startBefore()
  before(async () => {
    await service.ask('/jwks')
  })

  const foundAfter = async (seconds: number): Promise<readonly string[]> => {
    const { operated } = service.server()
    const clock = () => (service.now() + seconds) * 1000
    const parts = addTraces({ ...operated, clock }, 'root')
    const { findings } = JSON.parse(await examine({}, parts)) as Examined
    return idsOf(findings).filter((id) => /^(keys|clock\.behind|events)/.test(id))
  }

  it('finds keys that nobody rotated', async () => {
    const day = 86_400
    assert.deepEqual(await foundAfter(30 * day), [])
    assert.deepEqual(await foundAfter(38 * day), ['keys.sealing.old'])
    assert.deepEqual(await foundAfter(98 * day), ['keys.sealing.old', 'keys.signing.old'])
  })

  it('finds events that nobody seals', async () => {
    const hour = 3600
    await service.advance(2 * hour)
    assert.deepEqual(await foundAfter(hour), [])
    assert.deepEqual(await foundAfter(4 * hour), ['events.unsealed'])
  })

  it('finds a clock that is behind what a node noted', async () => {
    await service.advance(10)
    assert.deepEqual(await foundAfter(-30), [])
    assert.deepEqual(await foundAfter(-90), ['clock.behind'])
  })
})
