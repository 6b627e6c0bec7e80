/** Attacks: strangers look around in a private network that the operator opened to the service. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { operatorOf } from '../flows/operator.ts'
import { selfSigned } from '../support/certificate.ts'
import { type KeyPair, keySetOf, newKeys, objectClaims, sign } from '../support/client-keys.ts'
import { logInAt, logoutPath } from '../support/logout.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { requestOf, tryRegister } from '../support/registered.ts'
import { openSite, type Site } from '../support/site.ts'
import { type Started, start } from '../support/start.ts'

const certificate = selfSigned(['127.0.0.1'])
setDefaultCACertificates([certificate.cert])

const png = Buffer.from(`\x89PNG\r\n\x1a\n${'x'.repeat(50)}`, 'latin1')

let inside: Site
let demo: Started
let service: Started
let keys: KeyPair
before(async () => {
  keys = await newKeys('RS256', 'k-1')
  inside = await openSite(
    ({ url }, answer) => {
      if (url === '/logo.png') answer.end(png)
      else if (url === '/keys') answer.end(JSON.stringify(keySetOf(keys)))
      else if (url === '/sector') answer.end(JSON.stringify([callback]))
      else answer.end()
    },
    { certificate },
  )
  // Its owners stay when it is a demo no more.
  demo = await start()
  await demo.server().close()
  service = await start({
    store: `sqlite:${demo.folder}/latchkey.db`,
    demo: false,
    registration: 'open',
    fetchAllow: ['127.0.0.1'],
  })
})
after(async () => {
  await service.close()
  await rm(demo.folder, { recursive: true })
  await inside.close()
})

const at = (path: string): string => `https://127.0.0.1:${inside.port}${path}`

const openid = () => ({
  client_name: 'Shop',
  redirect_uris: [callback],
  jwks_uri: at('/keys'),
  backchannel_logout_uri: at('/logout'),
  logo_uri: at('/logo.png'),
})
const pairwise = () => ({ subject_type: 'pairwise', sector_identifier_uri: at('/sector') })

/** Has the service use every URL of a client. */
const useAll = async ({ body }: { readonly body: Readonly<Record<string, string>> }) => {
  const [id = '', secret = ''] = [body.client_id, body.client_secret]
  const client = { id, redirectUri: callback }
  const request = await sign(objectClaims(service, client), keys)
  await service.ask(authorizePath(requestOf(client, { request })))
  await service.ask(authorizePath(requestOf(client, { request_uri: at('/request') })))
  const { browser, idToken } = await logInAt(service, { clientId: id, secret })
  await browser.ask(logoutPath({ id_token_hint: idToken }))
  await service.advance(1)
}

describe('a private address that the operator allows', () => {
  test('is not asked for what a stranger wrote', async () => {
    await service.ask(authorizePath({ ...codeRequest, client_id: at('/admin/delete') }))
    assert.equal((await tryRegister(service, { ...openid(), ...pairwise() })).status, 400)
    const made = await tryRegister(service, { ...openid(), request_uris: [at('/request')] })
    assert.equal(made.status, 201, made.text)
    await useAll(made)
    assert.equal(inside.connections(), 0)
  })

  test('is asked for what the operator wrote', async () => {
    const operator = await operatorOf(service)
    const json = { ...openid(), ...pairwise(), request_uris: [at('/request')] }
    const made = await operator('POST', 'clients', json)
    assert.equal(made.status, 201, made.text)
    await useAll(made)
    const asked = new Set(inside.requests.map(({ url }) => url))
    assert.deepEqual([...asked].toSorted(), [
      '/keys',
      '/logo.png',
      '/logout',
      '/request',
      '/sector',
    ])
  })
})
