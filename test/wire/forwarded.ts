/** Forward auth of docs/forward-auth.md, as it is behind any proxy. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { blocksOf } from '../shape/blocks.ts'
import { root } from '../shape/source.ts'
import { houseApp } from '../support/demo-clients.ts'
import { digestToken, makeProver } from '../support/dpop.ts'
import { type Orders, ordersUri } from './orders.ts'

/** The configuration of the page by the name of its file. */
export const shownConfiguration = (file: string): string => {
  const page = readFileSync(join(root, 'docs/forward-auth.md'), 'utf8')
  const shown = blocksOf('docs/forward-auth.md', page).find(({ name }) => name === file)
  return shown?.text ?? assert.fail(`the page shows no ${file}`)
}

/** The API, and the port of the proxy before it. */
interface Forwarded {
  readonly orders: Orders
  readonly port: number
}

/** A request through the proxy; the API says which headers it got. */
type Ask = (
  headers: Readonly<Record<string, string>>,
  method?: string,
  path?: string,
) => Promise<{ readonly status: number; readonly challenge: string | null; readonly text: string }>

const metadata =
  'resource_metadata="https://orders.example.com/.well-known/oauth-protected-resource/v1"'

/** @param found told once the tests run */
export const testForwarding = (found: () => Forwarded): Ask => {
  const ask: Ask = async (headers, method = 'GET', path = '/v1/orders') => {
    const body = method === 'POST' ? { body: 'tea' } : {}
    const url = `http://127.0.0.1:${found().port}${path}`
    const answer = await fetch(url, { method, headers, ...body })
    const challenge = answer.headers.get('www-authenticate')
    return { status: answer.status, challenge, text: await answer.text() }
  }

  test('a right token reaches the API, with its identity and without itself', async () => {
    const { orders } = found()
    const token = await orders.tokenOf('orders:read')
    const { sub } = await orders.post('/introspect', { token }, houseApp)
    // The visitor's own idea of an identity does not arrive.
    const headers = { authorization: `Bearer ${token}`, 'remote-user': 'root', 'remote-x': 'kept' }
    const { status, text } = await ask(headers)
    assert.equal(status, 200)
    assert.deepEqual(JSON.parse(text), {
      method: 'GET',
      body: '',
      authorization: null,
      'remote-user': 'alice',
      'remote-subject': sub,
      'remote-client': 'house-app',
      'remote-scope': 'orders:read',
      'remote-x': 'kept',
    })
  })

  test('no token: 401 with the challenge', async () => {
    const { status, challenge } = await ask({})
    assert.equal(status, 401)
    assert.equal(challenge, `Bearer realm="latchkey", scope="orders:read", ${metadata}`)
  })

  test('a token that may only read: 403 for a write, with the challenge', async () => {
    const headers = { authorization: `Bearer ${await found().orders.tokenOf('orders:read')}` }
    const { status, challenge } = await ask(headers, 'POST')
    assert.equal(status, 403)
    assert.equal(
      challenge,
      `Bearer realm="latchkey", error="insufficient_scope", error_description="the access token does not allow this", scope="orders:write", ${metadata}`,
    )
  })

  test('a token that may write: its request arrives as it is', async () => {
    const headers = { authorization: `Bearer ${await found().orders.tokenOf('orders')}` }
    const { status, text } = await ask(headers, 'POST')
    const { method, body } = JSON.parse(text)
    assert.deepEqual([status, method, body], [200, 'POST', 'tea'])
  })

  test('a token that is bound to a key comes with a proof for this request alone', async () => {
    const { orders } = found()
    const prover = await makeProver(() => Math.floor(Date.now() / 1000))
    const dpop = await prover.prove('POST', `${orders.issuer}/token`)
    const token = await orders.tokenOf('orders', { dpop })
    const url = 'https://orders.example.com/v1/orders'
    const prove = (method: string, of: string) =>
      prover.prove(method, of, { ath: digestToken(token) })
    const send = async (proof: string, method = 'GET', path = '/v1/orders?page=2') => {
      const headers = {
        authorization: `DPoP ${token}`,
        dpop: proof,
        // What the visitor says of its request does not arrive.
        'x-forwarded-method': 'DELETE',
        'x-forwarded-uri': '/v1/else',
      }
      const { status, challenge } = await ask(headers, method, path)
      return status === 200
        ? 200
        : [status, challenge?.replace(/^(\w+) .*error="(\w+)".*$/, '$1 $2')]
    }
    const wrong = [401, 'DPoP invalid_dpop_proof']
    const proof = await prove('GET', url)
    assert.equal(await send(proof), 200)
    assert.deepEqual(await send(proof), wrong)
    assert.equal(await send(await prove('POST', url), 'POST'), 200)
    assert.deepEqual(await send(await prove('GET', url), 'POST'), wrong)
    assert.deepEqual(await send(await prove('DELETE', 'https://orders.example.com/v1/else')), wrong)
    assert.deepEqual(
      await send(await prove('GET', `http://127.0.0.1:${found().port}/v1/orders`)),
      wrong,
    )
    const bearer = await ask({ authorization: `Bearer ${token}`, dpop: await prove('GET', url) })
    assert.equal(bearer.status, 401)
    assert.match(bearer.challenge ?? '', /^DPoP .*error="invalid_token"/)
  })

  test('the metadata of the resource', async () => {
    const { status, text } = await ask({}, 'GET', '/.well-known/oauth-protected-resource/v1')
    assert.equal(status, 200)
    assert.deepEqual(JSON.parse(text), {
      resource: ordersUri,
      authorization_servers: ['https://auth.example.com'],
      bearer_methods_supported: ['header'],
    })
  })

  return ask
}
