/** Short names of browsers, out of what they say of themselves. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { httpLimits } from '../../../src/http/limits.ts'
import { parseAgent } from '../../../src/http/user-agent.ts'

const chrome = (system: string, more = ''): string =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36${more}`
const windows = 'Windows NT 10.0; Win64; x64'
const android = 'Linux; Android 15; Pixel 9'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

describe('browsers that people use', () => {
  const rows: readonly [string, string, string][] = [
    [chrome(windows), 'Chrome', 'Windows'],
    [chrome('X11; CrOS x86_64 14541.0.0'), 'Chrome', 'ChromeOS'],
    [chrome(windows, ' Edg/140.0.0.0'), 'Edge', 'Windows'],
    [chrome('X11; Linux x86_64', ' OPR/120.0.0.0'), 'Opera', 'Linux'],
    [chrome(android), 'Chrome', 'Android'],
    [chrome(android, ' SamsungBrowser/28.0'), 'Samsung Internet', 'Android'],
    [chrome(android, ' MicroMessenger/8.0.60'), 'WeChat', 'Android'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
      'Firefox',
      'macOS',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    [`${iphone} Version/19.0 Mobile/15E148 Safari/604.1`, 'Safari', 'iPhone'],
    [`${iphone} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome', 'iPhone'],
    [`${iphone} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 'Firefox', 'iPhone'],
  ]
  for (const [userAgent, program, system] of rows) {
    test(`${program}, ${system}`, () =>
      assert.deepEqual(parseAgent(userAgent), { program, system }))
  }
})

test('a program goes by the name that it gives itself, and what says nothing has none', () => {
  assert.deepEqual(parseAgent('curl/8.14.1'), { program: 'curl', system: null })
  assert.deepEqual(parseAgent('my-tool'), { program: 'my-tool', system: null })
  for (const silent of ['', 'Mozilla/5.0', '<b>x</b>', '   ', 'a b c']) {
    assert.deepEqual(parseAgent(silent), { program: null, system: null })
  }
})

test('whatever is said, the names are short and plain', () => {
  const pieces = fc.constantFrom(
    'Mozilla/5.0',
    'Chrome/',
    'Version/',
    ' Safari/',
    '(',
    '/',
    'x',
    ' ',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 2000 }),
    fc.array(pieces, { maxLength: 2000 }).map((all) => all.join('')),
    fc.stringMatching(/^[\w.-]{0,600}$/),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const { program, system } = parseAgent(text)
      for (const name of [program, system]) {
        assert.ok(name === null || /^[\w .-]+$/.test(name))
        assert.ok((name ?? '').length <= httpLimits.programNameCharacters)
      }
    }),
  )
})

test('a long one takes no time', () => {
  const long = `Version/${'9'.repeat(1_000_000)}`
  assert.deepEqual(parseAgent(long), { program: 'Version', system: null })
})
