import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWebUri } from '../../../src/protocol/web-uri.ts'

test('web pages are taken, whatever their host is written like', () => {
  const given = {
    'https://shop.example/logo.png': 'https://shop.example',
    'HTTP://Shop.Example:8080': 'http://shop.example:8080',
    'http://127.0.0.1/x;y?z="\'#,': 'http://127.0.0.1',
    'https://[2001:db8::1]:8443/': 'https://[2001:db8::1]:8443',
    'https://b\u00fccher.example/': 'https://xn--bcher-kva.example',
  }
  for (const [uri, origin] of Object.entries(given)) assert.equal(parseWebUri(uri)?.origin, origin)
})

test('nothing else is, and no host that could part the directives of a policy', () => {
  const given = [
    'javascript:alert(1)',
    'data:text/html,x',
    '/logo.png',
    '',
    'https://x;sandbox/l.png',
    'https://x,y/',
    "https://x'self'/",
    'https://x"y/',
    'https://x*y/',
    'https://x_y/',
  ]
  assert.deepEqual(
    given.map(parseWebUri),
    given.map(() => null),
  )
})
