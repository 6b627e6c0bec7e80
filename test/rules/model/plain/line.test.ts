import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeName, shortenPlace, spellOut } from '../../../../src/model/plain/line.ts'
import { findWebUri, formatHost } from '../../../../src/protocol/web-uri.ts'

test('a name loses what cannot be seen and what turns the text around it', () => {
  const names = [
    'Photo\u202eretnirP',
    'Pay\u200bPal',
    '\u2066Bank\u2069\ufeff',
    'Two\r\nlines\t here\u2028now',
    'Soft\u00adhyphen',
    '\ud800half',
    'tag\u{e0041}\u{e007f}ged',
    '  Zürich 写真 صور  ',
  ]
  assert.deepEqual(names.map(normalizeName), [
    'PhotoretnirP',
    'PayPal',
    'Bank',
    'Two lines here now',
    'Softhyphen',
    'half',
    'tagged',
    'Zürich 写真 صور',
  ])
})

test('a name of nothing but unseen characters is called so', () => {
  const names = ['', '   ', '\u200b\u200d', '\u3164\u115f', '\u2800']
  assert.deepEqual(
    names.map(normalizeName),
    names.map(() => '(?)'),
  )
})

test('a long name and a pile of marks are cut', () => {
  assert.equal(normalizeName('é'.repeat(81)), `${'é'.repeat(79)}…`)
  assert.equal(normalizeName('é'.repeat(80)), 'é'.repeat(80))
  assert.equal(normalizeName(`q${'\u0300'.repeat(50)}`), `q${'\u0300'.repeat(4)}`)
})

test('unseen characters can be spelled out', () => {
  assert.equal(
    spellOut('https://a\u200b.example/\u202e\u{e0041}\n'),
    'https://a‹U+200B›.example/‹U+202E›‹U+E0041›‹U+000A›',
  )
})

test('only a web address is a web address', () => {
  const given = [
    'https://a.example/x',
    'http://127.0.0.1/',
    'javascript:alert(1)',
    ' data:,x',
    'x',
    '',
  ]
  assert.deepEqual(given.map(findWebUri), [
    'https://a.example/x',
    'http://127.0.0.1/',
    null,
    null,
    null,
    null,
  ])
})

test('of a very long host or scheme both ends are shown', () => {
  const long = `com.bank.${'x'.repeat(200)}.evil.example:8443`
  assert.equal(shortenPlace(long), `com.bank.${'x'.repeat(31)}…${'x'.repeat(21)}.evil.example:8443`)
  for (const place of ['127.0.0.1:6750', 'a'.repeat(80)]) assert.equal(shortenPlace(place), place)
  assert.equal(shortenPlace('a'.repeat(81)).length, 80)
})

test('of the page of a stranger only the host is named', () => {
  const uris = ['https://bank.example:8443/log-in?now', 'javascript:alert(1)', '', null, undefined]
  assert.deepEqual(uris.map(formatHost), ['bank.example:8443', null, null, null, null])
})
