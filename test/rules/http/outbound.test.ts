/** The guarded fetch between honest parties: requests and answers. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createOutbound } from '../../../src/http/outbound.ts'
import { listAddresses } from '../../../src/http/reach.ts'
import { selfSigned } from '../../support/certificate.ts'
import { openSite, type Site } from '../../support/site.ts'

const outbound = createOutbound({ loopback: true, allowed: [], deadline: () => () => {} })

let site: Site
before(async () => {
  site = await openSite(({ url, headers }, answer) => {
    if (headers['if-none-match'] === '"v1"') answer.writeHead(304, { ETag: '"v1"' }).end()
    else if (url === '/gone') answer.writeHead(410).end('gone')
    else {
      answer
        .writeHead(200, {
          'Content-Type': 'application/json',
          'Cache-Control': 'max-age=60',
          ETag: '"v1"',
        })
        .end('{"a":"ä"}')
    }
  })
})
after(() => site.close())

const at = (path: string): string => `http://127.0.0.1:${site.port}${path}`

describe('an answer', () => {
  test('has its status, headers and bytes', async () => {
    const answer = await outbound.fetch({ url: at('/doc?x=1#y'), mostBytes: 100 })
    assert.ok(answer.outcome === 'answered')
    const { url, status, headers, body } = answer
    assert.deepEqual(
      [url, status, Buffer.from(body).toString()],
      [at('/doc?x=1#y'), 200, '{"a":"ä"}'],
    )
    assert.deepEqual(
      ['content-type', 'cache-control', 'etag', 'x-none'].map((name) => headers.get(name)),
      ['application/json', 'max-age=60', '"v1"', null],
    )
  })

  test('of any status is one', async () => {
    const answer = await outbound.fetch({ url: at('/gone'), mostBytes: 100 })
    assert.equal(answer.outcome === 'answered' && answer.status, 410)
  })

  test('may say that nothing has changed', async () => {
    const headers = { 'If-None-Match': '"v1"' }
    const answer = await outbound.fetch({ url: at('/doc'), headers, mostBytes: 1 })
    assert.equal(answer.outcome === 'answered' && answer.status, 304)
  })
})

describe('a request', () => {
  test('carries method, headers and body, and no fragment', async () => {
    const url = at('/hook?x=1#y')
    const headers = { 'Content-Type': 'text/plain' }
    await outbound.fetch({ url, method: 'POST', headers, body: 'hällo', mostBytes: 100 })
    const { method, url: path, body, headers: sent } = site.requests.at(-1) ?? assert.fail()
    assert.deepEqual([method, path, body], ['POST', '/hook?x=1', 'hällo'])
    assert.deepEqual(
      [sent['content-type'], sent['content-length'], sent['user-agent'], sent.connection],
      ['text/plain', '6', 'Latchkey', 'close'],
    )
  })

  test('with a header that nobody may send is not sent', async () => {
    const before = site.requests.length
    const headers = { 'If-None-Match': '"\r\nX: y' }
    const answer = await outbound.fetch({ url: at('/doc'), headers, mostBytes: 100 })
    assert.deepEqual(answer, { outcome: 'failed', reason: 'no_answer', detail: '' })
    assert.equal(site.requests.length, before)
  })
})

test('an address without a route is a fault of the fetch, and no end of the process', async () => {
  // TCP refuses these two in the call of `connect` itself, on any machine.
  for (const address of ['255.255.255.255', '224.0.0.1']) {
    const apart = createOutbound({
      loopback: false,
      allowed: [address],
      resolve: async () => [address],
      deadline: () => () => {},
    })
    const answer = await apart.fetch({ url: 'https://six.example/client.json', mostBytes: 9 })
    assert.deepEqual(answer, { outcome: 'failed', reason: 'no_answer', detail: 'ENETUNREACH' })
  }
})

test('certificates of NODE_EXTRA_CA_CERTS are trusted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-ca-'))
  const certificate = selfSigned(['127.0.0.1'])
  const path = join(folder, 'ca.pem')
  await writeFile(path, certificate.cert)
  const secure = await openSite((_request, answer) => answer.end('hello'), { certificate })
  const program = `
    import { createOutbound } from '${join(import.meta.dirname, '../../../src/http/outbound.ts')}'
    const outbound = createOutbound({ loopback: true, allowed: [] })
    const url = 'https://127.0.0.1:${secure.port}/'
    console.log((await outbound.fetch({ url, mostBytes: 9 })).outcome)`
  const run = async (env: NodeJS.ProcessEnv) => {
    const args = ['--input-type=module', '--eval', program]
    return (await promisify(execFile)(process.execPath, args, { env })).stdout.trim()
  }
  const { NODE_EXTRA_CA_CERTS, ...env } = process.env
  assert.equal(await run({ ...env, NODE_EXTRA_CA_CERTS: path }), 'answered')
  assert.equal(await run(env), 'failed')
  // Also where the environment turns the check off for all that Node does by itself.
  assert.equal(await run({ ...env, NODE_TLS_REJECT_UNAUTHORIZED: '0' }), 'failed')
  await secure.close()
  await rm(folder, { recursive: true })
})

test('a hosts file names addresses, several of one name and several names of one', () => {
  const hosts = [
    '# 10.0.0.9 docs.example',
    '127.0.0.1\tlocalhost',
    '  10.0.0.1  Docs.Example docs # docs.invalid',
    'fd00::1 docs.example\r',
    'nonsense docs.example',
  ].join('\n')
  assert.deepEqual(listAddresses(hosts, 'docs.example'), ['10.0.0.1', 'fd00::1'])
  assert.deepEqual(listAddresses(hosts, 'docs'), ['10.0.0.1'])
  assert.deepEqual(listAddresses(hosts, 'docs.invalid'), [])
})
