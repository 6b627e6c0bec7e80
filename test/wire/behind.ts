/** A service behind a proxy that ends TLS: its people, a certificate, and requests through the proxy. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { loadSettings } from '../../src/config/load.ts'
import { hashText } from '../../src/crypto/digest.ts'
import { startService } from '../../src/embed.ts'
import type { ClientId } from '../../src/model/ids.ts'
import { adminPermissions } from '../../src/model/resource.ts'
import { openSqliteStore } from '../../src/store/sql/open.ts'
import { trace } from '../store/moments.ts'
import { sampleClient } from '../store/sample.ts'
import { basic, formBody } from '../support/start.ts'

const host = 'auth.example.com'

/** The program of the operator. */
const operator = ['operator', 'secret-of-the-operator'] as const

export interface Behind {
  /** Where the service listens. */
  readonly port: number
  /** The files of the certificate and of its key. */
  readonly certificate: string
  readonly key: string
  close(): Promise<void>
}

/** @param place a folder for the store and the certificate */
export const openBehind = async (place: string): Promise<Behind> => {
  const [certificate, key] = [join(place, 'certificate.pem'), join(place, 'key.pem')]
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const files = ['-keyout', key, '-out', certificate]
  const made = spawnSync('openssl', ['req', '-x509', ...kind, ...names, ...files])
  assert.equal(made.status, 0, String(made.stderr))
  const env = {
    LATCHKEY_ISSUER: `https://${host}`,
    LATCHKEY_STORE: `sqlite:${join(place, 'latchkey.db')}`,
    LATCHKEY_SECRET: 'the-root-secret-of-a-test-and-nothing-else',
    LATCHKEY_TRUSTED_PROXIES: '127.0.0.1',
    PORT: '0',
  }
  const store = await openSqliteStore({ path: join(place, 'latchkey.db') })
  const client = sampleClient({
    id: operator[0] as ClientId,
    secretDigest: hashText(operator[1]),
    grantTypes: ['client_credentials'],
    responseTypes: [],
    redirectUris: [],
    scope: adminPermissions,
    requiredScope: [],
  })
  assert.equal(await store.createClient(client, trace()), 'created')
  const settings = loadSettings({ env, flags: {}, cwd: place })
  const service = await startService({ settings, store, tell: () => {} })
  return { port: service.port, certificate, key, close: () => service.close() }
}

export interface Through {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** What a visitor at `127.0.0.2` sends to the proxy. */
export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The name that the visitor asks for, in TLS and in `Host`. */
  readonly name?: string
}

/** Asks over https, trusting this certificate alone. */
export const askThrough =
  (port: number, certificate: string) =>
  (path: string, { method = 'GET', headers = {}, body, name = host }: Sent = {}) =>
    new Promise<Through>((resolve, reject) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port,
          localAddress: '127.0.0.2',
          servername: name,
          ca: readFileSync(certificate),
          checkServerIdentity: () => undefined,
          path,
          method,
          headers: { host: name, ...headers },
        },
        async (answer) =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text: await text(answer),
          }),
      )
      asked.on('error', reject)
      asked.end(body)
    })

export type Ask = ReturnType<typeof askThrough>

export const askForm = (
  ask: Ask,
  path: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) =>
  ask(path, {
    method: 'POST',
    body: formBody(form),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

/** A token of the operator's program. */
export const tokenThrough = async (ask: Ask): Promise<string> => {
  const form = { grant_type: 'client_credentials' }
  const { status, text: body } = await askForm(ask, '/token', form, {
    authorization: basic(operator),
  })
  assert.equal(status, 200, body)
  return JSON.parse(body).access_token
}
