/** `security.txt` (RFC 9116): only if the operator names a contact, and never past its end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { settingsTable } from '../../src/config/settings.ts'
import { start } from '../support/start.ts'

const path = '/.well-known/security.txt'

test('RFC 9116 section 2.5: contact, end and place', async (t) => {
  const securityContact = 'mailto:security@example.com'
  const service = await start({ securityContact, issuer: 'https://example.com/auth', demo: false })
  t.after(() => service.close())
  for (const place of [`https://example.com/auth${path}`, `https://example.com${path}/auth`]) {
    const { status, headers, text } = await service.ask(place)
    const expires = new Date((Math.floor(service.now() / 86_400) + 30) * 86_400_000)
    assert.equal(status, 200, place)
    assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(
      text,
      `Contact: ${securityContact}\nExpires: ${expires.toISOString().replace('.000', '')}\nCanonical: https://example.com/auth${path}\n`,
    )
  }
})

test('without a contact there is no such text', async (t) => {
  const service = await start()
  t.after(() => service.close())
  assert.equal((await service.ask(path)).status, 404)
})

test('a contact is one mail address or an https URL', () => {
  const { parse } = settingsTable.securityContact
  for (const good of ['mailto:a@example.com', 'https://example.com/report']) {
    assert.deepEqual(parse(good, ''), { value: good })
  }
  for (const bad of [
    ...['', 'a@example.com', 'http://example.com', 'https://u:p@example.com', 'javascript:1'],
    ...['mailto:a@example.com?subject=x', 'https://example.com/\nContact: https://evil.example'],
  ]) {
    assert.ok('expected' in parse(bad, ''), bad)
  }
})
