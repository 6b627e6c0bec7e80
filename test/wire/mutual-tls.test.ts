/** The certificate of a client over real connections: only that of the proxy counts. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { type Service, startService } from '../../src/server.ts'
import { issueCertificate } from '../support/authority.ts'
import { memoryOr } from '../support/memory.ts'
import { authority, clientCertificate, subjectName } from '../support/mutual-tls.ts'
import { formBody } from '../support/start.ts'

let folder: string
let service: Service

before(async () => {
  folder = await mkdtemp(join(memoryOr(), 'latchkey-'))
  writeFileSync(join(folder, 'ca.pem'), `Our authority\n${authority.pem}`)
  const env = {
    PORT: '0',
    LATCHKEY_STORE: `sqlite:${join(folder, 'latchkey.db')}`,
    LATCHKEY_TRUSTED_PROXIES: '127.0.0.2',
    LATCHKEY_CLIENT_CA: 'ca.pem',
  }
  const settings = loadSettings({ env, flags: {}, cwd: folder })
  service = await startService({ settings, tell: () => {} })
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

interface Sent {
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
}

/** A request from an address of this machine. */
const send = (localAddress: string, path: string, { headers, body }: Sent) =>
  new Promise<{ readonly status: number; readonly body: Record<string, string> }>(
    (resolve, reject) => {
      const { port } = new URL(service.issuer)
      const lists = Object.entries(headers).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : [...value],
      ])
      const asked = request(
        {
          host: '127.0.0.1',
          port,
          localAddress,
          path,
          method: 'POST',
          headers: { ...Object.fromEntries(lists), 'content-length': Buffer.byteLength(body) },
        },
        async (answer) =>
          resolve({ status: answer.statusCode ?? 0, body: JSON.parse(await text(answer)) }),
      )
      asked.on('error', reject)
      asked.end(body)
    },
  )

const register = async (): Promise<string> => {
  const { status, body } = await send('127.0.0.1', '/register', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      scope: 'photos:read',
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_subject_dn: subjectName,
    }),
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.client_id ?? ''
}

const askToken = (from: string, id: string, certificate: string | readonly string[]) =>
  send(from, '/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'client-cert': certificate },
    body: formBody({ grant_type: 'client_credentials', client_id: id }),
  })

describe('over a socket', () => {
  test('the proxy is believed, and the machine next to it is not', async () => {
    const id = await register()
    const { header } = clientCertificate
    assert.equal((await askToken('127.0.0.2', id, header)).status, 200)
    assert.equal((await askToken('127.0.0.1', id, header)).status, 401)
    assert.equal((await askToken('127.0.0.3', id, header)).status, 401)
  })

  test('two headers are one too many', async () => {
    const id = await register()
    const { header } = clientCertificate
    const answer = await askToken('127.0.0.2', id, [header, header])
    assert.deepEqual([answer.status, answer.body.error], [401, 'invalid_client'])
  })
})

describe('the file of the setting', () => {
  const load = (name: string, content: string | null) => {
    if (content !== null) writeFileSync(join(folder, name), content)
    const env = { LATCHKEY_CLIENT_CA: name }
    return loadSettings({ env, flags: {}, cwd: folder })
  }

  test('holds authorities', () => {
    const { clientCa } = load('two.pem', authority.pem.repeat(2))
    assert.deepEqual(clientCa, [authority.base64, authority.base64])
  })

  test('is refused where it is missing, or holds no certificate', () => {
    assert.throws(() => load('missing.pem', null), /LATCHKEY_CLIENT_CA must be the path of a PEM/)
    assert.throws(() => load('empty.pem', ''), /LATCHKEY_CLIENT_CA must be the path of a PEM/)
  })

  test('is refused where it holds the certificate of a client', async () => {
    const leaf = issueCertificate({ subject: [['CN', 'client']] })
    const settings = load('leaf.pem', leaf.pem)
    await assert.rejects(
      startService({ settings: { ...settings, port: 0 }, tell: () => {} }),
      /LATCHKEY_CLIENT_CA must hold certificates of authorities alone/,
    )
  })
})
