/** Commands on a live service, as an operator types them: beside it, and from another machine. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { listen, type Respond } from '../../src/http/listen.ts'
import { Browser } from '../support/browser.ts'
import { memoryOr } from '../support/memory.ts'
import { reach } from '../support/reach.ts'
import { runCommand } from './hosted.ts'
import { program } from './made-program.ts'
import { type Running, shellEnvironment, startProgram } from './process.ts'
import type { Outcome } from './tool.ts'

const place = mkdtempSync(join(memoryOr(), 'latchkey-live-'))
const here = shellEnvironment(place, {
  PORT: '0',
  LATCHKEY_STORE: `sqlite:${join(place, 'latchkey.db')}`,
})
/** Another machine has no store. */
const elsewhere = shellEnvironment(place, { LATCHKEY_STORE: `sqlite:${join(place, 'none.db')}` })

let service: Running
let issuer: string
let token: string

const latchkey = (args: string, env: NodeJS.ProcessEnv = here, input = ''): Promise<Outcome> =>
  runCommand(args.split(' '), { cwd: place, env, input })

const json = async (args: string, env?: NodeJS.ProcessEnv, input?: string) => {
  const { code, output } = await latchkey(`${args} --json`, env, input)
  assert.equal(code, 0, output)
  return JSON.parse(output)
}

const remote = (): NodeJS.ProcessEnv => ({
  ...elsewhere,
  LATCHKEY_SERVER: issuer,
  LATCHKEY_TOKEN: token,
})

/** Fails with what a program complains of, if the program ends before it has written so many lines. */
const awaitLines = async (
  { child, said, ended, complained }: Running,
  count: number,
): Promise<readonly string[]> => {
  let isOver = false
  void ended.then(() => {
    isOver = true
    child.stdout?.emit('data', '')
  })
  while (said().split('\n').length <= count) {
    assert.equal(isOver, false, complained())
    await new Promise((resolve) => child.stdout?.once('data', resolve))
  }
  return said().trim().split('\n')
}

before(async () => {
  service = startProgram(process.execPath, [program], { cwd: place, env: here })
  issuer = await service.ready
  const performed = await json(
    `perform client-credentials --client latchkey-admin --issuer ${issuer} --resource ${issuer}/admin/api`,
    { ...elsewhere, LATCHKEY_CLIENT_SECRET: 'latchkey-admin-secret' },
  )
  assert.equal(performed.grant_type, 'client_credentials')
  token = performed.response.access_token
})
after(async () => {
  process.kill(service.pid, 'SIGTERM')
  await service.ended
  rmSync(place, { recursive: true })
})

describe('commands on a live service', () => {
  it('answer the same over the socket and with --server', async () => {
    for (const command of ['client list', 'owner show alice', 'resource list']) {
      const [beside, from] = await Promise.all([json(command), json(command, remote())])
      assert.deepEqual(beside, from, command)
    }
  })

  it('lift the clients that an issuer is limited to', async () => {
    const limited = `--jwks-uri https://acme.example/keys --owner sub --grant id-jag --client gallery`
    const said = `--iss https://acme.example --title Acme --scope photos ${limited}`
    assert.deepEqual((await json(`issuer add acme ${said}`)).clients, ['gallery'])
    const { clients, title } = await json('issuer change acme --title Other --client ')
    assert.deepEqual([clients, title], [undefined, 'Other'])
  })

  it('tell times to people, and unix seconds to programs', async () => {
    const { created_at: at } = await json('owner show alice')
    const { output } = await latchkey('owner show alice')
    const told = new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ')
    assert.match(output, new RegExp(`^created_at +${told} UTC$`, 'm'))
    const client = await latchkey('client show gallery')
    assert.match(client.output, /^client_id_issued_at +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/m)
  })

  it('change nothing where a number is mistyped: it would stand for no limit', async () => {
    const before = await json('client show gallery')
    const change = 'client change gallery --access-token-seconds'
    const rotate = 'client rotate-secret nightly-report --keep-old-seconds'
    const unlimited = 'access_token_seconds has to be a whole number from 1 to 315360000, or null'
    for (const [typed, said] of [
      [`${change} 1o`, unlimited],
      [`${change} Infinity`, unlimited],
      [`${change} 1e3`, unlimited],
      [`${rotate} 1o`, 'keep_old_seconds has to be a whole number from 0 to 2592000'],
    ] as const) {
      const { code, output } = await latchkey(typed, remote())
      assert.equal(code, 2, typed)
      assert.ok(output.startsWith(`latchkey: ${said}`), output)
    }
    assert.deepEqual(await json('client show gallery'), before)
  })

  it('say what was mistyped', async () => {
    const outcomes = [
      await latchkey('owner list --state disabeld'),
      await latchkey('owner set-attributes bob [1]'),
      await latchkey('owner set-roles bob --role oprator'),
      await latchkey('owner set-roles bob --role auditor'),
      await latchkey('owner set-roles bob'),
    ]
    assert.deepEqual(outcomes, [
      {
        code: 2,
        output: 'latchkey: state has to be enabled, disabled or leaving\n',
      },
      {
        code: 2,
        output: 'latchkey: what stands behind the username has to be a JSON object\n',
      },
      {
        code: 0,
        output: 'bob has the role oprator. The console opens for operator and auditor only.\n',
      },
      { code: 0, output: 'bob has the role auditor.\n' },
      { code: 0, output: 'bob has no role.\n' },
    ])
  })

  it('list, rotate and withdraw keys from another machine', async () => {
    const [beside, from] = [await json('key list'), await json('key list', remote())]
    const names = ({ wrapped_under: _, ...key }: { wrapped_under?: string }) => key
    assert.deepEqual(from, beside.map(names))
    const rotated = await json('key rotate --use signing --now', remote())
    const { id } = rotated.keys[0]
    const withdrawn = await latchkey(`key withdraw ${id}`, remote())
    const again = await latchkey(`key withdraw ${id}`, remote())
    const wrong = await latchkey('key list --use all', remote())
    assert.equal(withdrawn.code, 0, withdrawn.output)
    assert.match(withdrawn.output, new RegExp(`^Key ${id} is withdrawn\\.`))
    const none = `latchkey: there is no key "${id}": latchkey key list names all of them\n`
    assert.deepEqual(again, { code: 1, output: none })
    const expected = 'latchkey: --use has to be sealing, signing or both\n'
    assert.deepEqual(wrong, { code: 2, output: expected })
  })

  it('name who acted: the user of the machine, or the client of the token', async () => {
    await Promise.all([
      latchkey('client change gallery --name Gallery+'),
      latchkey('client disable house-app', remote()),
    ])
    const events = await json('event list --type client.changed')
    const actors = events.map((event: { client_id: string; actor: { type: string } }) => [
      event.client_id,
      event.actor.type,
    ])
    assert.deepEqual(actors.toSorted(), [
      ['gallery', 'cli'],
      ['house-app', 'operator'],
    ])
  })

  it('say which of them work on their own machine only', async () => {
    const [backup, keys, wrong, none] = await Promise.all([
      latchkey(`backup file --server ${issuer}`, elsewhere),
      latchkey('key rewrap', remote()),
      latchkey('client list --server http://auth.example --token x', elsewhere),
      latchkey(`client list --server ${issuer} --json`, elsewhere),
    ])
    assert.equal(backup.code, 2)
    assert.match(backup.output, /backup works on this machine only, and --server is set: it copies/)
    assert.match(keys.output, /key rewrap works on this machine only, and LATCHKEY_SERVER is set/)
    assert.match(wrong.output, /has to be an https URL/)
    const { error } = JSON.parse(none.output)
    assert.match(error.message, /needs a login .* or an access token/)
    assert.equal(error.exit_code, 2)
  })

  it('tell what a token is, and revoke it', async () => {
    const form = { grant_type: 'client_credentials', scope: 'photos:read' }
    const headers = { authorization: `Basic ${btoa('nightly-report:nightly-report-secret')}` }
    const body = new URLSearchParams(form)
    const answer = await fetch(`${issuer}/token`, { method: 'POST', headers, body })
    const { access_token } = (await answer.json()) as { access_token: string }
    const told = await json('token inspect', here, `${access_token}\n`)
    const revoked = await json('token revoke', remote(), access_token)
    const { code, output } = await latchkey('token inspect', here, access_token)
    assert.deepEqual([told.client_id, told.active], ['nightly-report', true])
    assert.deepEqual(revoked, { revoked: 'access_token' })
    assert.equal(code, 0)
    assert.match(output, /^state +refused: revoked$/m)
    assert.ok(!service.complained().includes(access_token))
  })

  it('perform a grant, say what the token is, and explain a refusal', async () => {
    const secret = { ...elsewhere, LATCHKEY_CLIENT_SECRET: 'nightly-report-secret' }
    const grant = `perform client-credentials --client nightly-report --issuer ${issuer}`
    const { response, introspection } = await json(`${grant} --scope photos:read`, secret)
    const { active, client_id, scope } = introspection
    const expected = [true, 'nightly-report', response.scope]
    assert.deepEqual([active, client_id, scope], expected)
    const wrong = { ...elsewhere, LATCHKEY_CLIENT_SECRET: 'another' }
    const refused = await latchkey(grant, wrong)
    assert.equal(refused.code, 1)
    assert.match(
      refused.output,
      /^latchkey: invalid_client: .* \(latchkey explain \S{26} tells more\)\n$/,
    )
    const [, reference = ''] = /explain (\S{26})/.exec(refused.output) ?? []
    const explained = await json(`explain ${reference}`)
    assert.equal(explained.reason, 'wrong_secret')
    assert.deepEqual(await json(`explain ${reference.toUpperCase()}`), explained)
    const filters = 'refusal list --error invalid_client --status 401 --since 1h'
    const [listed] = await json(`${filters} --client nightly-report --limit 1`, remote())
    assert.deepEqual(listed, explained)
    const { output } = await latchkey(filters)
    assert.match(output, new RegExp(`401 .* wrong_secret .* ${reference}$`, 'm'))
    const nothing = await latchkey('refusal list --reason used_code')
    assert.deepEqual(nothing, { code: 0, output: 'No such refusal is kept.\n' })
    const lost = `client list --server ${issuer}/admin --token x`
    const [noApi, noIssuer, noToken] = [
      await latchkey(lost, elsewhere),
      await latchkey(`${grant}/admin`, secret),
      await latchkey('token inspect'),
    ]
    const place = `has no admin API: --server has to be the issuer of a service`
    assert.deepEqual(noApi, { code: 1, output: `latchkey: ${issuer}/admin ${place}\n` })
    const other = `is the issuer of no service: its metadata name none`
    assert.deepEqual(noIssuer, { code: 1, output: `latchkey: ${issuer}/admin ${other}\n` })
    const noFile = await latchkey('owner import missing.ndjson')
    const absent = 'latchkey: there is no file missing.ndjson, or its folder is not there\n'
    assert.deepEqual(noFile, { code: 1, output: absent })
    const none = 'latchkey: there is no token on standard input\n'
    assert.deepEqual(noToken, { code: 2, output: none })
  })

  it('print the tokens of a grant where the introspection fails', async () => {
    const listener = await listen({ port: 0, host: '127.0.0.1' })
    const other = `http://127.0.0.1:${listener.port}`
    const response = { access_token: 'new-access', refresh_token: 'new-refresh' }
    const answers: Readonly<Record<string, object>> = {
      '/.well-known/oauth-authorization-server': {
        issuer: other,
        token_endpoint: `${other}/token`,
        introspection_endpoint: `${other}/introspect`,
      },
      '/token': response,
    }
    const respond: Respond = async ({ url }) => {
      const found = answers[new URL(url).pathname]
      return { status: 200, headers: {}, body: found ? JSON.stringify(found) : 'no JSON' }
    }
    listener.serve(respond, () => {})
    const secret = { ...elsewhere, LATCHKEY_CLIENT_SECRET: 'a-secret' }
    const grant = `perform refresh-token --client gallery --issuer ${other}`
    const [performed, told] = await Promise.all([
      json(grant, secret, 'old-refresh'),
      latchkey(grant, secret, 'old-refresh'),
    ])
    await listener.close()
    const fault = `${other}/introspect answered no JSON object`
    assert.deepEqual(performed, {
      grant_type: 'refresh_token',
      response,
      claims: {},
      introspection: null,
      introspection_fault: fault,
    })
    assert.deepEqual(told, {
      code: 0,
      output: `access_token   new-access\nrefresh_token  new-refresh\n\nThe introspection of the access_token failed: ${fault}\n`,
    })
  })

  it('perform a grant through the browser', async () => {
    const env = { ...elsewhere, LATCHKEY_CLIENT_SECRET: 'photo-printer-secret' }
    const args = `perform authorization-code --client photo-printer --issuer ${issuer} --scope openid photos:read --no-browser --json`
    const child = spawn(process.execPath, [program, ...args.split(' ')], { cwd: place, env })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    const url = await new Promise<string>((resolve) => {
      let complained = ''
      child.stderr.setEncoding('utf8').on('data', (text) => {
        complained += text
        const shown = /(http\S+)\n/.exec(complained)?.[1]
        if (shown !== undefined) resolve(shown)
      })
    })
    const browser = new Browser(reach(issuer))
    const login = await browser.go(url.slice(issuer.length))
    const consent = await browser.submit(login, { username: 'alice', password: 'wonderland' })
    const back = await browser.submit(consent, { decision: 'allow' })
    const location = back.headers.get('location') ?? ''
    assert.match(location, /^http:\/\/127\.0\.0\.1:\d+\/callback\?/)
    await (await fetch(location)).text()
    assert.equal(await ended, 0)
    const { response, claims } = JSON.parse(said)
    assert.equal(response.scope, 'openid photos:read')
    assert.deepEqual([claims.id_token.aud, claims.id_token.iss], ['photo-printer', issuer])
  })

  it('follow events, also across a restart of the service', async () => {
    const child = startProgram(
      process.execPath,
      [program, 'event', 'follow', '--since', '1h', '--type', 'owner.created', '--json'],
      { cwd: place, env: here },
    )
    const seen = (count: number) => awaitLines(child, count)
    await seen(2)
    process.kill(service.pid, 'SIGTERM')
    await service.ended
    service = startProgram(process.execPath, [program], { cwd: place, env: here })
    await service.ready
    await latchkey('owner add carol')
    const lines = await seen(3)
    process.kill(child.pid, 'SIGTERM')
    await child.ended
    const names = lines.map((line) => JSON.parse(line).details.username)
    assert.deepEqual(names.toSorted(), ['alice', 'bob', 'carol'])
  })

  it('follow events from where the last run stopped', async () => {
    const command = [program, 'event', 'follow', '--json', '--type', 'owner.created']
    const path = join(place, 'audit.position')
    const follow = (...more: readonly string[]) =>
      startProgram(process.execPath, [...command, '--position', path, ...more], {
        cwd: place,
        env: here,
      })
    const first = follow('--since', '1h')
    const before = await awaitLines(first, 1)
    while (!existsSync(path)) await new Promise((resolve) => setImmediate(resolve))
    process.kill(first.pid, 'SIGTERM')
    await first.ended
    await latchkey('owner add dora')
    const second = follow()
    const lines = await awaitLines(second, 1)
    process.kill(second.pid, 'SIGTERM')
    await second.ended
    const names = lines.map((line) => JSON.parse(line).details.username)
    assert.deepEqual(names, ['dora'])
    assert.ok(before.every((line) => JSON.parse(line).details.username !== 'dora'))
  })

  it('follow events from no file that holds no position', async () => {
    const path = join(place, 'damaged.position')
    for (const content of ['', '\n', '12x\n', '1..2']) {
      writeFileSync(path, content)
      assert.deepEqual(await latchkey(`event follow --position ${path}`), {
        code: 2,
        output: `latchkey: the file ${path} holds no position: remove it, and say with --since how far back to begin\n`,
      })
      assert.equal(readFileSync(path, 'utf8'), content)
    }
  })

  it('find what is weak, and say how to mend it', async () => {
    const { code, output } = await latchkey('doctor --json')
    const { findings } = JSON.parse(output)
    assert.equal(code, 1)
    const demo = findings.find(({ id }: { id: string }) => id === 'demo.on')
    assert.deepEqual(Object.keys(demo), ['id', 'level', 'finding', 'fix'])
    const wrong = await latchkey('doctor', { ...here, LATCHKEY_SIGN_UP: 'perhaps' })
    assert.equal(wrong.code, 1)
    assert.match(wrong.output, /^ERROR {2}LATCHKEY_SIGN_UP must be .*\n.*\[settings\.wrong\]$/m)
  })
})
