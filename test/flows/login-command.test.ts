/** `latchkey login`: a person at the command line of another machine, by the role that the person has. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type AdminApi, makeAdminApi } from '../../src/cli/api.ts'
import { logIn, logOut } from '../../src/cli/login/commands.ts'
import { openLogin } from '../../src/cli/login/kept.ts'
import { askRemote } from '../../src/cli/open-api.ts'
import { formatEventCells } from '../../src/operations/events.ts'
import { program } from '../shape/made-program.ts'
import { answerOf, type Page } from '../support/browser.ts'
import { answerPage, type Commander, commandLine, makeRequest } from '../support/command-line.ts'
import { giveRoles, newConsoleVisitor } from '../support/console.ts'
import { type Started, start } from '../support/start.ts'
import { bearer } from './operator.ts'

let service: Started
let front: Server
let folder: string
/** Paths of the requests of commands. */
let asked: string[] = []
/** What somebody between makes of the answers. */
let meddle: (text: string) => string = (text) => text

/** The service behind a port, with a clock that moves on command. */
before(async () => {
  front = createServer(async (incoming, answer) => {
    const { method = 'GET', url = '', headers } = incoming
    asked.push(url)
    const body = await text(incoming)
    const names = ['authorization', 'content-type'] as const
    const sent = names.flatMap((name) =>
      headers[name] === undefined ? [] : [[name, headers[name]]],
    )
    const said = await service.ask(url, {
      method,
      headers: Object.fromEntries(sent),
      ...(body === '' ? {} : { body }),
    })
    answer.writeHead(said.status, Object.fromEntries(said.headers)).end(meddle(said.text))
  })
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done))
  const { port } = front.address() as AddressInfo
  service = await start({ issuer: `http://127.0.0.1:${port}`, demo: true })
  folder = mkdtempSync(join(tmpdir(), 'latchkey-login-'))
  process.env.XDG_CONFIG_HOME = folder
})

beforeEach(() => {
  rmSync(join(folder, 'latchkey'), { recursive: true, force: true })
  asked = []
  meddle = (text) => text
})

after(async () => {
  delete process.env.XDG_CONFIG_HOME
  front.closeAllConnections()
  front.close()
  await service.close()
  rmSync(folder, { recursive: true })
})

const getLocation = ({ headers, text: said }: Page): string =>
  headers.get('location') ?? assert.fail(said)

/** The real command. @returns all that it printed, and its exit code */
const runCommand = async (
  args: string,
  heard: (complained: string) => void = () => {},
): Promise<{ code: number | null; output: string; errors: string }> => {
  const env = { ...process.env, LATCHKEY_SERVER: service.issuer }
  const child = spawn(process.execPath, [program, ...args.split(' ')], { cwd: folder, env })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (said) => {
    errors += said
    heard(errors)
  })
  const output = text(child.stdout)
  const [code] = await once(child, 'close')
  return { code, output: await output, errors }
}

/** `latchkey login` with this person at the browser. */
const logInAs = async (person: Commander, first?: (redirect: URL) => Promise<void>) => {
  let answered: Promise<unknown> = Promise.resolve()
  const done = logIn(service.issuer, (url) => {
    answered = (async () => {
      await first?.(new URL(new URL(url).searchParams.get('redirect_uri') ?? ''))
      await fetch(getLocation(await answerPage(person, url)))
    })()
  })
  return Promise.race([done, answered.then(() => done)])
}

const remote = (): AdminApi =>
  makeAdminApi(askRemote({ server: service.issuer, called: '--server', token: null }))

const fileOf = (): string => {
  const [name = '', ...others] = readdirSync(join(folder, 'latchkey'))
  assert.deepEqual(others, [])
  return join(folder, 'latchkey', name)
}

const token = (): string => JSON.parse(readFileSync(fileOf(), 'utf8')).accessToken

const expire = (): void => {
  const file = fileOf()
  const kept = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...kept, expiresAt: 0 }))
}

describe('a person at the command line', () => {
  test('logs in, acts under their own name, renews once, and logs out', async () => {
    const person = await newConsoleVisitor(service)
    assert.equal(openLogin(service.issuer), null)
    // Whoever only reads makes no folder.
    assert.equal(existsSync(join(folder, 'latchkey')), false)
    const told = await logInAs(person)
    assert.match(told.text, new RegExp(`as ${person.username}, with the role operator, until 20`))
    assert.equal(statSync(fileOf()).mode & 0o777, 0o600)
    assert.equal(statSync(join(folder, 'latchkey')).mode & 0o777, 0o700)
    const made = await remote().ask('POST', 'owners', {
      username: `by-${person.username}`,
      password: null,
    })
    const { rows } = await remote().page('events', { owner: String(made.id) })
    const [event] = rows as readonly { actor: Record<string, unknown> }[]
    assert.equal(formatEventCells({ ...event })[2], `operator ${person.id} (command_line)`)
    const { token_id: tokenId, ...actor } = event?.actor ?? {}
    assert.equal(typeof tokenId, 'string')
    assert.deepEqual(actor, {
      type: 'operator',
      door: 'command_line',
      owner_id: person.id,
      client_id: commandLine,
      network: '127.0.0.*',
    })

    const old = token()
    expire()
    asked = []
    await Promise.all([remote().ask('GET', 'clients'), remote().ask('GET', 'clients')])
    assert.equal(asked.filter((path) => path === '/token').length, 1)
    assert.notEqual(token(), old)

    const last = token()
    await logOut(service.issuer)
    assert.deepEqual(readdirSync(join(folder, 'latchkey')), [])
    assert.equal((await service.ask('/admin/api/clients', bearer(last))).status, 401)
    await assert.rejects(logOut(service.issuer), /nobody is logged in/)
    await logInAs(person)
    meddle = () => ''
    const { json, text: said, exitCode } = await logOut(service.issuer)
    assert.deepEqual(json, { server: service.issuer, logged_in: false, revoked: false })
    assert.match(said, /are deleted here, but may work/)
    assert.deepEqual([exitCode, readdirSync(join(folder, 'latchkey'))], [1, []])
    assert.throws(remote, /--server needs a login \(latchkey login\)/)
  })

  test('logs in, lists and logs out by the real command, which prints no token', async () => {
    const person = await newConsoleVisitor(service, ['auditor'])
    let opened: string | undefined
    let answered: Promise<unknown> = Promise.resolve()
    const login = await runCommand('login --no-browser --json', (complained) => {
      const url = /(http\S+)\n/.exec(complained)?.[1]
      if (url === undefined || opened !== undefined) return
      opened = url
      answered = answerPage(person, url).then((page) => fetch(getLocation(page)))
    })
    await answered
    const { ends_at: endsAt, ...said } = JSON.parse(login.output)
    assert.equal(typeof endsAt, 'number')
    const server = service.issuer
    const who = { username: person.username, role: 'auditor' }
    assert.deepEqual(said, { server, logged_in: true, ...who })
    const kept = JSON.parse(readFileSync(fileOf(), 'utf8'))
    const list = await runCommand(`owner show ${person.username} --json`)
    assert.equal(JSON.parse(list.output).id, person.id)
    const logout = await runCommand('logout --json')
    assert.deepEqual(JSON.parse(logout.output), { server, logged_in: false, revoked: true })
    const printed = JSON.stringify([login, list, logout])
    for (const secret of [kept.accessToken, kept.refreshToken]) {
      assert.equal(printed.includes(secret), false)
    }
  })

  test('needs a role, which is read with each request', async () => {
    const person = await newConsoleVisitor(service, [])
    await assert.rejects(logInAs(person), /access_denied: the command line is for owners/)
    await giveRoles(person, ['auditor'])
    await logInAs(person)
    await remote().ask('GET', 'owners')
    const change = () => remote().ask('POST', 'owners', { username: 'by-auditor', password: null })
    await assert.rejects(change, { status: 403, title: 'insufficient_scope' })
    await giveRoles(person, [])
    await assert.rejects(remote().ask('GET', 'owners'), /has ended: latchkey login/)
  })

  test('changes by a proof of the last quarter of an hour, and reads for twelve hours', async () => {
    const person = await newConsoleVisitor(service)
    await logInAs(person)
    await service.advance(15 * 60)
    expire()
    await remote().ask('GET', 'owners')
    const change = () => remote().ask('POST', 'owners', { username: 'too-late', password: null })
    await assert.rejects(change, { status: 401, title: 'insufficient_user_authentication' })
    await service.advance(12 * 3600 - 15 * 60)
    await assert.rejects(remote().ask('GET', 'owners'), /has ended: latchkey login/)
  })

  test('renews a token that the service does not take, once', async () => {
    await logInAs(await newConsoleVisitor(service))
    writeFileSync(fileOf(), readFileSync(fileOf(), 'utf8').replace(token(), 'forgotten'))
    asked = []
    await Promise.all([remote().ask('GET', 'clients'), remote().ask('GET', 'clients')])
    assert.equal(asked.filter((path) => path === '/token').length, 1)
  })

  test('keeps no login of somebody else, and leaves no token alive', async () => {
    const stranger = await newConsoleVisitor(service, ['auditor'])
    let taken = ''
    meddle = (said) => {
      taken = /"access_token":"([^"]+)"/.exec(said)?.[1] ?? taken
      return said
    }
    const refuse = async (happens: string) => {
      assert.equal(happens, `This login is of ${stranger.username}, with the role auditor.`)
      assert.equal((await service.ask('/admin/api/clients', bearer(taken))).status, 200)
      throw new Error('not me')
    }
    const open = async (url: string) => fetch(getLocation(await answerPage(stranger, url)))
    await assert.rejects(logIn(service.issuer, open, refuse), /not me/)
    assert.equal((await service.ask('/admin/api/clients', bearer(taken))).status, 401)
    assert.deepEqual(readdirSync(join(folder, 'latchkey')), [])
    chmodSync(join(folder, 'latchkey'), 0o755)
    const fail = () => assert.fail('opened')
    await assert.rejects(logIn(service.issuer, fail), /has to be yours alone/)
  })

  test('sees on the page what is allowed, and may refuse', async () => {
    for (const [role, said] of [
      ['operator', 'all that you may do in the console'],
      ['auditor', 'and change nothing'],
    ] as const) {
      const person = await newConsoleVisitor(service, [role])
      const url = makeRequest(service)
      const page = await person.logIn(await person.browser.go(url))
      assert.match(page.text, new RegExp(said))
      assert.match(page.text, /just typed “latchkey login”/)
      const denied = await person.browser.submit(page, { decision: 'deny' })
      assert.equal(answerOf(denied).error, 'access_denied')
    }
  })
})

describe('nobody else gets the token of a command', () => {
  test('a wrong state is not heard', async () => {
    const person = await newConsoleVisitor(service)
    await logInAs(person, async (uri) => {
      uri.search = '?code=stolen&state=wrong'
      assert.equal((await fetch(uri)).status, 404)
    })
    await remote().ask('GET', 'clients')
  })
})

test('tokens are sent to no endpoint outside of the issuer, and taken of no other one', async () => {
  const fail = () => assert.fail('opened')
  const { port } = new URL(service.issuer)
  for (const elsewhere of [
    'https://evil.example',
    `http://127.0.0.1:${port}0`,
    'http://127.0.0.1',
  ]) {
    for (const name of ['authorization', 'token', 'revocation']) {
      meddle = (said) =>
        said.replace(`"${name}_endpoint":"${service.issuer}`, `"${name}_endpoint":"${elsewhere}`)
      const expected = new RegExp(`the ${name}_endpoint of .* lies outside`)
      await assert.rejects(logIn(service.issuer, fail), expected, elsewhere)
    }
  }
  meddle = (said) => said
  const person = await newConsoleVisitor(service)
  const redirected = logIn(service.issuer, async (url) => {
    const back = new URL(getLocation(await answerPage(person, url)))
    back.searchParams.set('iss', 'https://evil.example')
    await fetch(back)
  })
  await assert.rejects(redirected, /is of the issuer https:\/\/evil\.example/)
  assert.equal(asked.includes('/token'), false)
})

describe('the file of a login', () => {
  test('is refused where others may read it, or where it is a link', async () => {
    await logInAs(await newConsoleVisitor(service))
    asked = []
    const file = fileOf()
    chmodSync(file, 0o644)
    assert.throws(() => openLogin(service.issuer), /has to be yours alone.*644/)
    chmodSync(file, 0o600)
    const elsewhere = join(folder, 'elsewhere.json')
    renameSync(file, elsewhere)
    symlinkSync(elsewhere, file)
    assert.throws(() => openLogin(service.issuer), /has to be a file, and no link/)
    rmSync(file)
    renameSync(elsewhere, file)
    chmodSync(join(folder, 'latchkey'), 0o755)
    assert.throws(() => openLogin(service.issuer), /has to be yours alone.*755/)
    chmodSync(join(folder, 'latchkey'), 0o700)
    writeFileSync(file, readFileSync(file, 'utf8').replace(service.issuer, 'https://other.example'))
    assert.throws(() => openLogin(service.issuer), /is damaged/)
    assert.deepEqual(asked, [])
  })

  test('is written before a signal ends the command, and its lock goes in each case', () => {
    const [path, lock] = [join(folder, 'some'), join(folder, 'some.lock')]
    const module = new URL('../../src/cli/login/folder.ts', import.meta.url)
    const signal = "process.kill(process.pid, 'SIGTERM')"
    const never = 'await new Promise((done) => setInterval(done, 60_000))'
    for (const [work, ended] of [
      [`${signal}; await new Promise(setImmediate); writeOwnFile('${path}', '')`, 'SIGTERM'],
      [`${signal}; setImmediate(() => ${signal}); ${never}`, 'SIGTERM'],
      ['process.exit(0)', null],
    ] as const) {
      const script = `const { lockFile, writeOwnFile } = await import('${module}')
        await lockFile('${path}', async () => { ${work} })`
      const said = spawnSync(process.execPath, ['--input-type=module', '-e', script])
      assert.deepEqual([said.signal, existsSync(lock)], [ended, false], String(said.stderr))
      assert.equal(existsSync(path), true)
    }
  })

  test('is not renewed while the lock of a killed command lies there', async () => {
    await logInAs(await newConsoleVisitor(service))
    const file = fileOf()
    expire()
    // No process has the greatest number.
    writeFileSync(`${file}.lock`, '4194304', { mode: 0o600 })
    await assert.rejects(remote().ask('GET', 'clients'), /delete it if that has ended/)
    writeFileSync(`${file}.lock`, '')
    await assert.rejects(remote().ask('GET', 'clients'), /unfinished: delete it/)
  })
})
