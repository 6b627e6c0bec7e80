/** Rotating keys and changing the root secret, typed as docs/keys.md says, beside running services. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { takePostgres } from '../store/one-postgres.ts'
import type { Postgres } from '../store/postgres.ts'
import { freePort } from '../support/port.ts'
import { runCommand } from './hosted.ts'
import { program } from './made-program.ts'
import { type Running, shellEnvironment, startProgram } from './process.ts'
import { root } from './source.ts'
import { type Outcome, run } from './tool.ts'

const place = mkdtempSync(join(tmpdir(), 'latchkey-keys-'))
after(() => rmSync(place, { recursive: true }))

const page = readFileSync(join(root, 'docs/keys.md'), 'utf8')
/** What the page has its reader type. */
const typed = [...page.matchAll(/^ *```sh\n([\s\S]*?)```/gm)].map(([, text = '']) =>
  text.replace(/^ {3}/gm, '').trim(),
)

type Env = Readonly<Record<string, string>>

interface Node {
  readonly service: Running
  /** Where it listens. */
  readonly at: string
}

/** Several nodes have one issuer, and ports of their own. */
const startNode = async (cwd: string, more: Env): Promise<Node> => {
  const port = await freePort()
  const env = shellEnvironment(cwd, { PORT: String(port), ...more })
  const service = startProgram(process.execPath, [program], { cwd, env })
  await service.ready
  return { service, at: `http://127.0.0.1:${port}` }
}

const end = async ({ pid, ended }: Running): Promise<void> => {
  process.kill(pid, 'SIGTERM')
  assert.equal(await ended, 0)
}

const latchkey = (args: string, cwd: string, env: Env): Promise<Outcome> =>
  runCommand(args.split(' '), { cwd, env: shellEnvironment(cwd, env) })

const obtain = async (at: string): Promise<string> => {
  const answer = await fetch(`${at}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('nightly-report:nightly-report-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

const use = async (at: string, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(`${at}/api/photos`, { headers })).status
}

const fixed = 'http://127.0.0.1:6749'
const moved = /^Wrapped anew under the root secret: 1 key, /
const done =
  'Everything is wrapped under the root secret. LATCHKEY_PREVIOUS_SECRET is not needed any more.\n'

describe('on SQLite', () => {
  it('the key file beside the database changes as the page says', async () => {
    const cwd = join(place, 'file')
    mkdirSync(cwd)
    const env: Env = { LATCHKEY_STORE: `sqlite:${cwd}/latchkey.db`, LATCHKEY_ISSUER: fixed }
    const first = await startNode(cwd, env)
    const token = await obtain(first.at)
    await end(first.service)

    const [rewrap = '', changeFile = ''] = typed
    assert.equal(rewrap, 'latchkey key rewrap')
    const shell = await run(
      '/bin/sh',
      ['-ec', `${changeFile}\necho $LATCHKEY_PREVIOUS_SECRET_FILE`],
      {
        cwd,
        env: shellEnvironment(cwd),
      },
    )
    assert.equal(shell.code, 0, shell.output)
    const both = { ...env, LATCHKEY_PREVIOUS_SECRET_FILE: shell.output.trim() }
    const second = await startNode(cwd, both)
    // The service has its own settings: this process needs to know the store alone.
    const alone = { LATCHKEY_STORE: env.LATCHKEY_STORE ?? '' }
    const outcomes = [
      await latchkey('key rewrap', cwd, alone),
      await latchkey('key rewrap', cwd, alone),
    ]
    const list = await latchkey('key list', cwd, alone)
    const rotated = await latchkey('key rotate --now --json', cwd, alone)
    const keys = JSON.parse((await latchkey('key list --json', cwd, alone)).output)
    await end(second.service)
    // Only then has all arrived that it said on either of its two channels.
    assert.match(second.service.complained(), /still wrapped under LATCHKEY_PREVIOUS_SECRET/)
    assert.match(outcomes[0]?.output ?? '', moved)
    assert.deepEqual(outcomes[1], { code: 0, output: done })
    assert.match(
      list.output,
      /^key +use +algorithm +created +usable from +state +wrapped under\n\S+ .* sealing +root secret\n$/,
    )
    assert.deepEqual(keys.at(-1).id, JSON.parse(rotated.output).keys[0].id)

    rmSync(`${cwd}/latchkey.db.key.old`)
    const third = await startNode(cwd, env)
    const status = await use(third.at, token)
    const ended = await latchkey('key rotate --end-tokens', cwd, alone)
    await end(third.service)
    const last = await startNode(cwd, env)
    const afterwards = await use(last.at, token)
    await end(last.service)
    assert.equal(status, 200)
    assert.match(ended.output, /has taken the place of all other sealing keys/)
    assert.equal(afterwards, 401)
  })
})

const suite = (postgres: Postgres): void => {
  describe('on PostgreSQL', () => {
    it('the secret changes as the page says, with two nodes beside each other', async () => {
      const [old = '', next = ''] = ['old', 'new'].map(
        (name) => `the ${name} root secret of all nodes`,
      )
      const store = { LATCHKEY_STORE: await postgres.newDatabase(), LATCHKEY_ISSUER: fixed }
      const before = { ...store, LATCHKEY_SECRET: old }
      const both = { ...store, LATCHKEY_SECRET: next, LATCHKEY_PREVIOUS_SECRET: old }
      const after = { ...store, LATCHKEY_SECRET: next }
      const open = (env: Env) => startNode(place, env)
      const one = await open(before)
      const other = await open(before)
      const token = await obtain(one.at)

      await end(one.service)
      const oneAgain = await open(both)
      const whileOld = await use(other.at, token)
      await end(other.service)
      const otherAgain = await open(both)
      const outcomes = [
        await latchkey('key rewrap', place, both),
        await latchkey('key rewrap', place, both),
      ]
      const wrong = await latchkey('key list', place, before)
      await end(oneAgain.service)
      await end(otherAgain.service)
      const last = await open(after)
      const status = await use(last.at, token)
      const list = await latchkey('key list --json', place, after)
      await end(last.service)

      assert.equal(whileOld, 200)
      assert.match(outcomes[0]?.output ?? '', moved)
      assert.deepEqual(outcomes[1], { code: 0, output: done })
      assert.equal(wrong.code, 1)
      assert.match(wrong.output, /^latchkey: the root secret does not open the sealing keys/)
      assert.equal(status, 200)
      assert.deepEqual(
        JSON.parse(list.output).map((key: { wrapped_under: string }) => key.wrapped_under),
        ['root secret'],
      )
    })

    it('a node for others does not start without one', async () => {
      const env = {
        LATCHKEY_STORE: await postgres.newDatabase(),
        LATCHKEY_ISSUER: 'https://auth.example',
        LATCHKEY_DEMO: '0',
        PORT: '0',
      }
      const { code, output } = await run(process.execPath, [program], {
        cwd: place,
        env: shellEnvironment(place, env),
      })
      assert.equal(code, 2)
      assert.match(output, /^latchkey: the settings are wrong\n {2}- LATCHKEY_SECRET must be set/)
    })
  })
}

const postgres = await takePostgres()
if (postgres === null) {
  it('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): its suite is left out')
} else {
  after(() => postgres.stop())
  suite(postgres)
}
