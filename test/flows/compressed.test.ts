/** RFC 9110 section 8.4.1.3: the stylesheet and the scripts are compressed for whoever reads gzip. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startBefore } from '../support/start.ts'

const started = startBefore()

const ask = async (path: string, accepted: string | null) => {
  const headers = accepted === null ? {} : { 'accept-encoding': accepted }
  const request = new Request(started.issuer + path, { headers })
  const answer = await started.server().fetch(request, '127.0.0.1')
  return {
    vary: answer.headers.get('vary'),
    encoding: answer.headers.get('content-encoding'),
    bytes: Buffer.from(await answer.arrayBuffer()),
  }
}

describe('files that pages load', () => {
  for (const path of ['/assets/latchkey.css', '/assets/passkeys.js', '/assets/consent.js']) {
    test(`${path} is the same text, compressed and plain`, async () => {
      const plain = await ask(path, null)
      assert.deepEqual([plain.vary, plain.encoding], ['Accept-Encoding', null])
      const short = await ask(path, 'br, gzip;q=0.8')
      assert.deepEqual([short.vary, short.encoding], ['Accept-Encoding', 'gzip'])
      assert.ok(short.bytes.length < plain.bytes.length)
      assert.deepEqual(gunzipSync(short.bytes), plain.bytes)
      assert.deepEqual(await ask(path, 'gzip'), short)
    })
  }

  for (const accepted of ['', 'br', 'gzip;q=0', 'gzip; q=0.000', 'x-gzip2, identity']) {
    test(`"${accepted}" gets plain text`, async () => {
      assert.equal((await ask('/assets/latchkey.css', accepted)).encoding, null)
    })
  }

  test('a page is never compressed, since it has secrets', async () => {
    assert.equal((await ask('/login', 'gzip')).encoding, null)
  })
})
