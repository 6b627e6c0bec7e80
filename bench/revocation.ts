/**
 * Measures how long a revoked JWT is still let in: a service and an API with an offline guard, over
 * loopback. Prints figures in milliseconds. Run it with `node bin/latchkey.js run bench/revocation.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSettings } from '../src/config/load.ts'
import { parseResources } from '../src/config/resources.ts'
import { protect } from '../src/resource/index.ts'
import { startService } from '../src/server.ts'

const rounds = 40
const uri = 'https://orders.example.com'
const [clientId, clientSecret] = ['nightly-report', 'nightly-report-secret']

const folder = mkdtempSync(join(tmpdir(), 'latchkey-revocation-'))
const env = { LATCHKEY_STORE: `sqlite:${join(folder, 'latchkey.db')}`, PORT: '0' }
const declared = parseResources([
  {
    name: 'orders',
    title: 'Orders',
    read: 'Read',
    write: 'Write',
    uri,
    access_token_format: 'jwt',
    introspection_clients: [clientId],
  },
])
if (!('value' in declared)) throw new Error(declared.expected)
const settings = loadSettings({ env, flags: {}, cwd: folder })
const service = await startService({
  settings: { ...settings, demo: true, resources: declared.value },
  tell: () => {},
})
const { issuer } = service

const guard = protect({ issuer, resource: uri, clientId, clientSecret, offline: true })

const post = async (path: string, form: Record<string, string>): Promise<Response> =>
  fetch(issuer + path, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams(form),
  })

const use = async (token: string): Promise<number> => {
  const request = new Request(uri, { headers: { authorization: `Bearer ${token}` } })
  return (await guard(request, 'orders:read', () => new Response())).status
}

const times: number[] = []
for (let round = 0; round < rounds; round++) {
  const form = { grant_type: 'client_credentials', scope: 'orders:read' }
  const { access_token: token } = (await (await post('/token', form)).json()) as {
    access_token: string
  }
  if ((await use(token)) !== 200) throw new Error('the token is not let in')
  await post('/revoke', { token })
  const revoked = performance.now()
  while ((await use(token)) === 200) await new Promise((resume) => setTimeout(resume, 1))
  times.push(performance.now() - revoked)
}
guard.close()
await service.close()
rmSync(folder, { recursive: true, force: true })

times.sort((a, b) => a - b)
const at = (part: number): string => (times[Math.floor(part * (rounds - 1))] ?? 0).toFixed(0)
// biome-ignore lint/suspicious/noConsole: this is the result.
console.log(
  `from revocation to refusal: median ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms`,
)
