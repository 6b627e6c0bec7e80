/**
 * ST-01, ST-06, RS-09, H-10: after every flow, no issued or typed secret is in the database, its
 * journal or the log. The log is well-formed, whatever was sent.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { program } from '../shape/made-program.ts'
import { memoryOr } from '../support/memory.ts'
import { reach } from '../support/reach.ts'
import { startBefore } from '../support/start.ts'
import { recording, runEveryFlow } from './every-flow.ts'

/** Every file of a folder but the one that holds the root secret, byte for byte. */
const filesOf = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const entries = await readdir(folder, { withFileTypes: true })
  // The control socket is no file to read.
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.key'))
    .map(({ name }) => name)
  const read = async (name: string) => [name, await readFile(join(folder, name), 'latin1')] as const
  return new Map(await Promise.all(names.map(read)))
}

const assertNowhere = (
  secrets: Iterable<string>,
  places: Iterable<readonly [string, string]>,
): void => {
  for (const [place, text] of places) {
    const found = [...secrets].filter((secret) => text.includes(secret))
    assert.deepEqual(found, [], `found in ${place}`)
  }
}

/** The search itself works: what is meant to be stored is found. */
const assertFindsWhatIsThere = (files: ReadonlyMap<string, string>): void => {
  const everything = [...files.values()].join('\n')
  for (const there of [
    'alice@example.com',
    'Photo Printer',
    'A tea party',
    'carol',
    '$argon2id$',
  ]) {
    assert.ok(everything.includes(there), there)
  }
}

describe('in this process', () => {
  const started = startBefore()
  const run = { secrets: new Set<string>() }

  before(async () => {
    const recorded = recording(started)
    run.secrets = recorded.secrets
    await runEveryFlow(recorded)
  })

  test('the flows handed out and typed secrets of every kind', () => {
    const kinds = [...run.secrets].map((secret) => /^lk_[a-z]+_/.exec(secret)?.[0] ?? 'other')
    assert.deepEqual(
      new Set(kinds),
      new Set(['lk_at_', 'lk_rt_', 'lk_ac_', 'lk_cs_', 'lk_reg_', 'other']),
    )
    assert.ok(run.secrets.size > 100, String(run.secrets.size))
  })

  test('ST-01: none of them is in the database or its journal', async () => {
    const files = await filesOf(started.folder)
    assert.ok(files.has('latchkey.db') && files.has('latchkey.db-wal'), [...files.keys()].join())
    assertFindsWhatIsThere(files)
    assertNowhere(run.secrets, files)
  })

  test('ST-06: nor in anything that the log was told', () => {
    const told = JSON.stringify(started.notices)
    assert.match(told, /"route":"\/token"/)
    assertNowhere(run.secrets, [['notices', told]])
  })

  test('ST-06: the log is told routes and reasons, nothing that was sent', () => {
    const known = ['level', 'message', 'requestId', 'method', 'route', 'status', 'reason']
    const who = ['clientId', 'network', 'milliseconds']
    for (const notice of started.notices) {
      const unknown = Object.keys(notice).filter((name) => ![...known, ...who].includes(name))
      assert.deepEqual(unknown, [])
      assert.equal(notice.level, notice.status === 429 ? 'debug' : 'info')
      assert.match(String(notice.route ?? '/'), /^(\/[a-z:_.-]*)+$|^\(unknown\)$/)
      assert.match(notice.message, /^(request|authorization refused)$/)
      assert.match(String(notice.reason ?? 'none'), /^[a-z0-9_]+$/)
    }
  })

  test('ST-06: nor in the counters', async () => {
    const { text } = await started.ask('/metrics')
    assert.match(text, /latchkey_requests_total\{route="\/token"/)
    assertNowhere(run.secrets, [['metrics', text]])
  })

  test('ST-01: a copy of the database is of no use without the root secret', async () => {
    const secret = (await readFile(join(started.folder, 'latchkey.db.key'), 'utf8')).trim()
    assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
    assertNowhere([secret], await filesOf(started.folder))
    assertNowhere([secret], [['notices', JSON.stringify(started.notices)]])
  })
})

describe('as a process of its own, logging all it can', () => {
  const rootSecret = 'the-root-secret-of-this-very-test-0123456789'
  const registrationToken = 'the-initial-access-token'
  const secrets = new Set<string>()
  let folder: string
  let child: ChildProcess
  let printed = ''
  let logged = ''
  let whileRunning: ReadonlyMap<string, string>

  /** The issuer, once it listens. */
  const ready = async (): Promise<string> => {
    const { stdout } = child
    if (stdout === null) throw new Error('there is no standard output')
    for (;;) {
      const [piece] = await Promise.race([once(stdout, 'data'), once(child, 'exit')])
      if (typeof piece === 'number') throw new Error(`did not start: ${printed}${logged}`)
      const [, issuer] = /listening on (\S+)/.exec(printed) ?? []
      if (issuer !== undefined) return issuer
    }
  }

  before(async () => {
    folder = await mkdtemp(join(memoryOr(), 'latchkey-'))
    child = spawn(process.execPath, [program, 'start'], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        LATCHKEY_STORE: `sqlite:${join(folder, 'latchkey.db')}`,
        LATCHKEY_LOG_LEVEL: 'debug',
        LATCHKEY_SECRET: rootSecret,
        LATCHKEY_REGISTRATION_TOKEN: registrationToken,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout?.on('data', (piece) => {
      printed += String(piece)
    })
    child.stderr?.on('data', (piece) => {
      logged += String(piece)
    })
    const recorded = recording(reach(await ready()))
    await runEveryFlow(recorded)
    for (const secret of [...recorded.secrets, rootSecret, registrationToken]) secrets.add(secret)
    whileRunning = await filesOf(folder)
    child.kill('SIGTERM')
    await once(child, 'close')
  })
  after(async () => {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  test('ST-01: no secret is in the files, neither while it runs nor after', async () => {
    assertFindsWhatIsThere(whileRunning)
    assertNowhere(secrets, whileRunning)
    const left = await filesOf(folder)
    assertFindsWhatIsThere(left)
    assertNowhere(secrets, left)
  })

  test('ST-06, RS-09: no secret is in the log', () => {
    assert.match(logged, /"route":"\/api\/:resource"/)
    assertNowhere(secrets, [['the log', logged]])
  })

  test('H-10: each line of the log is one JSON object of ours', () => {
    const lines = logged.trimEnd().split('\n')
    assert.ok(lines.length > 100)
    for (const line of lines) {
      assert.match(line, /^[\x20-\x7e]+$/)
      const { level, time, message, ...rest } = JSON.parse(line)
      if (['requests answered 429', 'events sealed'].includes(message)) continue
      assert.deepEqual([level, typeof time], [rest.status === 429 ? 20 : 30, 'number'], line)
      assert.ok(['request', 'authorization refused'].includes(message), line)
      assert.match(rest.requestId, /^[0-9a-z]{26}$/)
    }
  })

  test('standard output says where it listens, and what the demo says of itself', () => {
    const demo = [
      'nightly-report-secret',
      'wonderland',
      'builder',
      'photo-printer-secret',
      'house-app-secret',
    ]
    assertNowhere(
      [...secrets].filter((secret) => !demo.includes(secret)),
      [['standard output', printed]],
    )
  })
})
