/** Commands beside a running service on an embedded store: they go to it over the control socket. */
import assert from 'node:assert/strict'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createConnection } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, it } from 'node:test'
import { cliLimits } from '../../src/cli/limits.ts'
import { loadSettings } from '../../src/config/load.ts'
import { startService } from '../../src/embed.ts'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import { isRoot } from '../support/debian.ts'
import { memoryOr } from '../support/memory.ts'
import { runCommand } from './hosted.ts'
import { program } from './made-program.ts'
import { type Running, shellEnvironment, startProgram } from './process.ts'
import type { Outcome } from './tool.ts'

const place = mkdtempSync(join(memoryOr(), 'latchkey-beside-'))
after(() => rmSync(place, { recursive: true }))

interface House {
  readonly database: string
  /** Runs a command on the store. */
  latchkey(args: string, input?: string): Promise<Outcome>
  /** Starts the service, and answers once it is ready. */
  start(): Promise<{ readonly issuer: string; readonly service: Running }>
}

let houses = 0
const house = (database = join(place, `${houses++}`, 'latchkey.db')): House => {
  const env = shellEnvironment(place, {
    PORT: '0',
    LATCHKEY_DEMO: '0',
    LATCHKEY_STORE: `sqlite:${database}`,
  })
  return {
    database,
    latchkey: (args, input = '') => runCommand(args.split(' '), { cwd: place, env, input }),
    async start() {
      const service = startProgram(process.execPath, [program], { cwd: place, env })
      return { issuer: await service.ready, service }
    },
  }
}

const end = async ({ pid, ended }: Running): Promise<void> => {
  process.kill(pid, 'SIGTERM')
  assert.equal(await ended, 0)
}

const kill = async ({ pid, ended }: Running): Promise<void> => {
  process.kill(pid, 'SIGKILL')
  assert.equal(await ended, 'SIGKILL')
}

const field = (output: string, name: string): string =>
  new RegExp(`^${name} +(\\S+)$`, 'm').exec(output)?.[1] ?? ''

/** What the service answers to a client's own grant. */
const grantOf = async (issuer: string, id: string, secret: string): Promise<number> => {
  const answer = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  await answer.text()
  return answer.status
}

describe('commands beside a running service', () => {
  it('do there what they would do alone, at once', async () => {
    const { latchkey, start } = house()
    const { issuer, service } = await start()
    const init = await latchkey('init')
    const added = await latchkey('client add --name Night --id night --grant client_credentials')
    const status = await grantOf(issuer, 'night', field(added.output, 'client_secret'))
    const again = await latchkey('client add --name Night --id night --grant client_credentials')
    const list = await latchkey('client list --json')
    const owner = await latchkey('owner add ada --password-stdin', 'analytical engine\n')
    const short = await latchkey('owner add bob --password-stdin', 'hush\n')
    const factors = await latchkey('owner reset-factors ada')
    const eve = await latchkey('owner add eve')
    const invited = await latchkey('owner invite bob --email bob@example.com --json')
    const reset = await latchkey('owner reset ada')
    const useless = await latchkey('owner invite ada')
    const unsent = await latchkey('owner invite bob --send')
    const { link } = JSON.parse(invited.output)
    const invitation = /^console +\S+\/admin\nusername +operator\nlink +(\S+)$/m.exec(init.output)
    const opened = await fetch(link)
    const operators = await fetch(invitation?.[1] ?? '')
    const text = await operators.text()
    await end(service)

    assert.equal(init.code, 0)
    assert.equal(operators.status, 200)
    assert.match(text, /operator/)
    assert.ok(init.output.includes(`\n\nIt may use all of ${issuer}/admin/api.\n\n`), init.output)
    assert.equal(added.code, 0)
    assert.equal(status, 200)
    assert.deepEqual(again, { code: 1, output: 'latchkey: there is already a client night\n' })
    assert.equal(JSON.parse(list.output).length, 2)
    assert.deepEqual(owner, { code: 0, output: 'username  ada\n' })
    assert.equal(short.code, 2)
    assert.match(short.output, /^latchkey: password .*at least/)
    assert.match(factors.output, /^ada logs in by the password alone, /)
    const linkOf = (page: string) => `link +${issuer}/${page}\\?link=lk_ln_[\\w-]+\n`
    assert.match(eve.output, new RegExp(`^username  eve\n${linkOf('invite')}`))
    assert.match(reset.output, new RegExp(`^username  ada\n${linkOf('reset')}`))
    assert.deepEqual(unsent, {
      code: 1,
      output: 'latchkey: this service sends no mail: set LATCHKEY_SMTP, or pass the link on\n',
    })
    assert.equal(opened.status, 200)
    assert.match(await opened.text(), /bob/)
    assert.deepEqual(useless, {
      code: 1,
      output: 'latchkey: this owner has chosen a password: make a link to reset it\n',
    })
    assert.match(service.complained(), /"message":"command","command":"owner add"/)
    assert.doesNotMatch(service.complained(), /analytical|hush|lk_cs_|lk_ln_/)
  })

  it('add, change and remove resources, which count at once', async () => {
    const { latchkey, start } = house()
    const { issuer, service } = await start()
    const scopes = async (): Promise<readonly string[]> => {
      const answer = await fetch(`${issuer}/.well-known/oauth-authorization-server`)
      const { scopes_supported: all } = (await answer.json()) as { scopes_supported: string[] }
      return all.filter((scope) => scope.startsWith('orders:'))
    }
    const words = '--title Orders --read See --write Place'
    const uri = 'https://orders.example'
    const added = await latchkey(`resource add orders ${words} --action refund=Refund --uri ${uri}`)
    const known = await scopes()
    const again = await latchkey(`resource add orders ${words}`)
    const wrong = await latchkey(`resource add orders! ${words}`)
    const changed = await latchkey(
      'resource change orders --destructive refund --access-token-format jwt --json',
    )
    const list = await latchkey('resource list')
    const shown = await latchkey('resource show orders')
    const none = await latchkey('resource show bills')
    const asked = await latchkey('resource remove orders')
    assert.equal(asked.code, 2)
    assert.match(asked.output, /orders goes for good, with all permissions on it. Say --yes/)
    const removed = await latchkey('resource remove orders --yes')
    const left = await scopes()
    await end(service)
    const used = await latchkey(`resource add orders ${words}`)
    const described = [
      'name                 orders',
      'title                Orders',
      'read                 See',
      'write                Place',
      'actions              {"refund":"Refund"}',
      `uri                  ${uri}`,
      'access_token_format  opaque',
      '',
    ]
    assert.deepEqual(added, { code: 0, output: described.join('\n') })
    assert.deepEqual(known, ['orders:read', 'orders:refund', 'orders:write'])
    assert.equal(again.output, 'latchkey: there is a resource with this name\n')
    assert.match(wrong.output, /^latchkey: the resource needs a "name" of/)
    const { destructive, access_token_format: format } = JSON.parse(changed.output)
    assert.deepEqual([destructive, format], [['refund'], 'jwt'])
    assert.equal(
      list.output,
      ['photos    Photos', 'contacts  Contacts', 'calendar  Calendar', `orders    Orders    ${uri}`]
        .map((line) => `${line}\n`)
        .join(''),
    )
    assert.match(shown.output, /^destructive +refund$/m)
    assert.deepEqual(none, { code: 1, output: 'latchkey: there is no resource bills\n' })
    assert.match(removed.output, /^orders is deleted\./)
    assert.deepEqual(left, [])
    assert.match(used.output, /^latchkey: a deleted resource had this name/)
  })

  it('reach it through a path that is too long for a socket', async () => {
    const deep = house(join(place, 'd'.repeat(120), 'e'.repeat(120), `${'f'.repeat(100)}.db`))
    mkdirSync(dirname(deep.database), { recursive: true })
    const { service } = await deep.start()
    const list = await deep.latchkey('client list')
    await end(service)
    assert.deepEqual(list, { code: 0, output: 'There are no clients.\n' })
  })

  it('go on after the service was killed, alone and beside the next one', async () => {
    const { latchkey, start, database } = house()
    const first = await start()
    await kill(first.service)
    assert.ok(existsSync(`${database}.sock`))
    const alone = await latchkey('client list')
    const second = await start()
    const beside = await latchkey('client list')
    await end(second.service)
    const none = { code: 0, output: 'There are no clients.\n' }
    assert.deepEqual([alone, beside], [none, none])
  })

  it('say so where another process holds the database and takes no commands', async () => {
    const { latchkey, database } = house()
    const store = await openSqliteStore({ path: database })
    const outcome = await latchkey('client list')
    await store.close()
    assert.deepEqual(outcome, {
      code: 1,
      output: `latchkey: the database ${database} is in use by another process that takes no commands. If a service starts or another command runs, try again in a moment. A program may also embed the service without its control socket\n`,
    })
  })
})

describe('the control socket', () => {
  it('reach a service inside another program, unless that program wants none', async () => {
    const { latchkey, database } = house()
    const env = { PORT: '0', LATCHKEY_STORE: `sqlite:${database}`, LATCHKEY_DEMO: '0' }
    const settings = loadSettings({ env, flags: {}, cwd: place })
    const open = await startService({ settings, tell: () => {} })
    const added = await latchkey('resource add orders --title Orders --read See --write Order')
    await open.close()
    const shut = await startService({ settings, tell: () => {}, controlSocket: false })
    const list = await latchkey('resource list')
    await shut.close()
    assert.equal(added.code, 0, added.output)
    assert.match(list.output, /may also embed the service without its control socket/)
    assert.equal(list.code, 1)
    assert.equal(existsSync(`${database}.sock`), false)
  })

  it('is for the user of the database alone, and goes with the service', async () => {
    const { start, database } = house()
    const { service } = await start()
    const mode = statSync(`${database}.sock`).mode & 0o777
    const during = readdirSync(dirname(database)).filter((name) => name.includes('.sock'))
    await end(service)
    assert.equal(mode.toString(8), '600')
    assert.deepEqual(during, ['latchkey.db.sock'])
    assert.equal(existsSync(`${database}.sock`), false)
  })

  it('is not believed where it belongs to another user', { skip: !isRoot }, async () => {
    const { latchkey, start, database } = house()
    const { service } = await start()
    chownSync(`${database}.sock`, 65_534, 65_534)
    const outcome = await latchkey('client list')
    await end(service)
    assert.deepEqual(outcome, {
      code: 1,
      output: `latchkey: the socket ${database}.sock belongs to another user than the database\n`,
    })
  })

  it('survives whatever is said to it', async () => {
    const { latchkey, start, database } = house()
    const { service } = await start()
    const say = async (question: string): Promise<string> => {
      const socket = createConnection({ path: `${database}.sock`, allowHalfOpen: true })
      socket.end(question)
      return text(socket).catch(() => 'closed')
    }
    const unknown = await Promise.all(
      ['null', '{}', '{"command":"toString","flags":{}}', '{"command":"client list"}'].map(say),
    )
    const malformed = JSON.parse(await say('{'))
    const endless = await say('x'.repeat(cliLimits.commandCharacters + 1))
    const list = await latchkey('client list')
    await end(service)

    const refused = {
      message: 'latchkey: the running service is of another version and does not know this command',
      exitCode: 1,
    }
    for (const answer of unknown) assert.deepEqual(JSON.parse(answer), refused)
    assert.equal(malformed.exitCode, 1)
    assert.ok(endless === '' || endless === 'closed')
    assert.equal(list.code, 0)
  })
})
