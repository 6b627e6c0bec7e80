/** The commands that work on a store, as an operator types them. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { schemaVersion } from '../../src/store/schema/migrate.ts'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import { trace } from '../store/moments.ts'
import { samplePasskey, sampleSession } from '../store/sample.ts'
import { Browser } from '../support/browser.ts'
import { memoryOr } from '../support/memory.ts'
import { freePort } from '../support/port.ts'
import { reach } from '../support/reach.ts'
import { runCommand } from './hosted.ts'
import { program } from './made-program.ts'
import { shellEnvironment, startProgram } from './process.ts'
import type { Outcome } from './tool.ts'

const place = mkdtempSync(join(memoryOr(), 'latchkey-commands-'))
after(() => rmSync(place, { recursive: true }))

interface Shop {
  readonly store: string
  readonly env: NodeJS.ProcessEnv
  /** Runs a command on the store. */
  latchkey(args: string, input?: string): Promise<Outcome>
}

let shops = 0
const shop = (more: Readonly<Record<string, string>> = { LATCHKEY_DEMO: '0' }): Shop => {
  const store = join(place, `${shops++}.db`)
  const env = shellEnvironment(place, { PORT: '0', LATCHKEY_STORE: `sqlite:${store}`, ...more })
  return {
    store,
    env,
    latchkey: (args, input = '') =>
      // `+` stands for a space inside of an argument.
      runCommand(
        args.split(' ').map((arg) => arg.replaceAll('+', ' ')),
        {
          cwd: place,
          env,
          input,
        },
      ),
  }
}

const field = (text: string, name: string): string =>
  new RegExp(`^${name} +(\\S+)$`, 'm').exec(text)?.[1] ?? ''

describe('latchkey start', () => {
  it('prints the port that it took where the issuer does not name it', async () => {
    const { env } = shop({ LATCHKEY_ISSUER: 'https://auth.example' })
    const service = startProgram(process.execPath, [program], { cwd: place, env })
    assert.equal(await service.ready, 'https://auth.example')
    const port = /^listening on https:\/\/auth\.example\nport (\d+)\n$/.exec(service.said())?.[1]
    const ready = await fetch(`http://127.0.0.1:${port}/health/ready`)
    process.kill(service.pid, 'SIGTERM')
    assert.equal(await service.ended, 0)
    assert.equal(ready.status, 200)
  })
})

describe('latchkey init', () => {
  it('creates an operator that may use the admin API, once', async () => {
    const port = String(await freePort())
    const { latchkey, env } = shop({ LATCHKEY_DEMO: '0', PORT: port })
    const { code, output } = await latchkey('init')
    const again = await latchkey('init')
    const id = field(output, 'client_id')

    const service = startProgram(process.execPath, [program], { cwd: place, env })
    const issuer = await service.ready
    const invitation = await fetch(field(output, 'link'))
    const token = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${id}:${field(output, 'client_secret')}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    const { access_token } = (await token.json()) as { access_token: string }
    const owners = await fetch(`${issuer}/admin/api/owners`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    process.kill(service.pid, 'SIGTERM')

    assert.equal(await service.ended, 0)
    assert.equal(owners.status, 200)
    assert.equal(code, 0)
    assert.match(
      output,
      /^client_id +\S+\nclient_secret +lk_cs_\S+\n\nThe secret is shown this once\.\n/,
    )
    assert.match(output, /\nconsole +\S+\/admin\nusername +operator\nlink +\S+\n\n/)
    assert.match(await invitation.text(), /operator/)
    assert.equal(invitation.status, 200)
    assert.deepEqual(again, {
      code: 1,
      output: `latchkey: there is already an operator, the client ${id}; for the console: latchkey owner set-roles USERNAME --role operator\n`,
    })
    assert.equal(service.said(), `listening on ${issuer}\n`)
  })

  it('is not for the demo', async () => {
    assert.deepEqual(await shop({}).latchkey('init'), {
      code: 1,
      output:
        'latchkey: this is the demo, which has its operator already (latchkey-admin); set LATCHKEY_DEMO=0, or LATCHKEY_ISSUER to the URL of your service\n',
    })
  })
})

describe('latchkey client', () => {
  it('registers clients of every kind and lists them', async () => {
    const { latchkey } = shop()
    const web = await latchkey(
      'client add --name Web --id web --redirect https://a.example/x https://a.example/y --scope photos --required-scope photos:read --json',
    )
    const app = await latchkey(
      'client add --name App --id app --public --redirect http://127.0.0.1/x',
    )
    const house = await latchkey('client add --name House --id house --grant password --trusted')
    const list = await latchkey('client list')

    const { client_secret, client_id_issued_at, ...registered } = JSON.parse(web.output)
    assert.match(client_secret, /^lk_cs_/)
    assert.ok(Number.isInteger(client_id_issued_at))
    assert.deepEqual(registered, {
      client_id: 'web',
      client_name: 'Web',
      application_type: 'web',
      redirect_uris: ['https://a.example/x', 'https://a.example/y'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'photos:read photos:write',
      required_scope: 'photos:read',
      access_token_seconds: 3600,
      refresh_token_seconds: 2592000,
      trusted: false,
      may_introspect: false,
      disabled: false,
      old_secret_expires_at: null,
      registered_by: 'operator',
      set_by_operator: [],
      manages_itself: false,
      client_secret_expires_at: 0,
    })
    assert.deepEqual(app, { code: 0, output: 'client_id      app\n' })
    assert.equal(field(house.output, 'client_id'), 'house')
    assert.deepEqual(list, { code: 0, output: 'app    App\nhouse  House\nweb    Web\n' })
  })

  it('registers what a client of OpenID Connect needs', async () => {
    const { latchkey } = shop()
    const added = await latchkey(
      'client add --name Web --redirect https://a.example/x --response-type code code+id_token --id-token-alg ES256 --post-logout-redirect https://a.example/y https://a.example/z --back-channel-logout https://a.example/logout --front-channel-logout https://a.example/out --json',
    )
    const registered = JSON.parse(added.output)
    assert.deepEqual(
      [
        registered.response_types,
        registered.grant_types,
        registered.id_token_signed_response_alg,
        registered.post_logout_redirect_uris,
        registered.backchannel_logout_uri,
        registered.frontchannel_logout_uri,
      ],
      [
        ['code', 'code id_token'],
        ['authorization_code', 'refresh_token', 'implicit'],
        'ES256',
        ['https://a.example/y', 'https://a.example/z'],
        'https://a.example/logout',
        'https://a.example/out',
      ],
    )
  })

  it('makes a new secret, ends tokens, and says of each what came of it', async () => {
    const { latchkey } = shop()
    await latchkey('client add --name Web --id web --grant client_credentials')
    const once = await latchkey('client rotate-secret web')
    assert.match(
      once.output,
      /^client_id {6}web\nclient_secret {2}lk_cs_[\w-]{43}\n\nThe secret is shown this once\.\nThe old secret has ended, /,
    )
    const planned = await latchkey('client rotate-secret web --keep-old-seconds 600 --json')
    const { client_secret, client_secret_expires_at, old_secret_expires_at } = JSON.parse(
      planned.output,
    )
    assert.match(client_secret, /^lk_cs_/)
    assert.equal(client_secret_expires_at, 0)
    assert.ok(Number.isInteger(old_secret_expires_at))
    assert.deepEqual(
      [
        await latchkey('client end-tokens web'),
        await latchkey('client revoke-registration web'),
        await latchkey('client rotate-secret web --keep-old-seconds soon'),
        await latchkey('client rotate-secret nobody'),
        await latchkey('client end-tokens nobody'),
        await latchkey('client revoke-registration nobody'),
      ],
      [
        {
          code: 0,
          output:
            'All codes and tokens of web have ended, its own and those of its owners. What owners approved stays.\n',
        },
        { code: 0, output: 'web has no registration token.\n' },
        {
          code: 2,
          output: 'latchkey: keep_old_seconds has to be a whole number from 0 to 2592000\n',
        },
        { code: 1, output: 'latchkey: there is no client nobody\n' },
        { code: 1, output: 'latchkey: there is no client nobody\n' },
        { code: 1, output: 'latchkey: there is no client nobody\n' },
      ],
    )
  })

  it('leaves the demo whole that the first start announces', async () => {
    const { latchkey } = shop({})
    await latchkey('client add --name Web --id web --grant client_credentials')
    const { output } = await latchkey('client list')
    for (const id of ['web', 'photo-printer', 'nightly-report']) assert.match(output, RegExp(id))
  })

  it('says what is wrong, and registers nothing', async () => {
    const { latchkey } = shop()
    await latchkey('client add --name Web --id web --grant client_credentials')
    assert.deepEqual(
      [
        await latchkey('client add --name Web --id web --grant client_credentials'),
        await latchkey('client add --name Web --grant client_credentials --scope planes'),
        await latchkey('client add'),
        await latchkey('client list'),
      ],
      [
        { code: 1, output: 'latchkey: there is already a client web\n' },
        {
          code: 2,
          output:
            'latchkey: scope names nothing that can be registered for: planes; there are calendar:read, calendar:write, contacts:read, contacts:write, photos:read, photos:write\n',
        },
        { code: 2, output: "latchkey: required option '--name <name>' not specified\n" },
        { code: 0, output: 'web  Web\n' },
      ],
    )
  })
})

describe('deleting', () => {
  it('names what ends, and does nothing without --yes where nobody can answer', async () => {
    const { latchkey } = shop()
    await latchkey('client add --name Web --id web --grant client_credentials')
    await latchkey('owner add ada')
    const client = await latchkey('client delete web')
    const owner = await latchkey('owner delete ada')
    assert.deepEqual(client, {
      code: 2,
      output:
        'latchkey: Web (web) goes, with its tokens and all that owners approved for it. Say --yes for it\n',
    })
    assert.deepEqual(owner, {
      code: 2,
      output:
        'latchkey: ada goes, with all logins, data and the access of applications. Say --yes for it\n',
    })
    assert.equal((await latchkey('client delete web --yes')).code, 0)
    assert.equal((await latchkey('owner delete ada --yes')).code, 0)
  })
})

describe('a wrong value', () => {
  it('ends with 2, wherever it is found', async () => {
    const { latchkey } = shop()
    const lines = [
      'client add --name Web --redirect ftp://x',
      'owner add ada --email nowhere',
      'owner set-attributes ada nothing',
      'resource add openid --title A --read B --write C',
      'event list --type nothing',
      'event list --since once',
      'owner import --format xml people.csv',
      'language export nothing!',
      'client change web --set name',
    ]
    for (const line of lines) {
      const { code, output } = await latchkey(line)
      assert.equal(code, 2, `${line}: ${output}`)
    }
  })
})

describe('latchkey owner add', () => {
  it('takes a password from standard input, or prints a link to choose one', async () => {
    const { latchkey } = shop()
    assert.deepEqual(await latchkey('owner add ada --password-stdin', 'analytical engine\n'), {
      code: 0,
      output: 'username  ada\n',
    })
    assert.match(
      (await latchkey('owner add eve --name Eve --email eve@example.com')).output,
      /^username {2}eve\nlink {6}http:\S+\/invite\?link=lk_ln_\S+\n\nWhoever opens it chooses the password of this account\./,
    )
  })

  it('refuses a short or common password and a name that is taken', async () => {
    const { latchkey } = shop()
    await latchkey('owner add ada')
    const common = await latchkey('owner add bob --password-stdin', 'passwordpassword\n')
    assert.equal(common.code, 2)
    assert.match(common.output, /^latchkey: password is one that many people choose.*\n$/)
    const short = await latchkey('owner add bob --password-stdin', 'hush\n')
    assert.equal(short.code, 2)
    assert.match(short.output, /^latchkey: password .*at least 15 characters.*\n$/)
    assert.ok(!short.output.includes('hush'))
    assert.deepEqual(await latchkey('owner add ADA'), {
      code: 1,
      output: 'latchkey: there is already an owner ADA\n',
    })
  })
})

describe('latchkey owner reset-factors', () => {
  it('lets in by the password alone whoever has lost every factor', async () => {
    const { latchkey, store: path } = shop()
    await latchkey('owner add ada')
    const store = await openSqliteStore({ path })
    const owner = await store.findOwnerByName('ada')
    assert.ok(owner)
    const session = sampleSession(owner.id)
    await store.startSession(session, { passwordHash: owner.passwordHash }, null, trace())
    const ceremony = { id: 'ceremony', expiresAt: 0 }
    const by = { ownerId: owner.id, session: session.id }
    await store.addPasskey(samplePasskey(owner.id), 1, ceremony, by, trace())
    await store.close()
    assert.deepEqual(await latchkey('owner reset-factors ADA'), {
      code: 0,
      output: 'ada logs in by the password alone, and can set up a new second factor.\n',
    })
    assert.deepEqual(await latchkey('owner reset-factors eve'), {
      code: 1,
      output: 'latchkey: there is no owner eve\n',
    })
  })
})

describe('latchkey operator', () => {
  it('prints a code that the running service takes', async () => {
    const { latchkey, env } = shop()
    const service = startProgram(process.execPath, [program], { cwd: place, env })
    const issuer = await service.ready
    const { code, output } = await latchkey('operator')
    const browser = new Browser(reach(issuer))
    const page = await browser.go('/operator')
    const shown = await browser.submit(page, { code: field(output, 'code') })
    process.kill(service.pid, 'SIGTERM')
    await service.ended
    assert.equal(code, 0, output)
    assert.match(
      output,
      /^page {2}http:\/\/127\.0\.0\.1:\d+\/operator\ncode {2}lk_op_\S+\n\nIt counts once/,
    )
    assert.match(output, /requestId of that request in the log\.\n$/)
    assert.match(shown.text, /This browser is shown more until/)
  })

  it('goes by the time of the services, also where the clock was set back since', async () => {
    const { latchkey, env, store: path } = shop()
    const store = await openSqliteStore({ path })
    await store.noteTime(Math.floor(Date.now() / 1000) + 3600)
    await store.close()
    const service = startProgram(process.execPath, [program], { cwd: place, env })
    const browser = new Browser(reach(await service.ready))
    const { output } = await latchkey('operator')
    const page = await browser.go('/operator')
    const shown = await browser.submit(page, { code: field(output, 'code') })
    process.kill(service.pid, 'SIGTERM')
    await service.ended
    assert.match(shown.text, /This browser is shown more until/)
  })

  it('has none for a store on which no service has run', async () => {
    const { latchkey } = shop()
    const people = join(place, 'nobody.ndjson')
    writeFileSync(people, '{"username":"ada"}\n')
    assert.equal((await latchkey(`owner import ${people}`)).code, 0)
    assert.deepEqual(await latchkey('operator'), {
      code: 1,
      output: 'latchkey: no service has run on this store yet: start it first\n',
    })
  })
})

describe('latchkey backup and restore', () => {
  it('copies the store while the service runs, and fills a new one from that', async () => {
    const old = shop({})
    const file = join(place, 'backup')
    const service = startProgram(process.execPath, [program], {
      cwd: place,
      env: old.env,
    })
    const issuer = await service.ready
    const answer = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('nightly-report:nightly-report-secret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    const { access_token } = (await answer.json()) as { access_token: string }
    const backup = await old.latchkey(`backup ${file} --json`)
    const running = await old.latchkey(`restore ${file}`)
    process.kill(service.pid, 'SIGTERM')
    await service.ended

    assert.equal(backup.code, 0, backup.output)
    const { bytes, taken_at, sha256, rows, ...said } = JSON.parse(backup.output)
    assert.ok(Math.abs(taken_at - Date.now() / 1000) < 600, taken_at)
    assert.deepEqual(said, { file, schema: schemaVersion, sealing_keys: 'wrapped' })
    assert.equal(rows.clients, 8)
    assert.deepEqual(running, {
      code: 1,
      output: `latchkey: the database ${old.store} is in use by another process: the service is running; end it first\n`,
    })

    const fresh = shop({})
    const restored = await fresh.latchkey(`restore ${file}`)
    const again = await fresh.latchkey(`restore ${file}`)
    const list = await fresh.latchkey('client list')
    assert.equal(restored.code, 0, restored.output)
    assert.match(restored.output, /^Restored .*:\n\n {2}clients +8\n/)
    assert.match(
      restored.output,
      /^Every token, code and login \(0 logins\) from before has ended;/m,
    )
    assert.match(
      restored.output,
      /^The backup knows no changes after \d{4}-.* UTC\. The last event in it is of /m,
    )
    assert.match(
      restored.output,
      /^ {2}clients \(of 8\) deleted or disabled since, or with a secret/m,
    )
    assert.match(restored.output, /^ {2}owners \(of 2\) deleted or disabled since/m)
    assert.deepEqual(again, {
      code: 1,
      output:
        'latchkey: the store is not empty (it has clients): a backup is restored into a new one only\n',
    })
    assert.match(list.output, /^photo-printer +Photo Printer$/m)

    const second = startProgram(process.execPath, [program], {
      cwd: place,
      env: fresh.env,
    })
    const { status } = await fetch(`${await second.ready}/api/photos`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    process.kill(second.pid, 'SIGTERM')
    assert.equal(await second.ended, 0)
    assert.equal(status, 401)
  })

  it('says plainly what keeping the tokens risks', async () => {
    const old = shop({ LATCHKEY_DEMO: '0' })
    const file = join(place, 'backup-of-an-operator')
    await old.latchkey('init')
    await old.latchkey(`backup ${file}`)
    const { code, output } = await shop().latchkey(`restore ${file} --keep-tokens`)
    const ending = await shop().latchkey(`restore ${file} --json`)
    assert.equal(code, 0)
    const { rows, ...said } = JSON.parse(ending.output)
    assert.deepEqual(Object.keys(said).sort(), [
      'came_back',
      'ended',
      'file',
      'last_event_at',
      'schema',
      'sealing_keys',
      'taken_at',
      'tokens',
    ])
    assert.deepEqual(said.ended, { sessions: 0, recovery_codes: 0, recovery_code_owners: 0 })
    assert.equal(rows.owners, 1)
    assert.match(
      output,
      /^BEWARE: tokens from before .* UTC are accepted again, even if they were revoked since\./m,
    )
  })

  it('says why a file cannot be written or read', async () => {
    const { latchkey, store } = shop()
    const missing = await latchkey(`backup ${join(place, 'backup-of-nothing')}`)
    await latchkey('init')
    const unwritable = join(place, 'no-such-folder', 'backup')
    const unreadable = join(place, 'no-such-backup')
    assert.deepEqual(
      [
        missing,
        await latchkey(`backup ${unwritable}`),
        await latchkey(`backup ${store}`),
        await latchkey(`restore ${unreadable}`),
      ],
      [
        { code: 1, output: `latchkey: there is no database ${store}\n` },
        {
          code: 1,
          output: `latchkey: the backup ${unwritable} cannot be written: its folder is not there\n`,
        },
        {
          code: 1,
          output: `latchkey: there is already a file ${store}; choose another name\n`,
        },
        { code: 1, output: `latchkey: the backup ${unreadable} is not there\n` },
      ],
    )
    assert.equal(existsSync(join(place, 'backup-of-nothing')), false)
  })
})

describe('the commands on a store', () => {
  it('make no database where a path is mistyped', async () => {
    const { latchkey, store } = shop()
    const missing = { code: 1, output: `latchkey: there is no database ${store}\n` }
    for (const command of [
      'client list',
      'client end-tokens web',
      'owner reset-factors alice',
      'key list',
      'operator',
    ]) {
      assert.deepEqual(await latchkey(command), missing)
    }
    assert.equal(existsSync(store), false)
  })

  it('are helped out where they are mistyped', async () => {
    const { latchkey } = shop()
    assert.deepEqual(await latchkey('clinet list'), {
      code: 2,
      output: 'latchkey: there is no command clinet; did you mean client?\n',
    })
  })
})
