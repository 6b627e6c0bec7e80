/** Certificates of clients through a real nginx, with the files of `deploy/` (docs/mutual-tls.md). */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { hashCertificate } from '../../src/crypto/certificate.ts'
import { type Service, startService } from '../../src/server.ts'
import { root } from '../shape/source.ts'
import { alternative, type Issued, issueCertificate } from '../support/authority.ts'
import { selfSigned } from '../support/certificate.ts'
import { install, isRoot } from '../support/debian.ts'
import { authority } from '../support/mutual-tls.ts'
import { freePort } from '../support/port.ts'
import { formBody } from '../support/start.ts'
import { whenAccepting } from './orders.ts'

const program = '/usr/sbin/nginx'
const hasNginx = (): boolean => spawnSync(program, ['-v']).status === 0

const findNginx = (): boolean => {
  if (!hasNginx()) install('nginx')
  return hasNginx()
}

const skip = !findNginx() && 'no nginx here: install it'

const names = { plain: 'auth.example.com', mtls: 'mtls.auth.example.com' } as const
const place = mkdtempSync(join(tmpdir(), 'latchkey-nginx-mtls-'))
let service: Service
let nginx: ChildProcess
let port: number

const issue = (name: string, more: readonly Buffer[] = []): Issued =>
  issueCertificate({ subject: [['CN', name]], by: authority, names: more })

const client = issue('client')
/** As long as certificates get: 4,096 bits, and many names. */
const long = issueCertificate({
  subject: [['CN', 'long']],
  by: authority,
  names: Array.from({ length: 60 }, (_, index) => alternative.dns(`host-${index}.example`)),
  keys: generateKeyPairSync('rsa', { modulusLength: 4096 }),
})

const configure = async (): Promise<string> => {
  const site = selfSigned(Object.values(names))
  const [certificate, key] = [join(place, 'site.pem'), join(place, 'site.key')]
  writeFileSync(certificate, site.cert)
  writeFileSync(key, site.key)
  const plainPort = await freePort()
  const servers = ['nginx.conf', 'nginx-mtls.conf']
    .map((name) => readFileSync(join(root, 'deploy', name), 'utf8'))
    .join('\n')
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replaceAll('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll(/\/etc\/ssl\/[\w.]+\.pem/g, certificate)
    .replaceAll(/\/etc\/ssl\/[\w.]+\.key/g, key)
    .replace('127.0.0.1:6749', `127.0.0.1:${service.port}`)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(place, name)};`)
    .join('\n')
  return `${isRoot ? 'user root;' : ''}
    daemon off; pid ${join(place, 'pid')}; error_log ${join(place, 'error.log')};
    events {}
    http { access_log off; ${folders} ${servers} }`
}

interface Sent {
  readonly name?: string
  readonly leaf?: Issued
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

const ask = (path: string, { name = names.mtls, leaf, form, headers = {} }: Sent) =>
  new Promise<{ readonly status: number; readonly body: Record<string, string> }>(
    (resolve, reject) => {
      const shown =
        leaf === undefined
          ? {}
          : { cert: leaf.pem, key: leaf.privateKey.export({ type: 'pkcs8', format: 'pem' }) }
      const type = { 'content-type': 'application/x-www-form-urlencoded' }
      const asked = request(
        {
          host: '127.0.0.1',
          port,
          servername: name,
          ca: readFileSync(join(place, 'site.pem')),
          ...shown,
          path,
          method: form === undefined ? 'GET' : 'POST',
          headers: { host: name, ...(form === undefined ? {} : type), ...headers },
        },
        async (answer) => {
          const said = await text(answer)
          resolve({
            status: answer.statusCode ?? 0,
            body: said.startsWith('{') ? JSON.parse(said) : {},
          })
        },
      )
      asked.on('error', reject)
      asked.end(form === undefined ? undefined : formBody(form))
    },
  )

const register = async (subject: string): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${service.port}/register`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer a-registration-token-of-many-characters',
    },
    body: JSON.stringify({
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_subject_dn: subject,
      tls_client_certificate_bound_access_tokens: true,
      scope: 'photos:read',
    }),
  })
  const body = await answer.text()
  assert.equal(answer.status, 201, body)
  return JSON.parse(body).client_id
}

const askToken = (id: string, sent: Sent) =>
  ask('/token', { form: { grant_type: 'client_credentials', client_id: id }, ...sent })

describe('behind nginx', { skip }, () => {
  before(async () => {
    mkdirSync(join(place, 'logs'))
    writeFileSync(join(place, 'ca.pem'), authority.pem)
    port = await freePort()
    const env = {
      PORT: '0',
      LATCHKEY_ISSUER: `https://${names.plain}`,
      LATCHKEY_MTLS_URL: `https://${names.mtls}`,
      LATCHKEY_STORE: `sqlite:${join(place, 'latchkey.db')}`,
      LATCHKEY_TRUSTED_PROXIES: '127.0.0.1',
      LATCHKEY_CLIENT_CA: join(place, 'ca.pem'),
      LATCHKEY_REGISTRATION_TOKEN: 'a-registration-token-of-many-characters',
      LATCHKEY_HOSTS: '127.0.0.1',
    }
    const settings = loadSettings({ env, flags: {}, cwd: place })
    service = await startService({ settings, tell: () => {} })
    writeFileSync(join(place, 'nginx.conf'), await configure())
    const options = ['-p', place, '-e', join(place, 'error.log'), '-c', join(place, 'nginx.conf')]
    nginx = spawn(program, options, { stdio: 'inherit' })
    await whenAccepting(port, () => nginx.exitCode === null)
  })
  after(async () => {
    nginx.kill('SIGTERM')
    if (nginx.exitCode === null) await once(nginx, 'exit')
    await service.close()
    rmSync(place, { recursive: true })
  })

  test('a certificate proves its client, and binds its token', async () => {
    const id = await register('CN=client')
    const answer = await askToken(id, { leaf: client })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const claim = { authorization: `Bearer ${answer.body.access_token}` }
    assert.equal((await ask('/api/photos', { leaf: client, headers: claim })).status, 200)
    const other = issue('other')
    assert.notEqual(hashCertificate(other.der), hashCertificate(client.der))
    for (const sent of [{}, { leaf: other }, { name: names.plain }]) {
      assert.equal((await ask('/api/photos', { ...sent, headers: claim })).status, 401)
    }
  })

  test('a long certificate arrives whole', async () => {
    const id = await register('CN=long')
    assert.equal((await askToken(id, { leaf: long })).status, 200)
  })

  test('a header of the visitor arrives at neither name', async () => {
    const id = await register('CN=client')
    const headers = { 'client-cert': client.header, 'client-cert-chain': authority.header }
    for (const name of Object.values(names)) {
      assert.equal((await askToken(id, { name, headers })).status, 401)
      assert.equal(
        (await askToken(id, { name, headers: { 'client-cert': 'x' } })).body.error_description,
        'client authentication failed',
      )
    }
    const both = await askToken(id, { leaf: issue('other'), headers })
    assert.equal(both.status, 401)
    assert.equal((await askToken(id, { leaf: client, headers })).status, 200)
  })

  test('the metadata name the second host', async () => {
    const { body } = await ask('/.well-known/oauth-authorization-server', { name: names.plain })
    const aliases: unknown = body.mtls_endpoint_aliases
    assert.match(
      JSON.stringify(aliases),
      /"token_endpoint":"https:\/\/mtls\.auth\.example\.com\/token"/,
    )
  })
})
