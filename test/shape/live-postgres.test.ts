/** Every command beside a running service on PostgreSQL, and what `doctor` finds there. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createProgram } from '../../src/cli/program.ts'
import { findPostgres, type Postgres } from '../store/postgres.ts'
import { memoryOr } from '../support/memory.ts'
import { runCommand } from './hosted.ts'
import { program } from './made-program.ts'
import { type Running, shellEnvironment, startProgram } from './process.ts'
import type { Outcome } from './tool.ts'

const place = mkdtempSync(join(memoryOr(), 'latchkey-live-postgres-'))
after(() => rmSync(place, { recursive: true }))

/** The commands that were run, for a comparison with all there are. */
const ran = new Set<string>()

/** These need no store, or no service beside them: other tests run them. */
const elsewhere = [
  ...['start', 'migrate', 'distribute', 'restore', 'completion'],
  ...['language list', 'language export'],
]

const namesOf = (command: ReturnType<typeof createProgram>, path = ''): readonly string[] =>
  command.commands.flatMap((one) => {
    const name = `${path} ${one.name()}`.trim()
    return one.commands.length === 0 ? [name] : namesOf(one, name)
  })

const all = namesOf(createProgram(() => {}))

const suite = (postgres: Postgres): void => {
  describe('commands beside a service on PostgreSQL', () => {
    let service: Running
    let issuer: string
    let env: NodeJS.ProcessEnv
    let store: string

    before(async () => {
      store = await postgres.newDatabase()
      env = shellEnvironment(place, {
        PORT: '0',
        LATCHKEY_STORE: store,
        LATCHKEY_DEMO: '1',
        LATCHKEY_SECRET: 'the root secret of all nodes and commands',
      })
      service = startProgram(process.execPath, [program], { cwd: place, env })
      issuer = await service.ready
      // Commands seal for the issuer of the service.
      env = { ...env, LATCHKEY_ISSUER: issuer }
    })
    after(async () => {
      process.kill(service.pid, 'SIGTERM')
      await service.ended
    })

    const latchkey = (args: string, input = '', more: NodeJS.ProcessEnv = {}): Promise<Outcome> => {
      const name = all.find((one) => args === one || args.startsWith(`${one} `))
      ran.add(name ?? assert.fail(args))
      // Reads go round all connections of a process, and each costs the server as much as a command.
      const few = name === 'doctor' ? {} : { LATCHKEY_LIMIT_POSTGRES_CONNECTIONS: '2' }
      const options = { cwd: place, env: { ...env, ...few, ...more }, input }
      return runCommand(args.split(' '), options)
    }

    const json = async (args: string, input?: string, more?: NodeJS.ProcessEnv) => {
      const { code, output } = await latchkey(`${args} --json`, input, more)
      assert.equal(code, 0, `${args}: ${output}`)
      return JSON.parse(output)
    }

    const works = async (args: string, input?: string): Promise<string> => {
      const { code, output } = await latchkey(args, input)
      assert.equal(code, 0, `${args}: ${output}`)
      return output
    }

    describe('each by itself', { concurrency: 3 }, () => {
      it('change a client, and the service knows it at once', async () => {
        const added = await json('client add --name Night --id night --grant client_credentials')
        const grant = () =>
          json(`perform client-credentials --client night --issuer ${issuer}`, '', {
            LATCHKEY_CLIENT_SECRET: added.client_secret,
          })
        assert.equal((await grant()).response.token_type, 'Bearer')
        await works('client change night --access-token-seconds 60')
        assert.equal((await grant()).response.expires_in, 60)
        await works('client disable night')
        await assert.rejects(grant(), /invalid_client/)
        await works('client enable night')
        await works('client end-tokens night')
        await works('client revoke-registration night')
        const rotated = await json('client rotate-secret night')
        assert.notEqual(rotated.client_secret, added.client_secret)
        assert.equal((await json('client list --search Night')).length, 2)
        assert.equal((await json('client show night')).client_id, 'night')
        for (const command of ['pin', 'unpin']) {
          const { code, output } = await latchkey(`client ${command} night`)
          assert.equal(code, 2)
          assert.match(output, /^latchkey: .*document.*\n$/)
        }
        await works('client delete night --yes')
      })

      it('change owners and resources', async () => {
        await works('owner add ada --password-stdin', 'analytical engine\n')
        await works('owner change ada --name Ada')
        await works('owner set-password ada', 'difference engine\n')
        await works('owner set-attributes ada {"team":"maths"}')
        await works('owner set-roles ada --role auditor')
        for (const command of ['disable', 'enable', 'reset', 'reset-factors', 'show', 'unlock']) {
          await works(`owner ${command} ada`)
        }
        await works('owner invite bea --email bea@example.com')
        assert.equal((await json('owner list --search ada')).length, 1)
        await works('owner delete bea --yes')
        await works('resource add orders --title Orders --read See --write Place')
        await works('resource change orders --title Bills')
        assert.equal((await json('resource show orders')).title, 'Bills')
        assert.equal((await json('resource list')).length, 4)
        await works('resource remove orders --yes')
      })

      it('make a group, and say who is in it', async () => {
        await works('group add Engineering')
        await works('group rename Engineering Developers')
        await works('group add-members Developers --owner alice bob')
        await works('group remove-members Developers --owner alice')
        assert.equal((await json('group members Developers')).length, 1)
        assert.equal((await json('group list --search Dev')).length, 1)
        await works('owner set-groups bob --group Developers')
        assert.equal((await json('owner groups bob')).groups.length, 1)
        assert.equal((await json('group show Developers')).members, 1)
        await works('group delete Developers --yes')
        const said = '--upstream company --subject 1'
        // No upstream is in the settings.
        assert.equal((await latchkey(`owner link bob ${said}`)).code, 2)
      })

      it('bring a realm of Keycloak', async () => {
        const users = [{ id: 'kc-zoe', username: 'zoe', groups: ['/Realm'] }]
        const realm = { realm: 'shop', groups: [{ name: 'Realm' }], users }
        writeFileSync(join(place, 'realm.json'), JSON.stringify(realm))
        const { people } = await json('import realm realm.json --groups')
        assert.deepEqual(people, { created: 1, existing: 0, refused: 0 })
        assert.equal((await json('owner groups zoe')).groups.length, 1)
        await works('owner delete zoe --yes')
        await works('group delete Realm --yes')
      })

      it('make what a file says, and say by the exit code what they did', async () => {
        const apply = (text: string, flags: string) => {
          writeFileSync(join(place, 'apply.yaml'), text)
          return latchkey(`apply apply.yaml${flags}`)
        }
        const groups = 'groups: [{ name: Appliers }]'
        const planned = '+ group Appliers\n    + name: "Appliers"\n\n1 change'
        assert.deepEqual(await apply(groups, ' --dry-run'), {
          code: 3,
          output: `${planned}, and nothing was written.\n`,
        })
        const unasked = { code: 2, output: `latchkey: ${planned}. Say --yes for it\n` }
        assert.deepEqual(await apply(groups, ''), unasked)
        assert.equal((await apply(groups, ' --yes')).code, 0)
        const same = { code: 0, output: 'Nothing to change.\n' }
        assert.deepEqual(await apply(groups, ' --yes'), same)
        assert.match(await works('export --apply'), /^groups:\n {2}- name: "Appliers"$/m)
        await works('group delete Appliers --yes')
      })

      it('trust an issuer, and trust it no more', async () => {
        const keys = '--jwks-uri https://login.acme.example/keys'
        const opens = '--owner username --grant id-jag --scope photos:read'
        const said = `--iss https://login.acme.example --title Acme ${keys} ${opens}`
        await works(`issuer add acme ${said}`)
        await works('issuer change acme --title Acme')
        assert.equal((await json('issuer show acme')).id, 'acme')
        assert.equal((await json('issuer list')).length, 1)
        // Nothing has ended that could be allowed again.
        const allowed = await latchkey('issuer allow acme --owner alice --client gallery')
        assert.equal(allowed.code, 1, allowed.output)
        await works('issuer delete acme --yes')
      })

      it('list the streams of signals, of which there are none', async () => {
        assert.deepEqual(await json('stream list'), [])
        const nobody = '1'.repeat(26)
        for (const command of [`show ${nobody}`, `remove ${nobody} --yes`]) {
          const { code, output } = await latchkey(`stream ${command}`)
          assert.equal(code, 1, output)
        }
      })

      it('export and import owners', async () => {
        const file = join(place, 'people.ndjson')
        await works(`owner export ${file}`)
        const line = { username: 'ida', name: 'Ida' }
        writeFileSync(file, `${JSON.stringify(line)}\n`)
        await works(`owner import ${file}`)
        assert.equal((await json('owner show ida')).name, 'Ida')
      })

      it('look at tokens, authorizations, events and refusals', async () => {
        const secret = { LATCHKEY_CLIENT_SECRET: 'house-app-secret' }
        const login = `perform password --client house-app --username alice --issuer ${issuer}`
        const { response: got } = await json(`${login} --scope photos`, 'wonderland\n', secret)
        assert.equal((await json('token inspect', got.access_token)).active, true)
        const refresh = `perform refresh-token --client house-app --issuer ${issuer}`
        const next = await json(refresh, got.refresh_token, secret)
        assert.deepEqual(await json('token revoke', next.response.access_token), {
          revoked: 'access_token',
        })
        const [{ id }] = await json('authorization list --owner alice')
        for (const command of ['show', 'pause', 'resume'])
          await works(`authorization ${command} ${id}`)
        await works(`authorization narrow ${id} --keep photos:read`)
        await works(`authorization end ${id}`)
        assert.ok((await json('event list --type owner.created')).length > 2)
        const unknown = await latchkey('explain 01m7yzpf0rrbsjtqm2r32a5wz5')
        assert.equal(unknown.code, 1)
        assert.match(unknown.output, /^latchkey: no refusal is kept under this reference of .*\n$/)
        assert.match(await works('refusal list --reason unknown_reference'), / unknown_reference /)
      })

      it('list, rotate, withdraw and rewrap keys', async () => {
        const rotated = await json('key rotate --use signing --now')
        await works(`key withdraw ${rotated.keys[0].id}`)
        assert.ok((await json('key list')).length > 1)
        assert.match(await works('key rewrap'), /^Nothing to do/)
      })

      it('say why they do nothing', async () => {
        const init = await latchkey('init')
        assert.deepEqual([init.code, /this is the demo/.test(init.output)], [1, true], init.output)
        assert.match(await works('operator'), /\S/)
      })

      it('back up the database', async () => {
        const file = join(place, 'backup.gz')
        await works(`backup ${file}`)
        assert.ok(readFileSync(file).length > 1000)
        assert.deepEqual((await json('verify')).findings, [])
      })
    })

    const doctor = async (more: NodeJS.ProcessEnv): Promise<readonly string[]> => {
      const { output } = await latchkey('doctor --json', '', more)
      return JSON.parse(output).findings.map(({ id }: { id: string }) => id)
    }

    it('find a limit of connections, a weak default, and keys in clear', async () => {
      assert.deepEqual(
        (await doctor({})).filter((id) => /^(database|keys|clock)/.test(id)),
        [],
      )
      const weak = await postgres.newDatabase({ synchronous_commit: 'off' })
      await postgres.ask(`alter database ${new URL(weak).pathname.slice(1)} connection limit 15`)
      const started = startProgram(process.execPath, [program], {
        cwd: place,
        env: { ...env, LATCHKEY_STORE: weak, LATCHKEY_ISSUER: '', LATCHKEY_SECRET: '' },
      })
      await started.ready
      process.kill(started.pid, 'SIGTERM')
      await started.ended
      const found = await doctor({ LATCHKEY_STORE: weak })
      assert.deepEqual(found.filter((id) => id.startsWith('database')).toSorted(), [
        'database.commit',
        'database.connections',
      ])
      const clear = await doctor({
        LATCHKEY_STORE: weak,
        LATCHKEY_ISSUER: 'https://127.0.0.1:1',
        LATCHKEY_DEMO: '0',
        LATCHKEY_SECRET: '',
      })
      assert.ok(clear.includes('keys.plain'), clear.join())
    })

    it('find a server that may lose what it acknowledged', {
      skip: postgres.crash === null,
    }, async () => {
      const set = async (value: string) => {
        await postgres.ask(`alter system set full_page_writes = ${value}`)
        await postgres.ask('select pg_reload_conf()')
      }
      await set('off')
      const found = await doctor({})
      await set('on')
      assert.ok(found.includes('database.lossy'), found.join())
    })

    it('are all run here, but for those of other tests', () => {
      const notRun = ['event follow', 'login', 'logout', 'perform authorization-code']
      assert.deepEqual(
        all.filter((name) => !ran.has(name) && !elsewhere.includes(name)).toSorted(),
        notRun.filter((name) => all.includes(name)),
      )
    })
  })
}

const postgres = await findPostgres()
if (postgres === null) {
  it('no PostgreSQL here (LATCHKEY_TEST_POSTGRES names one): its suite is left out')
}
if (postgres !== null) {
  after(() => postgres.stop())
  suite(postgres)
}
