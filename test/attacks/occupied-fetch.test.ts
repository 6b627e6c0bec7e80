/** Attacks: strangers who occupy the fetches of the service, from many networks or by the pages of others. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { clientLimits, documentLimits } from '../../src/clients/limits.ts'
import { pingLimits } from '../../src/features/backchannel/limits.ts'
import { httpLimits } from '../../src/http/limits.ts'
import { operatorOf } from '../flows/operator.ts'
import { askBackchannel, backchannelGrant, decide, openRequests } from '../support/backchannel.ts'
import { type KeyPair, keySetOf, newKeys, objectClaims, sign } from '../support/client-keys.ts'
import {
  type DocumentSite,
  openDocumentSite,
  openDocumentSiteBefore,
} from '../support/document-site.ts'
import { logInAt, logoutPath } from '../support/logout.ts'
import { authorizePath, callback, codeRequest } from '../support/printing.ts'
import { register, requestOf, tryRegister } from '../support/registered.ts'
import { type Started, start, startBefore } from '../support/start.ts'

const pathOf = (client_id: string): string => authorizePath({ ...codeRequest, client_id })

/** From any address, without following the answer. */
const askFrom = (
  peer: string,
  path: string,
  service: Started,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  service.server().fetch(new Request(service.issuer + path, { headers }), peer)

/** Asked by so many networks for all places that strangers have: it never answers. */
const openSilence = async () => {
  const sockets = new Set<Socket>()
  let met = Promise.withResolvers<void>()
  const { atOnce: fetchesAtOnce, atOncePerHost: fetchesPerHost } = httpLimits.outbound
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (sockets.size === fetchesAtOnce) met.resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return {
    port,
    held: (): number => sockets.size,
    async occupy(service: Started): Promise<readonly Promise<Response>[]> {
      met = Promise.withResolvers()
      const asking = Array.from({ length: fetchesAtOnce }, (_, turn) => {
        const network = Math.floor(turn / documentLimits.underWayOfNetwork)
        const host = `https://silent-${Math.floor(turn / fetchesPerHost)}.example:${port}`
        return askFrom(`203.0.${network}.1`, pathOf(`${host}/${turn}.json`), service)
      })
      await met.promise
      return asking
    },
    end() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

describe('while strangers of eight networks hold all of their places', () => {
  let service: Started
  let host: DocumentSite
  let keys: KeyPair
  let silence: Awaited<ReturnType<typeof openSilence>>
  let asking: readonly Promise<Response>[]
  before(async () => {
    host = await openDocumentSite()
    keys = await newKeys('RS256', 'k-1')
    silence = await openSilence()
    const hook = host.answer('/hook', (_request, response) => response.end())
    service = await start({
      webhooks: [
        { id: 'a', url: hook, secrets: [`whsec_${'A'.repeat(32)}`], events: ['client.registered'] },
      ],
      resolve: async () => ['127.0.0.1'],
    })
    await service.advance(1)
    asking = await silence.occupy(service)
  })
  after(async () => {
    silence.end()
    await Promise.all(asking)
    await service.close()
    await host.site.close()
  })

  const registered = async (members: object) => {
    const operator = await operatorOf(service)
    const { body } = await operator('POST', 'clients', {
      client_name: 'Shop',
      redirect_uris: [callback],
      ...members,
    })
    return { id: body.client_id, secret: body.client_secret, redirectUri: callback }
  }

  test('no other stranger is served', async () => {
    const answer = await askFrom('198.51.100.1', pathOf(host.serve('/other.json')), service)
    assert.equal(answer.status, 400)
    assert.equal(host.asked('/other.json'), 0)
  })

  test('logouts of clients of the operator are told', async () => {
    const uri = host.answer('/logout', (_request, response) => response.end())
    const { id, secret } = await registered({ backchannel_logout_uri: uri })
    const { browser, idToken } = await logInAt(service, { clientId: id, secret })
    await browser.ask(logoutPath({ id_token_hint: idToken }))
    await service.advance(1)
    assert.equal(host.asked('/logout'), 1)
  })

  test('webhooks are sent', async () => {
    const before = host.asked('/hook')
    await registered({})
    await service.advance(1)
    assert.ok(host.asked('/hook') > before)
  })

  test('keys, request objects and sectors of clients of the operator are fetched', async () => {
    const set = JSON.stringify(keySetOf(keys))
    const jwks_uri = host.answer('/keys', (_request, response) => response.end(set))
    let object = ''
    const uri = host.answer('/object', (_request, response) => response.end(object))
    const sector = host.answer('/sector', (_request, response) =>
      response.end(JSON.stringify([callback])),
    )
    const pairwise = { subject_type: 'pairwise', sector_identifier_uri: sector }
    const client = await registered({ jwks_uri, request_uris: [uri], ...pairwise })
    object = await sign(objectClaims(service, client), keys)
    const answer = await service.ask(authorizePath(requestOf(client, { request_uri: uri })))
    assert.match(answer.headers.get('location') ?? '', /\/login/)
    assert.deepEqual(['/keys', '/object', '/sector'].map(host.asked), [1, 1, 1])
  })

  test('logos of clients of the operator are fetched', async () => {
    const png = Buffer.from(`\x89PNG\r\n\x1a\n${'x'.repeat(50)}`, 'latin1')
    const logo_uri = host.answer('/logo.png', (_request, response) => response.end(png))
    await registered({ logo_uri })
    await service.advance(1)
    assert.equal(host.asked('/logo.png'), 1)
  })
})

describe('the bound of a network', () => {
  const service = startBefore()
  const host = openDocumentSiteBefore()
  // To the beginning of a window.
  beforeEach(() => {
    const { windowSeconds } = documentLimits
    service.pass(windowSeconds - (service.now() % windowSeconds))
  })

  const ask = (id: string) => service.ask(pathOf(id))

  test('counts fetches of every kind together', async () => {
    const uri = host.url('/gone.jwt')
    const client = await register(service, { request_uris: [uri] })
    const byObject = authorizePath(requestOf(client, { request_uri: uri }))
    const sector = { subject_type: 'pairwise', sector_identifier_uri: host.url('/gone.json') }
    for (let turn = 0; turn < documentLimits.failuresOfNetwork; turn += 3) {
      await service.ask(byObject)
      await tryRegister(service, sector)
      await ask(host.url(`/gone/${turn}.json`))
    }
    const before = host.site.requests.length
    service.pass(10)
    const late = await ask(host.serve('/late.json'))
    assert.deepEqual([late.status, late.headers.get('retry-after')], [429, '50'])
    assert.equal((await tryRegister(service, sector)).status, 429)
    await service.ask(byObject)
    assert.equal(host.site.requests.length, before)
    service.pass(50)
    assert.equal((await ask(host.url('/late.json'))).status, 302)
  })

  test('counts an answer that comes slowly as a failure', async () => {
    let held: (() => void)[] = []
    let isFull = Promise.withResolvers<void>()
    const hold = (answer: () => void, most: number): void => {
      held.push(answer)
      if (held.length === most) isFull.resolve()
    }
    const slow = (path: string, most: number): string =>
      host.answer(path, (_request, response: ServerResponse) => {
        const id = host.url(path)
        hold(() => {
          response.writeHead(200, { 'Content-Type': 'application/json' })
          response.end(
            JSON.stringify({ client_id: id, client_name: 'Slow', redirect_uris: [callback] }),
          )
        }, most)
      })
    let left: number = documentLimits.failuresOfNetwork
    while (left > 0) {
      const most = Math.min(documentLimits.underWayOfNetwork, left)
      const asking = Array.from({ length: most }, (_, turn) =>
        ask(slow(`/slow/${left}-${turn}.json`, most)),
      )
      await isFull.promise
      service.pass(documentLimits.slowMilliseconds / 1000)
      for (const answer of held) answer()
      for (const { status } of await Promise.all(asking)) assert.equal(status, 302)
      held = []
      isFull = Promise.withResolvers()
      left -= most
    }
    assert.equal((await ask(host.serve('/after.json'))).status, 429)
  })
})

test('logos of clients of the operator do not wait for those of strangers', async () => {
  const service = await start()
  const host = await openDocumentSite()
  const { atOnce } = clientLimits.logo
  const held: ServerResponse[] = []
  const isFull = Promise.withResolvers<void>()
  const slow = host.answer('/slow.png', (_request, response) => {
    if (held.push(response) === atOnce) isFull.resolve()
  })
  for (let turn = 0; turn < atOnce; turn++) {
    const id = host.serve(`/logo-${turn}.json`, { logo_uri: slow })
    assert.equal((await service.ask(pathOf(id))).status, 302)
  }
  const slowly = service.advance(1)
  await isFull.promise
  const logo_uri = host.answer('/own.png', (_request, response) => response.end())
  const operator = await operatorOf(service)
  await operator('POST', 'clients', { client_name: 'Shop', redirect_uris: [callback], logo_uri })
  await service.advance(1)
  assert.equal(host.asked('/own.png'), 1)
  for (const response of held) response.end()
  await slowly
  await service.close()
  await host.site.close()
})

test('pings of clients of the operator are sent while strangers leave theirs unanswered', async () => {
  const service = await start({ resolve: async () => ['127.0.0.1'] })
  const [host, silence] = [await openDocumentSite(), await openSilence()]
  const met = Promise.withResolvers<void>()
  const own = host.answer('/ping', (_request, response) => {
    response.end()
    met.resolve()
  })
  const operator = await operatorOf(service)
  const decideFor = async (
    by: 'itself' | 'operator',
    uri: string,
    login: readonly [string, string],
  ) => {
    const members = {
      grant_types: [backchannelGrant],
      response_types: [],
      backchannel_token_delivery_mode: 'ping',
      backchannel_client_notification_endpoint: uri,
    }
    const { status, body, text } = await (by === 'itself'
      ? service.ask('/register', { json: members })
      : operator('POST', 'clients', members))
    assert.equal(status, 201, text)
    const form = { login_hint: login[0], client_notification_token: 'a-token' }
    const codes = await askBackchannel(service, form, [body.client_id, body.client_secret])
    await decide(await openRequests(service, login), codes, 'deny')
  }
  for (let turn = 0; turn < 10; turn++) {
    const uri = `https://silent-${turn}.example:${silence.port}/ping`
    await decideFor('itself', uri, turn < 5 ? ['alice', 'wonderland'] : ['bob', 'builder'])
  }
  await decideFor('operator', own, ['alice', 'wonderland'])
  const sending = service.advance(1)
  await met.promise
  assert.ok(silence.held() <= pingLimits.atOnce.itself)
  silence.end()
  await sending
  await service.close()
  await host.site.close()
})

describe('a page of another site', () => {
  const service = startBefore()
  const host = openDocumentSiteBefore()

  const askAs = (dest: string, path: string, site = 'cross-site') =>
    askFrom('127.0.0.1', path, service, { 'sec-fetch-site': site, 'sec-fetch-dest': dest })

  for (const dest of ['image', 'iframe', 'script', 'style', 'object', 'empty']) {
    test(`causes no fetch by a part of it: ${dest}`, async () => {
      const path = `/${dest}.json`
      const answer = await askAs(dest, pathOf(host.serve(path)))
      assert.deepEqual([answer.status, host.asked(path)], [400, 0])
      const uri = host.url(`/${dest}.jwt`)
      const client = await register(service, { request_uris: [uri] })
      await askAs(dest, authorizePath(requestOf(client, { request_uri: uri })))
      assert.equal(host.asked(`/${dest}.jwt`), 0)
    })
  }

  for (const [dest, site] of [
    ['document', 'cross-site'],
    ['empty', 'same-origin'],
    ['iframe', 'same-site'],
    ['image', 'same-origin'],
  ] as const) {
    test(`may send the browser, and a page of ours may do all: ${dest}, ${site}`, async () => {
      const path = `/${dest}-${site}.json`
      const answer = await askAs(dest, pathOf(host.serve(path)), site)
      assert.deepEqual([answer.status, host.asked(path)], [302, 1])
    })
  }

  test('may frame a client that is known already, by its copy', async () => {
    const path = '/known.json'
    const id = host.serve(path)
    await askAs('document', pathOf(id))
    service.pass(documentLimits.freshByDefault)
    assert.equal((await askAs('iframe', pathOf(id))).status, 302)
    assert.equal(host.asked(path), 1)
  })
})
