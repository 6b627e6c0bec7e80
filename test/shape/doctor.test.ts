/** `latchkey doctor` as an operator runs it: on set-ups with a fault, and on one without. */
import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { certificateTime, selfSigned } from '../support/certificate.ts'
import { freePort } from '../support/port.ts'
import { openProxy, openStrange, type ProxyFaults, proxyAddress } from './doctor-site.ts'
import { runCommand } from './hosted.ts'
import { program } from './made-program.ts'
import { type Running, shellEnvironment, startProgram } from './process.ts'
import { root } from './source.ts'
import { run } from './tool.ts'

// On a disk: a database in memory is a finding.
const place = mkdtempSync(join(tmpdir(), 'latchkey-doctor-'))
after(() => rmSync(place, { recursive: true }))

type Env = Readonly<Record<string, string>>

interface Found {
  readonly id: string
  readonly level: string
  readonly finding: string
  readonly fix: string
}

/** Findings that depend on the machine of the tests. */
const ofMachine = ['disk.space', 'disk.full', 'node.odd', 'files.few', 'database.volatile']

const doctor = async (env: Env) => {
  const options = { cwd: place, env: shellEnvironment(place, env) }
  const args = ['doctor', '--json']
  // A process reads at its start which certificates to trust.
  const { code, output } = await ('NODE_EXTRA_CA_CERTS' in env
    ? run(process.execPath, [program, ...args], options)
    : runCommand(args, options))
  const findings: readonly Found[] = JSON.parse(output).findings
  assert.equal(code, findings.length === 0 ? 0 : 1)
  return findings
}

const idsOf = (findings: readonly Found[]): readonly string[] =>
  findings
    .map(({ id }) => id)
    .filter((id) => !ofMachine.includes(id))
    .toSorted()

const idsFor = async (env: Env): Promise<readonly string[]> => idsOf(await doctor(env))

const missing = `sqlite:${join(place, 'missing.db')}`
const strong = 'Vh2kq8Zr0cXwTn5uLd7eJb1sPg4yMa9f'

describe('doctor without a service', () => {
  it('finds every weak setting, and who answers in its place', async () => {
    const strange = await openStrange(
      { issuer: 'http://127.0.0.1:1' },
      { date: 'Sun, 01 Nov 2020 10:00:00 GMT' },
    )
    const findings = await doctor({
      LATCHKEY_STORE: missing,
      LATCHKEY_DEMO: '0',
      LATCHKEY_ISSUER: `http://127.0.0.1:${strange.port}`,
      LATCHKEY_SIGN_UP: 'open',
      LATCHKEY_REGISTRATION: 'open',
      LATCHKEY_LOG_LEVEL: 'silent',
      LATCHKEY_EVENT_SECONDS: '86400',
      LATCHKEY_KEY_ROTATION_DAYS: '400',
      LATCHKEY_SECRET: 'ab'.repeat(20),
      LATCHKEY_PREVIOUS_SECRET: strong,
      LATCHKEY_TRUSTED_PROXIES: '0.0.0.0/0',
      LATCHKEY_FETCH_ALLOW: '10.0.0.0/8,10.1.2.3,192.168.1.0/24,fd00::/64,fd00::1',
    })
    strange.close()
    assert.deepEqual(idsOf(findings), [
      'clock.differs',
      'database.missing',
      'events.short',
      'fetch.wide',
      'fetch.wide',
      'issuer.differs',
      'issuer.loopback',
      'keys.rotation',
      'log.silent',
      'proxy.everybody',
      'registration.open',
      'secret.previous',
      'secret.weak',
      'sign_up.without_mail',
    ])
    const levels = findings.map(({ level }) => level)
    assert.deepEqual(levels, levels.toSorted())
    for (const { finding, fix } of findings) assert.match(`${finding}\n${fix}`, /^.+\.\n.+\.$/)
  })

  it('finds a service that others reach past the proxy, and one that nobody reaches', async () => {
    const ids = await idsFor({
      LATCHKEY_STORE: 'postgres://nobody@127.0.0.1:1/latchkey',
      LATCHKEY_ISSUER: 'https://127.0.0.1:1',
      HOST: '0.0.0.0',
      LATCHKEY_SIGN_UP: 'open',
      LATCHKEY_SMTP: 'smtp://mail.example',
      LATCHKEY_MAIL_FROM: 'latchkey@example.com',
    })
    assert.deepEqual(ids, [
      'database.closed',
      'issuer.unreachable',
      'listener.open',
      'mail.plain',
      'proxy.unnamed',
      'secret.missing',
    ])
  })

  it('finds no missing secret before the first start, after init or another command', async () => {
    for (const first of ['init', 'owner import people.ndjson']) {
      const place = mkdtempSync(join(tmpdir(), 'latchkey-first-'))
      writeFileSync(join(place, 'people.ndjson'), '{"username":"ada"}\n')
      const settings = {
        LATCHKEY_STORE: `sqlite:${join(place, 'latchkey.db')}`,
        LATCHKEY_ISSUER: 'https://127.0.0.1:1',
        LATCHKEY_TRUSTED_PROXIES: '127.0.0.1',
      }
      const env = shellEnvironment(place, settings)
      const { code } = await run(process.execPath, [program, ...first.split(' ')], {
        cwd: place,
        env,
      })
      assert.equal(code, 0, first)
      assert.deepEqual(await idsFor(settings), ['issuer.unreachable'], first)
      rmSync(place, { recursive: true })
    }
  })

  it('finds the demo, and settings that are wrong', async () => {
    const [demo, wrong] = [
      await idsFor({ LATCHKEY_STORE: missing, PORT: '0' }),
      await idsFor({ LATCHKEY_STORE: missing, LATCHKEY_SIGN_UP: 'perhaps' }),
    ]
    assert.deepEqual(demo, ['database.missing', 'demo.on'])
    assert.deepEqual(wrong, ['settings.wrong'])
  })
})

describe('doctor on a certificate', () => {
  const days = (count: number): string => certificateTime(new Date(Date.now() + count * 86_400_000))
  const cases = [
    ['tls.expired', selfSigned(['localhost'], days(-2)), true],
    ['tls.expires', selfSigned(['localhost'], days(5)), true],
    ['tls.name', selfSigned(['other.example']), true],
    ['tls.untrusted', selfSigned(['localhost']), false],
  ] as const
  for (const [id, certificate, isTrusted] of cases) {
    it(`finds ${id}`, async () => {
      const proxy = await openProxy(
        certificate,
        () => 1,
        () => ({}),
      )
      const file = join(place, `${id}.pem`)
      writeFileSync(file, certificate.cert)
      const ids = await idsFor({
        LATCHKEY_STORE: missing,
        LATCHKEY_ISSUER: `https://localhost:${proxy.port}`,
        LATCHKEY_TRUSTED_PROXIES: proxyAddress,
        ...(isTrusted ? { NODE_EXTRA_CA_CERTS: file } : {}),
      })
      proxy.close()
      assert.deepEqual(
        ids.filter((one) => one.startsWith('tls.')),
        [id],
      )
    })
  }
})

describe('doctor on a service behind a proxy', () => {
  let service: Running
  let proxy: Awaited<ReturnType<typeof openProxy>>
  let env: Env
  let faults: ProxyFaults = {}
  const folder = join(place, 'service')
  const database = join(folder, 'latchkey.db')

  before(async () => {
    mkdirSync(folder)
    const certificate = selfSigned(['localhost'])
    const authority = join(place, 'authority.pem')
    writeFileSync(authority, certificate.cert)
    const port = await freePort()
    proxy = await openProxy(
      certificate,
      () => port,
      () => faults,
    )
    env = {
      NODE_EXTRA_CA_CERTS: authority,
      LATCHKEY_STORE: `sqlite:${database}`,
      LATCHKEY_ISSUER: `https://localhost:${proxy.port}`,
      LATCHKEY_TRUSTED_PROXIES: proxyAddress,
      HOST: '127.0.0.1',
      PORT: String(port),
    }
    const options = { cwd: folder, env: shellEnvironment(folder, env) }
    service = startProgram(process.execPath, [program], options)
    await service.ready
    const client = `client add --id certified --name Certified --auth-method self_signed_tls_client_auth
      --jwks-uri https://keys.example/jwks --grant client_credentials --scope photos:read`
    const added = await run(process.execPath, [program, ...client.split(/\s+/)], options)
    assert.equal(added.code, 0, added.output)
  })
  const end = async (): Promise<void> => {
    if (service.child.exitCode === null) process.kill(service.pid, 'SIGTERM')
    await service.ended
  }
  after(async () => {
    proxy.close()
    await end()
  })

  const withFaults = async (given: ProxyFaults): Promise<readonly string[]> => {
    faults = given
    return idsFor(env)
  }

  it('finds nothing on a good one', async () => {
    assert.deepEqual(await withFaults({}), [])
  })

  it('lists clients that a stricter profile would break', async () => {
    faults = {}
    const options = { cwd: folder, env: shellEnvironment(folder, env) }
    const cli = (...given: readonly string[]) => run(process.execPath, [program, ...given], options)
    const client = `client add --id reporter --name Reporter --json
      --grant client_credentials --scope photos:read`
    const added = await cli(...client.split(/\s+/))
    assert.equal(added.code, 0, added.output)
    const { client_id: id, client_secret: secret } = JSON.parse(added.output)
    const { status } = await fetch(`http://127.0.0.1:${env.PORT}/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${id}:${secret}`)}`,
        host: new URL(env.LATCHKEY_ISSUER ?? '').host,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    assert.equal(status, 200)
    const { profiles } = JSON.parse((await cli('doctor', '--json')).output)
    const last = new Date().toISOString().slice(0, 10)
    assert.deepEqual(profiles, [
      { profile: 'oauth-2.1', clients: [] },
      {
        profile: 'fapi-2.0',
        clients: [
          {
            client_id: 'reporter',
            client_name: 'Reporter',
            breaks: [
              {
                rule: 'weak_client',
                said: 'the profile fapi-2.0 takes clients by private_key_jwt or a certificate alone',
                last,
              },
              {
                rule: 'unbound_token',
                said: 'the profile fapi-2.0 binds each token to a key: send a DPoP proof, or use a certificate',
                last,
              },
            ],
          },
        ],
      },
    ])
    const { output } = await cli('doctor')
    assert.match(
      output,
      /LATCHKEY_PROFILE=oauth-2\.1 would break no applications, by what they did in the last 30 days\./,
    )
    assert.match(
      output,
      /LATCHKEY_PROFILE=fapi-2\.0 would break 1 application,.*\n {2}reporter {2}Reporter\n {4}the profile/,
    )
  })

  it('finds what the proxy does not pass on', async () => {
    assert.deepEqual(await withFaults({ host: 'dropped' }), ['proxy.status'])
    assert.deepEqual(await withFaults({ transport: 'dropped' }), ['tls.header'])
  })

  it('finds a proxy that names no visitor, or whom the visitor names', async () => {
    assert.deepEqual(await withFaults({ forwarded: 'none' }), ['proxy.silent'])
    assert.deepEqual(await withFaults({ forwarded: 'as it came' }), ['proxy.forged'])
  })

  it('finds a proxy that passes on the certificate of a visitor', async () => {
    assert.deepEqual(await withFaults({ certificate: 'as it came' }), ['proxy.certificate'])
  })

  it('finds files that others may read, and a root secret of another store', async () => {
    faults = {}
    chmodSync(database, 0o644)
    const readable = await idsFor(env)
    chmodSync(database, 0o600)
    await end()
    const wrong = await idsFor({ ...env, LATCHKEY_SECRET: strong })
    assert.deepEqual(readable, ['files.readable'])
    assert.deepEqual(
      wrong.filter((id) => id !== 'issuer.unreachable'),
      ['secret.wrong'],
    )
  })
})

it('has a test for every finding', () => {
  const source = join(root, 'src/cli/doctor')
  const written = readdirSync(source).map((name) => readFileSync(join(source, name), 'utf8'))
  const ids = written
    .join('\n')
    .matchAll(/make(?:Problem|Weakness)\(\s*['`]([a-z_.]+|keys\.\$\{use\}\.old)['`]/g)
  const named = new Set([...ids].map(([, id = '']) => id.replace(/\$\{\w+\}/, 'sealing')))
  const tests = [
    'test/rules/cli/doctor-site.test.ts',
    'test/shape/doctor.test.ts',
    'test/shape/live-postgres.test.ts',
    'test/rules/cli/doctor.test.ts',
    'test/rules/store/citus-setup.test.ts',
  ]
  const shown = tests.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
  assert.ok(named.size > 40, [...named].join())
  assert.deepEqual(
    [...named].filter((id) => !shown.includes(`'${id}'`)),
    [],
  )
})
