/** STARTTLS (RFC 3207): a password and a link go to the named server by TLS, or not at all. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Browser } from '../support/browser.ts'
import { type Certificate, selfSigned } from '../support/certificate.ts'
import { openSmtp, type SmtpServer } from '../support/smtp.ts'
import { start } from '../support/start.ts'

/** This machine under an address that is no loopback one, so it counts as remote. */
const remote = '0.0.0.0'

let trusted: Certificate
const usual = getCACertificates('default')
before(() => {
  trusted = selfSigned([remote])
  setDefaultCACertificates([...usual, trusted.cert])
})
after(() => setDefaultCACertificates(usual))

/** Asks for a mail, and says what the log has about it. */
const send = async (server: SmtpServer, scheme: 'smtp' | 'smtps', host = remote) => {
  const service = await start({
    smtp: `${scheme}://latchkey:p%40ss%2Fword@${host}:${server.port}`,
    mailFrom: 'login@service.example',
  })
  const browser = new Browser(service)
  await browser.submit(await browser.go('/forgot'), { username: 'alice' })
  await service.advance(1)
  const faults = service.notices.flatMap(({ message, fault }) =>
    message === 'a mail was not taken' ? [fault] : [],
  )
  await service.close()
  await server.close()
  return faults
}

describe('a remote server', () => {
  it('gets password and mail by STARTTLS', async () => {
    const server = await openSmtp({ upgrade: trusted })
    assert.deepEqual(await send(server, 'smtp'), [])
    assert.deepEqual(
      server.taken.map(({ to, isEncrypted }) => [to, isEncrypted]),
      [[['alice@example.com'], true]],
    )
    assert.deepEqual(server.passwords, [{ password: 'p@ss/word', isEncrypted: true }])
  })

  it('gets both by TLS from the start', async () => {
    const server = await openSmtp({ secure: trusted })
    assert.deepEqual(await send(server, 'smtps'), [])
    assert.equal(server.taken.length, 1)
  })

  it('gets nothing where it offers no STARTTLS, or an attacker took that out', async () => {
    const server = await openSmtp()
    assert.deepEqual(await send(server, 'smtp'), [
      'ETLS 500: the server offers no STARTTLS, which a remote one needs: use smtps://, or another server',
    ])
    assert.deepEqual([server.taken, server.passwords], [[], []])
  })

  it('gets nothing with a certificate that nobody vouches for', async () => {
    const server = await openSmtp({ upgrade: selfSigned([remote]) })
    const [fault = ''] = await send(server, 'smtp')
    assert.match(String(fault), /^E(SOCKET|TLS): the certificate of the server is not trusted/)
    assert.deepEqual([server.taken, server.passwords], [[], []])
  })

  it('gets nothing with a trusted certificate of another host', async () => {
    const other = selfSigned(['mail.example'])
    setDefaultCACertificates([...usual, trusted.cert, other.cert])
    const server = await openSmtp({ upgrade: other })
    const [fault = ''] = await send(server, 'smtp')
    assert.match(String(fault), /^E(SOCKET|TLS): the certificate of the server is not trusted/)
    assert.deepEqual([server.taken, server.passwords], [[], []])
  })
})

it('a server on this machine needs no TLS', async () => {
  const server = await openSmtp()
  assert.deepEqual(await send(server, 'smtp', '127.0.0.1'), [])
  assert.deepEqual(
    server.taken.map(({ isEncrypted }) => isEncrypted),
    [false],
  )
})
