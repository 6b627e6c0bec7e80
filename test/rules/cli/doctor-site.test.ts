/** Findings of `latchkey doctor` where something else answers at the address of the service. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { checkSite } from '../../../src/cli/doctor/site.ts'

const place = mkdtempSync(join(tmpdir(), 'latchkey-doctor-'))
after(() => rmSync(place, { recursive: true }))

const findingsAt = async (server: Server, scheme: string) => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = `${scheme}://127.0.0.1:${port}`
  const findings = await checkSite({ issuer }, Date.now())
  server.closeAllConnections()
  server.close()
  return findings.map(({ id, finding, fix }) => ({
    id,
    finding: finding.replaceAll(issuer, 'ISSUER'),
    fix,
  }))
}

const answering =
  (status: number): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end('<html>')

describe('the doctor at the address of the service', () => {
  test('finds a proxy that reaches no service', async () => {
    assert.deepEqual(await findingsAt(createServer(answering(502)), 'http'), [
      {
        id: 'proxy.status',
        finding: 'ISSUER/.well-known/oauth-authorization-server answers 502.',
        fix: 'Look whether the service runs, and whether the proxy names its host and port. Their logs say more.',
      },
    ])
  })

  test('finds a proxy that does not pass on the host name', async () => {
    assert.deepEqual(await findingsAt(createServer(answering(421)), 'http'), [
      {
        id: 'proxy.status',
        finding: 'ISSUER/.well-known/oauth-authorization-server answers 421.',
        fix: 'Have the proxy pass on the header Host, or add the name that it sends to LATCHKEY_HOSTS.',
      },
    ])
  })

  test('finds another site', async () => {
    assert.deepEqual(await findingsAt(createServer(answering(404)), 'http'), [
      {
        id: 'proxy.status',
        finding: 'ISSUER/.well-known/oauth-authorization-server answers 404.',
        fix: 'Let the proxy pass on every path of LATCHKEY_ISSUER, and those that begin with /.well-known/.',
      },
    ])
  })

  test('finds a certificate that this machine does not trust', async () => {
    const [key, cert] = [join(place, 'key.pem'), join(place, 'certificate.pem')]
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '90']
    const named = ['-subj', '/CN=test', '-addext', 'subjectAltName=IP:127.0.0.1']
    const files = ['-keyout', key, '-out', cert]
    assert.equal(spawnSync('openssl', ['req', '-x509', ...kind, ...named, ...files]).status, 0)
    const options = { key: readFileSync(key), cert: readFileSync(cert) }
    const server = createTlsServer(options, answering(200))
    const [found, ...others] = await findingsAt(server, 'https')
    assert.deepEqual(others, [])
    assert.equal(found?.id, 'tls.untrusted')
    assert.match(
      found.finding,
      /^The certificate of ISSUER is not trusted: DEPTH_ZERO_SELF_SIGNED_CERT\.$/,
    )
    assert.equal(
      found.fix,
      'Install a certificate of a public authority, with its whole chain (fullchain.pem). For an authority of your own, set NODE_EXTRA_CA_CERTS to its file and restart the service.',
    )
  })
})
