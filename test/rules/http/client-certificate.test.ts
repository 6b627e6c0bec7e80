/** Certificates in headers of a proxy (RFC 9440). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  dropCertificate,
  readCertificateChain,
  readClientCertificate,
} from '../../../src/http/client-certificate.ts'
import { httpLimits } from '../../../src/http/limits.ts'

const withHeaders = (headers: Readonly<Record<string, string>>) => ({
  headers: new Headers(headers),
})

const leafOf = (header: string) => {
  const read = readClientCertificate(withHeaders({ 'client-cert': header }))
  return read instanceof Uint8Array ? [...read] : read
}

const chainOf = (header: string) => {
  const read = readCertificateChain(withHeaders({ 'client-cert-chain': header }))
  return read === 'malformed' ? read : read.map((one) => [...one])
}

describe('Client-Cert', () => {
  test('is absent', () => assert.equal(readClientCertificate(withHeaders({})), null))
  test('holds DER', () => assert.deepEqual(leafOf(':AQID:'), [1, 2, 3]))

  for (const header of [
    '',
    '::',
    'AQID',
    ':AQID',
    'AQID:',
    ':AQID:;a=1',
    ':AQID:, :AQID:',
    ':AQID:,',
    ':A-_D:',
    ':AQI:',
    ':AQJ=:',
    ':AQ ID:',
    ':%41QID:',
    '-----BEGIN CERTIFICATE-----',
    `:${'AAAA'.repeat(httpLimits.certificateCharacters / 4)}:`,
  ]) {
    test(`is malformed: ${header.slice(0, 30)}`, () => assert.equal(leafOf(header), 'malformed'))
  }

  test('leads back to any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
        const base64 = Buffer.from(bytes).toString('base64')
        assert.deepEqual(leafOf(`:${base64}:`), [...bytes])
      }),
    )
  })
})

describe('Client-Cert-Chain', () => {
  test('is a list', () => assert.deepEqual(chainOf(':AQ==:, :Ag==:,:Aw==:'), [[1], [2], [3]]))
  test('is empty', () => assert.deepEqual(chainOf(''), []))
  test('has few entries', () => {
    const most = httpLimits.certificatesInChain
    assert.equal(chainOf(Array(most).fill(':AQ==:').join()).length, most)
    assert.equal(
      chainOf(
        Array(most + 1)
          .fill(':AQ==:')
          .join(),
      ),
      'malformed',
    )
  })
  for (const header of [':AQ==:, x', ':AQ==:,,:AQ==:', ',', ':AQ==: :AQ==:']) {
    test(`is malformed: ${header}`, () => assert.equal(chainOf(header), 'malformed'))
  }
})

test('a request without its certificate is otherwise the same', async () => {
  const request = new Request('http://127.0.0.1/token?x=1', {
    method: 'POST',
    body: 'a=b',
    headers: { 'client-cert': ':AQ==:', 'client-cert-chain': ':AQ==:', 'x-other': 'stays' },
  })
  const { method, url, headers, ...left } = dropCertificate(request)
  assert.deepEqual([method, url, headers.get('X-Other')], ['POST', request.url, 'stays'])
  for (const name of ['client-cert', 'Client-Cert', 'client-cert-chain', 'CLIENT-CERT-CHAIN']) {
    assert.equal(headers.get(name), null)
  }
  assert.equal(await left.text(), 'a=b')
})
