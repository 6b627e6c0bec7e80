/** Backup and restore: everything comes back but the tokens, and nothing of a damaged file does. */
import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { drawRandom, makeSalt, startDigest } from '../../src/crypto/digest.ts'
import { storeLimits } from '../../src/store/limits.ts'
import { schemaVersion } from '../../src/store/schema/migrate.ts'
import { openSession, openSqliteStore } from '../../src/store/sql/open.ts'
import { tables } from '../../src/store/sql/records.ts'
import { backUp } from '../../src/store/transfer/dump.ts'
import { restore } from '../../src/store/transfer/restore.ts'
import { enter } from '../support/authorization.ts'
import {
  firstStep,
  isInside,
  makeRecoveryCodes,
  setUpCodes,
  submitWith,
} from '../support/factors.ts'
import { obtainTokens } from '../support/printing.ts'
import { type Started, start } from '../support/start.ts'
import { use } from '../support/tokens.ts'
import { approvedByMany, some } from './contract/removals.ts'
import { newPath } from './folder.ts'
import {
  all,
  asElsewhere,
  assertEveryTableHasRows,
  contentsOf,
  type Held,
  honoured,
  live,
  none,
  revoke,
} from './lived.ts'
import { trace } from './moments.ts'
import { paddedEvent, sampleEvent, sampleKey } from './sample.ts'

const restoreTo = (path: string, file: string, tokens: 'end' | 'keep' = 'end', at?: number) =>
  restore(
    `sqlite:${path}`,
    file,
    tokens === 'keep'
      ? { tokens }
      : { tokens, newSalt: () => makeSalt(drawRandom), trace: () => trace(at) },
  )

const serviceOn = (path: string): Promise<Started> => start({ store: `sqlite:${path}` })

/** Whether a recovery code lets alice in after her password. */
const recoveredBy = async (started: Started, code: string): Promise<boolean> => {
  const { browser, page } = await firstStep(started)
  // Where there are none, nothing asks for one.
  if (!page.text.includes('recovery_code')) return false
  await submitWith(browser, page, 'recovery_code', { recovery_code: code })
  return isInside(browser)
}

let service: Started
let held: Held
let database: string
let file: string
let lines: readonly string[]

before(async () => {
  service = await start()
  database = join(service.folder, 'latchkey.db')
  file = join(service.folder, 'backup')
  held = await live(service)
  await backUp(`sqlite:${database}`, file, 1_700_000_000)
  lines = readFileSync(file, 'utf8').trimEnd().split('\n')
})
after(() => service.close())

describe('a backup', () => {
  test('is whole, private, and leaves no unfinished file', () => {
    const contents = contentsOf(database)
    assertEveryTableHasRows(contents)
    const rows = Object.fromEntries(tables.map(({ name }) => [name, contents[name]?.length]))
    const digest = startDigest()
    digest.add(`${lines.slice(0, -1).join('\n')}\n`)
    assert.deepEqual(JSON.parse(lines.at(-1) ?? ''), { rows, sha256: digest.end() })
    assert.deepEqual(JSON.parse(lines[0] ?? ''), {
      latchkey: 'backup',
      format: 1,
      schema: schemaVersion,
      takenAt: 1_700_000_000,
      sealingKeys: 'wrapped',
    })
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(existsSync(`${file}.part`), false)
  })

  test('holds no secret in clear', () => {
    const text = lines.join('\n')
    const rootSecret = readFileSync(`${database}.key`, 'utf8').trim()
    const secrets = [held.accessToken, held.refreshToken, held.ownToken, rootSecret]
    // The last way of a login is none.
    const cookies = [...held.browser.cookies].flatMap(([name, value]) =>
      /way$/.test(name) ? [] : value,
    )
    const known = ['photo-printer-secret', 'wonderland', ...cookies]
    assert.deepEqual(
      [...secrets, ...known].filter((secret) => text.includes(secret)),
      [],
    )
  })

  test('says where the sealing keys are in clear', async (t) => {
    const path = newPath(t)
    const store = await openSqliteStore({ path })
    const key = { ...sampleKey('a', 0), wrapped: 'plain.AAAA' }
    await store.addKey(key, 0, {
      eventId: 'e' as never,
      at: 0,
      requestId: null,
      actor: { type: 'service' },
    })
    const done = await backUp(`sqlite:${path}`, `${path}.backup`, 0)
    await store.close()
    assert.equal(done.sealingKeys, 'plain')
  })

  test('says that a store has no sealing keys yet', async (t) => {
    const path = newPath(t)
    await (await openSqliteStore({ path })).close()
    const done = await backUp(`sqlite:${path}`, `${path}.backup`, 1_700_000_000)
    assert.equal(done.sealingKeys, 'none')
  })

  test('does not overwrite a file, not even the database', async () => {
    for (const path of [file, database]) {
      await assert.rejects(backUp(`sqlite:${database}`, path, 0), {
        name: 'StoreRefusal',
        message: `there is already a file ${path}; choose another name`,
      })
    }
  })

  test('is of a database that is there and ours', async (t) => {
    const path = newPath(t)
    await assert.rejects(backUp(`sqlite:${path}`, `${path}.backup`, 0), {
      name: 'StoreRefusal',
      message: `there is no database ${path}`,
    })
    writeFileSync(path, 'something else '.repeat(1000))
    await assert.rejects(backUp(`sqlite:${path}`, `${path}.backup`, 0), {
      name: 'StoreRefusal',
      message: `the database ${path} is damaged or not a database of this program`,
    })
    assert.deepEqual(readdirSync(dirname(path)), [basename(path)])
  })

  test('shows one moment, however much is written meanwhile', async (t) => {
    const path = newPath(t)
    const store = await openSqliteStore({ path })
    const append = (name: string, i: number) =>
      store.appendEvent(
        sampleEvent({ id: `${name}-${String(i).padStart(6, '0')}` as never, at: i }),
      )
    await Promise.all(Array.from({ length: 3000 }, (_, i) => append('before', i)))
    const backedUp = backUp(`sqlite:${path}`, `${path}.backup`, 0)
    const writing = Array.from({ length: 3000 }, (_, i) => append('later', i))
    const [{ rows }] = await Promise.all([backedUp, ...writing])
    await store.close()
    assert.equal(rows.events, 3000)
    assert.equal(contentsOf(path).events?.length, 6000)
  })

  test('that is being taken keeps nobody from starting again after a crash', async (t) => {
    const path = newPath(t)
    await restoreTo(path, file)
    const snapshot = await openSession(`sqlite:${path}`, 'snapshot')
    const first = await openSqliteStore({ path })
    await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        first.appendEvent({ ...paddedEvent(1000), id: `event-${i}` as never, at: i }),
      ),
    )
    await first.close()
    const second = await openSqliteStore({ path })
    await second.ping()
    await second.close()
    await snapshot.close()
  })
})

const isAmong = (row: unknown, rows: readonly unknown[] = []): boolean =>
  rows.some((one) => JSON.stringify(one) === JSON.stringify(row))

describe('restoring', () => {
  test('with its tokens: every row of every table is as it was', async (t) => {
    const path = newPath(t)
    const { rows } = await restoreTo(path, file, 'keep')
    assert.deepEqual(contentsOf(path), asElsewhere(contentsOf(database)))
    assert.deepEqual(rows, JSON.parse(lines.at(-1) ?? '').rows)

    copyFileSync(`${database}.key`, `${path}.key`)
    const restored = await serviceOn(path)
    const answer = await honoured(restored, held)
    await restored.close()
    assert.deepEqual(answer, all)
  })

  test('without them: they are dead, and all else is as it was', async (t) => {
    const path = newPath(t)
    await restoreTo(path, file)
    const [was, is] = [asElsewhere(contentsOf(database)), contentsOf(path)]
    const gone = [
      'sessions',
      'client_logins',
      'logout_notices',
      'device_authorizations',
      'backchannel_requests',
      'families',
      'endings',
      'mails',
      'webhook_cursors',
      'webhook_deliveries',
      'recovery_codes',
      'keys',
      'key_turns',
      'revocation_feed',
      'directory_checks',
    ]
    const others = 'root secret,one-time codes,client secrets,stream credentials,used ids'.split(
      ',',
    )
    /** Of facts, that the store was a demo stays. */
    const without = (rows: readonly unknown[] = []) =>
      rows
        .map((row) => row as Record<string, unknown>)
        .filter(({ session_id = '', id }) => session_id === '' && !others.includes(String(id)))
        .map(({ salt: _, has_endings: __, ...kept }) => kept)
    const told = (is.events ?? []).filter((event) => !isAmong(event, was.events))
    for (const { name } of tables) {
      if (name === 'events' || name === 'revocations') continue
      assert.deepEqual(without(is[name]), gone.includes(name) ? [] : without(was[name]), name)
    }
    assert.equal(is.events?.length, (was.events?.length ?? 0) + told.length)
    assert.deepEqual(
      told.map((event) => (event as { type: string }).type),
      ['factor.removed', 'store.restored'],
    )
    const about = is.revocations?.map((row) => (row as { subject: string }).subject)
    assert.deepEqual(about, ['service'])
    const salts = (rows: readonly unknown[] = []) =>
      rows.map((row) => (row as { salt: string }).salt)
    for (const name of ['clients', 'authorizations']) {
      const found = salts(is[name])
      assert.ok(found.length > 0)
      assert.equal(new Set(found).size, found.length)
      assert.deepEqual(
        found.filter((salt) => salts(was[name]).includes(salt)),
        [],
      )
    }
    assert.deepEqual(
      is.clients?.filter((row) => (row as { has_endings: number }).has_endings !== 0),
      [],
    )

    const restored = await serviceOn(path)
    const answer = await honoured(restored, held)
    const { access_token } = await obtainTokens(restored)
    const status = await use(restored, access_token)
    await restored.close()
    assert.deepEqual(answer, none)
    assert.equal(status, 200)
  })

  test('it says what has ended, what is there, and the last that it knows of', async (t) => {
    const { rows, ended, lastEventAt } = await restoreTo(newPath(t), file)
    const was = JSON.parse(lines.at(-1) ?? '').rows
    assert.deepEqual(ended, { sessions: was.sessions, recoveryCodes: 10, recoveryCodeOwners: 1 })
    assert.deepEqual(
      [rows.sessions, rows.recovery_codes, rows.events, rows.passkeys],
      [0, 0, was.events + 2, was.passkeys],
    )
    const times = (contentsOf(database).events ?? []).map((event) => (event as { at: number }).at)
    assert.equal(lastEventAt, Math.max(...times))
    const kept = await restoreTo(newPath(t), file, 'keep')
    assert.deepEqual([kept.ended, kept.lastEventAt, kept.rows], [null, lastEventAt, was])
  })

  test('what is left of a deleted client goes after a restore as well, and never comes back', async (t) => {
    const path = newPath(t)
    const store = await openSqliteStore({ path })
    const { client } = await approvedByMany(store, some)
    await store.deleteClient(client.id, trace())
    await backUp(`sqlite:${path}`, `${path}.backup`, 0)
    await store.close()
    for (const tokens of ['end', 'keep'] as const) {
      const back = newPath(t)
      await restoreTo(back, `${path}.backup`, tokens)
      const restored = await openSqliteStore({ path: back })
      const of = { clientId: client.id }
      assert.equal(await restored.findClient(client.id, 'disabled'), null)
      assert.deepEqual((await restored.listAuthorizations(of, null, 10, 0)).rows, [])
      assert.equal(await restored.createClient(client, trace()), 'taken')
      let went = 0
      for (let piece = 1; piece > 0; went += piece) {
        piece = await restored.removeDeleted(storeLimits.purgeRows, trace())
      }
      assert.equal(went, some - storeLimits.purgeRows + 1)
      assert.equal(await restored.createClient(client, trace()), 'created')
      assert.deepEqual((await restored.listAuthorizations(of, null, 10, 0)).rows, [])
      await restored.close()
    }
  })

  test('an older backup brings no used recovery code back, and its owner sees that all ended', async (t) => {
    const path = newPath(t)
    const first = await serviceOn(path)
    const browser = await enter(first)
    await setUpCodes(browser, first.now())
    const [code = ''] = await makeRecoveryCodes(browser)
    const older = `${newPath(t)}.backup`
    await backUp(`sqlite:${path}`, older, 0)
    assert.equal(await recoveredBy(first, code), true)
    await first.close()

    const back = newPath(t)
    await restoreTo(back, older)
    copyFileSync(`${path}.key`, `${back}.key`)
    const restored = await serviceOn(back)
    assert.equal(await recoveredBy(restored, code), false)
    const { store } = restored.server()
    const owner = await store.findOwnerByName('alice')
    assert.ok(owner)
    const [event] = (await store.listEvents({ ownerId: owner.id }, null, 100)).rows.filter(
      ({ type }) => type === 'factor.removed',
    )
    assert.deepEqual(event?.details, { factor: 'recovery codes' })
    await restored.close()
  })

  test('an older backup does not bring a revoked token back, unless that is asked for', async (t) => {
    const tokens = await obtainTokens(service)
    const older = `${newPath(t)}.backup`
    const at = service.now()
    const remembered = { id: 'a used id in memory', madeAt: at, expiresAt: at + 60 }
    assert.equal(await service.server().store.claimId(remembered, at), 'first')
    const written = { ...remembered, id: 'a row', madeAt: null }
    assert.equal(await service.server().store.claimId(written, at), 'first')
    await backUp(`sqlite:${database}`, older, 0)
    await revoke(service, tokens.refresh_token)
    assert.equal(await use(service, tokens.access_token), 401)

    const statuses = []
    for (const choice of ['end', 'keep'] as const) {
      const path = newPath(t)
      await restoreTo(path, older, choice, at + 2)
      copyFileSync(`${database}.key`, `${path}.key`)
      const restored = await serviceOn(path)
      statuses.push(await use(restored, tokens.access_token))
      const { store } = restored.server()
      const late = { ...remembered, id: 'used after the backup', madeAt: at + 2 }
      const claims = [remembered, written, late].map((one) => store.claimId(one, at))
      const outcomes = ['unsure', 'again', choice === 'end' ? 'unsure' : 'first']
      assert.deepEqual(await Promise.all(claims), outcomes)
      await restored.close()
    }
    assert.deepEqual(statuses, [401, 200])
  })

  test('into a store in which a service was started only', async (t) => {
    const path = newPath(t)
    const empty = await start({ store: `sqlite:${path}`, demo: false })
    await empty.close()
    await restoreTo(path, file)
    const restored = await serviceOn(path)
    const { access_token } = await obtainTokens(restored)
    const status = await use(restored, access_token)
    await restored.close()
    assert.equal(status, 200)
  })

  test('never into a store that holds something, or is in use', async (t) => {
    const path = newPath(t)
    await restoreTo(path, file)
    const before = contentsOf(path)
    await assert.rejects(restoreTo(path, file), {
      name: 'StoreRefusal',
      message: 'the store is not empty (it has clients): a backup is restored into a new one only',
    })
    assert.deepEqual(contentsOf(path), before)
    await assert.rejects(restoreTo(database, file), {
      name: 'StoreRefusal',
      message: `the database ${database} is in use by another process`,
    })
  })
})

/** A backup with other lines, under a digest that fits them. */
const forge = (change: (lines: string[]) => void): string => {
  const changed = [...lines]
  change(changed)
  const digest = startDigest()
  digest.add(`${changed.slice(0, -1).join('\n')}\n`)
  const end = JSON.parse(changed.at(-1) ?? '')
  changed[changed.length - 1] = JSON.stringify({ ...end, sha256: digest.end() })
  return `${changed.join('\n')}\n`
}

const damages: Readonly<Record<string, { text: () => string; says: string }>> = {
  'an empty file': { text: () => '', says: 'is not one' },
  'something else': { text: () => '{"a":1}\n', says: 'is not one' },
  'one line without end': { text: () => 'x'.repeat(100), says: 'is cut short' },
  'a file cut in a line': {
    text: () => `${lines.join('\n')}\n`.slice(0, -5),
    says: 'is cut short',
  },
  'a file cut between lines': {
    text: () => `${lines.slice(0, -1).join('\n')}\n`,
    says: 'is cut short',
  },
  'a letter that was changed': {
    text: () => `${lines.join('\n')}\n`.replace('Photo Printer', 'Photo Painter'),
    says: 'is damaged: its SHA-256 is not the one that it states',
  },
  'a line that is gone': {
    text: () => `${lines.filter((_, i) => i !== 2).join('\n')}\n`,
    says: 'is damaged: its SHA-256 is not the one that it states',
  },
  'counts that do not fit': {
    text: () => forge((all) => all.splice(2, 1)),
    says: 'is damaged: it has other rows than it states',
  },
  'more after its end': {
    text: () => `${lines.join('\n')}\n[1]\n`,
    says: 'is damaged: it goes on after its end',
  },
  'a row that is too short': {
    text: () => forge((all) => all.splice(2, 1, '["only an id"]')),
    says: 'is damaged: a row of it does not fit the table clients',
  },
  'a line that is no JSON': {
    text: () => forge((all) => all.splice(2, 1, 'oops')),
    says: 'is damaged: a line of it is neither a list nor an object of JSON',
  },
  'a table that nobody knows': {
    text: () =>
      forge((all) => {
        all[1] = (all[1] ?? '').replace('"clients"', '"strangers"')
        const last = all.length - 1
        all[last] = (all[last] ?? '').replace('"clients"', '"strangers"')
      }),
    says: 'has a table strangers that is not known here',
  },
  'another format': {
    text: () =>
      forge((all) => all.splice(0, 1, (all[0] ?? '').replace('"format":1', '"format":2'))),
    says: 'has the format 2, expected 1',
  },
  'a schema of a newer version': {
    text: () =>
      forge((all) => all.splice(0, 1, (all[0] ?? '').replace(/"schema":\d+/, '"schema":999'))),
    says: `was made by a newer version of this program (its schema is 999, this one knows ${schemaVersion}); restore it with that version`,
  },
}

for (const [name, { text, says }] of Object.entries(damages)) {
  test(`a backup that is damaged (${name}) is refused with nothing changed`, async (t) => {
    const path = newPath(t)
    const damaged = `${path}.backup`
    writeFileSync(damaged, text())
    await assert.rejects(restoreTo(path, damaged), {
      name: 'StoreRefusal',
      message: `the backup ${damaged} ${says}`,
    })
    assert.deepEqual(readdirSync(dirname(path)), [basename(damaged)])
  })
}

/** Changes of one cell that no service could read. */
const unreadable: readonly (readonly [string, string, (cell: unknown) => unknown])[] = [
  ['clients', 'details', (cell) => String(cell).replace('redirectUris', 'redirects')],
  ['clients', 'details', () => '{'],
  ['owners', 'claims', () => 'none'],
  ['owners', 'created_at', String],
  ['authorizations', 'permissions', () => null],
  ['passkeys', 'name', () => 7],
  ['resources', 'details', () => ''],
  ['events', 'details', () => '{"a":'],
]

for (const [table, column, change] of unreadable) {
  test(`a row of ${table} whose ${column} cannot be read is named, and nothing is restored`, async (t) => {
    const path = newPath(t)
    const forged = `${path}.backup`
    const at = lines.findIndex((line) => line.startsWith(`{"table":"${table}"`))
    const columns: readonly string[] = JSON.parse(lines[at] ?? '').columns
    const row: unknown[] = JSON.parse(lines[at + 1] ?? '')
    const cell = columns.indexOf(column)
    const other = row.map((value, i) => (i === cell ? change(value) : value))
    writeFileSync(
      forged,
      forge((all) => all.splice(at + 1, 1, JSON.stringify(other))),
    )
    await assert.rejects(restoreTo(path, forged), {
      name: 'StoreRefusal',
      message: `the backup ${forged} has a row of ${table} that cannot be read: ${row[0]}`,
    })
    assert.deepEqual(readdirSync(dirname(path)), [basename(forged)])
  })
}

test('a backup that is not there, or no text, is refused', async (t) => {
  const path = newPath(t)
  await assert.rejects(restoreTo(path, `${path}.backup`), {
    message: `the backup ${path}.backup is not there`,
  })
  writeFileSync(`${path}.backup`, Buffer.concat([Buffer.from(`${lines[0]}\n`), Buffer.from([255])]))
  await assert.rejects(restoreTo(path, `${path}.backup`), {
    message: `the backup ${path}.backup is not text`,
  })
})
