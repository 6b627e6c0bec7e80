/** Redirect URIs by themselves: matching, registration, and their names on pages. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { getRedirectHost, hostToldCharacters } from '../../../src/model/requester.ts'
import { requestLimits } from '../../../src/requests/limits.ts'
import {
  findUriFault,
  matchLoopback,
  quoteUri,
  redirectUriFaults,
} from '../../../src/requests/redirect-uri.ts'

const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']
const ports = fc.option(fc.integer({ min: 0, max: 65535 }), { nil: null })
/** A path and query as a client may register it. */
const rests = fc
  .array(fc.constantFrom('/', 'cb', '?', '%2F', 'a=b', '&', '.', '~'), { maxLength: 5 })
  .map((pieces) => `/${pieces.join('')}`)
const loopback = (host: string, port: number | null, rest: string): string =>
  `http://${host}${port === null ? '' : `:${port}`}${rest}`

describe('R-01: matching', () => {
  it('off loopback nothing matches', () => {
    const uris = fc.oneof(
      fc.webUrl({ withQueryParameters: true }),
      fc.constantFrom('https://127.0.0.1/cb', 'com.example.app:/cb', 'http://a.example/cb'),
    )
    fc.assert(
      fc.property(uris, fc.oneof(uris, fc.string()), (registered, given) => {
        assert.equal(matchLoopback(registered, given), false)
        assert.equal(matchLoopback(registered, `${registered}${given}`), false)
      }),
    )
  })
})

describe('R-02: matching on loopback', () => {
  it('passes over the port, and over nothing else', () => {
    const uri = fc.record({ host: fc.constantFrom(...loopbackHosts), port: ports, rest: rests })
    fc.assert(
      fc.property(uri, uri, (a, b) => {
        const matches = matchLoopback(
          loopback(a.host, a.port, a.rest),
          loopback(b.host, b.port, b.rest),
        )
        assert.equal(matches, a.host === b.host && a.rest === b.rest)
        assert.ok(matchLoopback(loopback(a.host, a.port, a.rest), loopback(a.host, b.port, a.rest)))
      }),
    )
  })

  it('what matches leads to this machine, for a browser too', () => {
    const pieces = ['127.0.0.1', '@', ':', '1', '/', '/cb', '.evil.example', '\\', '#', '?', '%40']
    const authorities = fc.array(fc.constantFrom(...pieces), { maxLength: 6 })
    fc.assert(
      fc.property(authorities, (list) => {
        const given = `http://${list.join('')}`
        if (!matchLoopback('http://127.0.0.1/cb', given)) return
        const { hostname, username, password, pathname, search, hash } = new URL(given)
        assert.deepEqual(
          [hostname, username, password, pathname, search, hash],
          ['127.0.0.1', '', '', '/cb', '', ''],
        )
      }),
      { numRuns: 2000, examples: [[['127.0.0.1', ':', '1', '/cb']]] },
    )
  })

  it('an empty path is /', () => {
    for (const host of loopbackHosts) {
      assert.ok(matchLoopback(`http://${host}`, `http://${host}:1/`))
      assert.ok(matchLoopback(`http://${host}:9/`, `http://${host}`))
      assert.equal(matchLoopback(`http://${host}`, `http://${host}:1//`), false)
    }
  })

  it('a port is a number from 0 to 65535', () => {
    for (const port of ['0', '65535']) {
      assert.ok(matchLoopback('http://127.0.0.1/', `http://127.0.0.1:${port}/`))
    }
    for (const port of ['', '65536', '000000', '-1', '1e3', '0x1', '1 ', '１', '1:2']) {
      assert.equal(matchLoopback('http://127.0.0.1/', `http://127.0.0.1:${port}/`), false)
    }
  })
})

describe('R-07: registering', () => {
  it('https, http on loopback, and private-use schemes', () => {
    const good = [
      'https://app.example',
      'https://app.example/callback?x=1',
      'https://app.example:8443/',
      'https://[2001:db8::1]/cb',
      'http://127.0.0.1',
      'http://localhost:3000/cb?x=1',
      'http://[::1]:1/',
      'com.example.app:/cb',
      'com.example.app-2://cb',
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'vscode://vscode.github-authentication/did-authenticate',
      'myapp:/cb',
      'MyApp://cb',
      'web+app://cb',
    ]
    assert.deepEqual(
      good.map((uri) => findUriFault(uri)),
      good.map(() => null),
    )
  })

  const faults: Readonly<Record<string, readonly string[]>> = {
    'is too long': [`https://app.example/${'x'.repeat(requestLimits.redirectUriCharacters)}`],
    'has a fragment': ['https://app.example/#', 'com.example.app:/cb#x'],
    'holds a character that no redirect URI may have': [
      'https://app.example/*',
      'https://app.example/ x',
      'https://app.example/\n',
      'https://äpp.example/',
      'https://a.example\\@b.example/',
      'java\nscript:alert(1)',
      '',
    ],
    'is not an absolute URI': ['/cb', '//app.example/cb', 'cb', 'https://', 'https://a:99999/'],
    'has a user name in it': [
      'https://u@app.example/',
      'http://u:p@127.0.0.1/',
      'cursor://u@anysphere/cb',
    ],
    'is not of the form https://host/path': [
      'https:app.example/cb',
      'https:/app.example/cb',
      'https:///app.example/cb',
      'https://@app.example/cb',
      'HTTPS://app.example/cb',
    ],
    'is http but not on a loopback address': [
      'http://app.example/cb',
      'http://127.0.0.1.app.example/',
      'http://127.1/',
      'http://0.0.0.0/',
      'http://app.localhost/',
      'http:127.0.0.1/',
    ],
    'has a scheme that is neither https nor private to an application': [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'javascript://app.example/%0aalert(1)',
      'vbscript:/x',
      'data:text/html,x',
      'file:///etc/passwd',
      'about:blank',
      'blob:https://app.example/1',
      'view-source:https://app.example/',
      'ws://app.example/',
      'wss://app.example/',
      'urn:ietf:wg:oauth:2.0:oob',
      'com.example.:/cb',
      'ftp://app.example/',
      'intent://cb',
      'ms-msdt:/id',
      'mailto:/a',
      'localhost:3000/cb',
    ],
    'has a parameter of the answer in its query, such as code or state': [
      ...['code', 'state', 'iss', 'error', 'response', 'id_token'].map(
        (name) => `https://app.example/cb?a=1&${name}=x`,
      ),
      'http://127.0.0.1/cb?%63ode=x',
      'com.example.app:/cb?state',
    ],
    'has no slash after its scheme': ['app.example:3000/cb', 'com.example.app:cb', 'myapp:'],
  }
  for (const [fault, uris] of Object.entries(faults)) {
    it(fault, () => {
      for (const uri of uris) {
        const found = findUriFault(uri)
        assert.equal(found && redirectUriFaults[found], fault, uri)
      }
    })
  }

  it('what may be registered is read alike by everyone', () => {
    const pieces = [
      'https:',
      'http:',
      '/',
      '//',
      'app.example',
      '127.0.0.1',
      '@',
      ':',
      '?',
      '\\',
      '\t',
    ]
    const uris = fc.array(fc.constantFrom(...pieces), { maxLength: 7 }).map((list) => list.join(''))
    fc.assert(
      fc.property(uris, (uri) => {
        if (findUriFault(uri) !== null) return
        const { host, username, hash, protocol } = new URL(uri)
        if (!/^https?:$/.test(protocol)) return
        assert.deepEqual([username, hash], ['', ''])
        // RFC 3986 appendix B, without the leniency of browsers.
        const [, scheme, authority] = /^([^:/?#]+):\/\/([^/?#]*)/.exec(uri) ?? []
        assert.equal(`${scheme}:`, protocol)
        assert.equal(authority?.replace(/:(443|80)?$/, ''), host)
        // The same target from one of our pages as by itself.
        for (const page of ['https://as.example/authorize', 'http://127.0.0.1:6749/authorize']) {
          assert.equal(new URL(uri, page).href, new URL(uri).href)
        }
      }),
      { numRuns: 3000, examples: [['https:app.example'], ['https:///app.example/']] },
    )
  })
})

describe('as an error quotes it', () => {
  const quoted = {
    'https://app.example/cb': "'https://app.example/cb'",
    'https://app.example/cb?key=secret': "'https://app.example/cb...'",
    'https://app.example/#token': "'https://app.example/...'",
    'https://user:secret@app.example/cb': "'https:...@app.example/cb'",
    'http:user:secret@app.example': "'http:...@app.example'",
    'https://a.example/\n"\\\'\u202e': "'https://a.example/?????'",
    [`https://a.example/${'x'.repeat(requestLimits.redirectUriCharacters)}`]: `'https://a.example/${'x'.repeat(hostToldCharacters - 18)}...'`,
    '': "''",
  }
  for (const [uri, text] of Object.entries(quoted)) {
    it(JSON.stringify(uri).slice(0, 60), () => assert.equal(quoteUri(uri), text))
  }
})

describe('what people are shown', () => {
  const shown = {
    'https://app.example/cb': 'app.example',
    'https://app.example:8443/cb': 'app.example:8443',
    'http://127.0.0.1:6750/callback': '127.0.0.1:6750',
    'http://[::1]:1/': '[::1]:1',
    'com.example.app:/cb': 'com.example.app',
    // No foreign host: the scheme decides about the program.
    'com.evil.app://bank.example/cb': 'com.evil.app',
  }
  for (const [uri, target] of Object.entries(shown)) {
    it(`${uri}: ${target}`, () => assert.equal(getRedirectHost(uri), target))
  }
})
