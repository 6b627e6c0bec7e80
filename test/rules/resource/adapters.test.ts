/** The adapters of the guard, each in a real server of its framework. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import express from 'express'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { type Context, Hono } from 'hono'
import Koa from 'koa'
import { dpopAlgorithms } from '../../../src/resource/dpop-proof.ts'
import * as forExpress from '../../../src/resource/express.ts'
import * as forFastify from '../../../src/resource/fastify.ts'
import * as forHono from '../../../src/resource/hono.ts'
import type { Needs, ProtectOptions } from '../../../src/resource/index.ts'
import * as forKoa from '../../../src/resource/koa.ts'
import * as forNode from '../../../src/resource/node.ts'
import { digestToken, makeProver, type Prover } from '../../support/dpop.ts'
import { alive, issuer, issuing, resource } from './issuing.ts'

/** The needs of a route for what cannot be undone. */
const delicate: Needs = { scope: 'photos:write', acr: ['phr', '2'], maxAge: 300 }

/** The target of `/named/...`: the last part of the path, as the framework tells it. */
const say = (id: unknown): string => `Photo ${id}`

/** A server of a framework, not listening yet: `/` needs a permission, and the metadata are there. */
type MakeServer = (options: ProtectOptions) => Server | Promise<Server>

const overExpress: MakeServer = (options) => {
  const app = express()
  const guard = forExpress.protect(options)
  app.get(guard.metadataPath, guard.metadata)
  app.get('/', guard('photos:read'), (req, res) => {
    res.json(req.access)
  })
  app.get('/all', guard(['photos:read', 'photos:delete']))
  app.get('/named/:id', guard('photos:read', { target: ({ params }) => say(params.id) }))
  const shop = express.Router()
  shop.get('/prints', guard('photos:read'), (_, res) => {
    res.json(null)
  })
  app.use('/shop', shop)
  app.get('/delicate', guard(delicate), (_, res) => {
    res.json(null)
  })
  return createServer(app)
}

const overFastify: MakeServer = async (options) => {
  const app = fastify()
  const guard = forFastify.protect(options)
  app.get(guard.metadataPath, guard.metadata)
  app.get('/', { preHandler: guard('photos:read') }, async (request) => request.access)
  app.get('/all', { preHandler: guard(['photos:read', 'photos:delete']) }, async () => null)
  const target = ({ params }: FastifyRequest) => say((params as { id: string }).id)
  app.get('/named/:id', { preHandler: guard('photos:read', { target }) }, async () => null)
  const shop = async (inner: FastifyInstance) => {
    inner.get('/prints', { preHandler: guard('photos:read') }, async () => null)
  }
  await app.register(shop, { prefix: '/shop' })
  app.get('/delicate', { preHandler: guard(delicate) }, async () => null)
  await app.ready()
  return app.server
}

/** Hono has no server of its own: this one hands it the web's requests. */
const overHono: MakeServer = (options) => {
  const app = new Hono()
  const guard = forHono.protect(options)
  app.get(guard.metadataPath, guard.metadata)
  app.get('/', guard('photos:read'), (c) => c.json(c.get('access')))
  app.get('/all', guard(['photos:read', 'photos:delete']), (c) => c.json(null))
  const target = (c: Context) => say(c.req.param('id'))
  app.get('/named/:id', guard('photos:read', { target }), (c) => c.json(null))
  const shop = new Hono().get('/prints', guard('photos:read'), (c) => c.json(null))
  app.route('/shop', shop)
  app.get('/delicate', guard(delicate), (c) => c.json(null))
  return createServer(async ({ url = '', headersDistinct }, response) => {
    const headers = new Headers()
    for (const [name, values = []] of Object.entries(headersDistinct)) {
      for (const value of values) headers.append(name, value)
    }
    const answer = await app.fetch(new Request(`http://127.0.0.1${url}`, { headers }))
    response.writeHead(answer.status, [...answer.headers].flat()).end(await answer.text())
  })
}

const overKoa: MakeServer = (options) => {
  const app = new Koa()
  const guard = forKoa.protect(options)
  const read = guard('photos:read')
  const all = guard(['photos:read', 'photos:delete'])
  const strong = guard(delicate)
  const named = guard('photos:read', { target: ({ path }) => say(path.split('/').at(-1)) })
  app.use(async (ctx, next) => {
    if (ctx.path === guard.metadataPath) return guard.metadata(ctx)
    if (ctx.path.startsWith('/named/')) return named(ctx, next)
    // As koa-mount does it.
    if (ctx.path.startsWith('/shop/')) ctx.path = ctx.path.slice('/shop'.length)
    if (ctx.path === '/delicate') return strong(ctx, next)
    return ctx.path === '/all' ? all(ctx, next) : read(ctx, next)
  })
  app.use((ctx) => {
    ctx.body = ctx.state.access
  })
  return createServer(app.callback())
}

const overNode: MakeServer = (options) => {
  const guard = forNode.protect(options)
  const read = guard('photos:read')
  const all = guard(['photos:read', 'photos:delete'])
  const strong = guard(delicate)
  const named = guard('photos:read', { target: ({ url }) => say(url?.split('/').at(-1)) })
  const checks: Readonly<Record<string, typeof read>> = {
    '/all': all,
    '/delicate': strong,
    '/named/7': named,
  }
  return createServer(async (req, res) => {
    if (req.url === guard.metadataPath) return guard.metadata(req, res)
    const check = checks[req.url ?? ''] ?? read
    const access = await check(req, res)
    if (access !== null)
      res.setHeader('Content-Type', 'application/json').end(JSON.stringify(access))
  })
}

const metadata =
  'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/prints"'

const frameworks: readonly [string, MakeServer][] = [
  ['Express', overExpress],
  ['Fastify', overFastify],
  ['Hono', overHono],
  ['Koa', overKoa],
  ['node:http', overNode],
]

for (const [name, make] of frameworks) {
  describe(name, () => {
    const service = issuing()
    let server: Server
    before(async () => {
      server = await make(service.options)
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    })
    after(() => {
      server.closeAllConnections()
      server.close()
    })
    const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const ask = async (path: string, authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization }
      const answer = await fetch(origin() + path, { headers })
      const challenge = answer.headers.get('www-authenticate')
      return { status: answer.status, challenge, body: await answer.json(), answer }
    }

    test('lets in who may, and says who it is', async () => {
      service.say = () => Response.json(alive)
      const { status, body } = await ask('/', 'Bearer lk_at_x')
      const expected = {
        subject: '01j',
        username: 'alice',
        clientId: 'photo-printer',
        permissions: ['photos:read', 'photos:write'],
        expiresAt: 1_800_000_000,
      }
      assert.deepEqual([status, body], [200, expected])
    })

    test('names to the service what the route is about', async () => {
      service.say = () => Response.json({ active: false })
      assert.equal((await ask('/named/7', 'Bearer lk_at_x')).status, 401)
      const form = await service.asked.at(-1)?.text()
      assert.equal(form, 'token=lk_at_x&token_type_hint=access_token&target=Photo+7')
    })

    test('refuses who brings no token', async () => {
      const { status, body, challenge, answer } = await ask('/')
      assert.deepEqual([status, body], [401, {}])
      assert.equal(challenge, `Bearer realm="latchkey", scope="photos:read", ${metadata}`)
      assert.equal(answer.headers.get('content-type'), 'application/json;charset=UTF-8')
      assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    })

    test('refuses who lacks a permission, and names all', async () => {
      service.say = () => Response.json(alive)
      const { status, body, challenge } = await ask('/all', 'Bearer lk_at_x')
      const description = 'the access token does not allow this'
      assert.equal(status, 403)
      assert.deepEqual(body, { error: 'insufficient_scope', error_description: description })
      assert.equal(
        challenge,
        `Bearer realm="latchkey", error="insufficient_scope", error_description="${description}", scope="photos:read photos:delete", ${metadata}`,
      )
    })

    test('asks for a stronger login, and lets it in (RFC 9470)', async () => {
      service.say = () => Response.json({ ...alive, acr: '1' })
      const { status, body, challenge } = await ask('/delicate', 'Bearer lk_at_x')
      const description = 'the owner has to log in in a stronger way'
      const error = 'insufficient_user_authentication'
      assert.deepEqual([status, body], [401, { error, error_description: description }])
      assert.equal(
        challenge,
        `Bearer realm="latchkey", error="${error}", error_description="${description}", acr_values="phr 2", max_age="300", scope="photos:write", ${metadata}`,
      )
      service.say = () => Response.json({ ...alive, acr: 'phr' })
      assert.equal((await ask('/delicate', 'Bearer lk_at_x')).status, 200)
    })

    test('refuses two Authorization headers, of which Node would drop one', async () => {
      const sent = request(`${origin()}/`, {
        headers: [
          'Authorization',
          'Bearer lk_at_x',
          'Authorization',
          'Bearer lk_at_y',
          'Host',
          'x',
        ],
      }).end()
      const [answer] = await once(sent, 'response')
      answer.resume()
      assert.equal(answer.statusCode, 400)
    })

    test('answers 503 where the service is of no use', async () => {
      service.say = () => Response.json({ error: 'invalid_client' }, { status: 401 })
      const { status, answer } = await ask('/', 'Bearer lk_at_x')
      assert.deepEqual([status, answer.headers.get('retry-after')], [503, '1'])
    })

    test('serves the metadata of the resource', async () => {
      const { status, body } = await ask('/.well-known/oauth-protected-resource/prints')
      assert.equal(status, 200)
      assert.deepEqual(body, {
        resource,
        authorization_servers: [issuer],
        scopes_supported: ['photos:delete', 'photos:read', 'photos:write'],
        bearer_methods_supported: ['header'],
        dpop_signing_alg_values_supported: dpopAlgorithms,
      })
    })

    describe('a token that is bound to a key', () => {
      let prover: Prover
      before(async () => {
        prover = await makeProver(() => service.now / 1000)
        service.say = () =>
          Response.json({ ...alive, token_type: 'DPoP', cnf: { jkt: prover.jkt } })
      })

      const prove = (path: string, method = 'GET') =>
        prover.prove(method, `https://api.example.com${path}`, { ath: digestToken('lk_at_x') })

      /** The answer to a request with these values of the header DPoP. */
      const send = async (path: string, proofs: readonly string[], scheme = 'DPoP') => {
        const sent = request(origin() + path, {
          headers: [
            ['Host', 'x'],
            ['Authorization', `${scheme} lk_at_x`],
            ...proofs.map((proof) => ['DPoP', proof]),
          ].flat(),
        }).end()
        const [answer] = await once(sent, 'response')
        answer.resume()
        const challenge: string | undefined = answer.headers['www-authenticate']
        return [answer.statusCode, challenge?.replace(/^(\w+) .*error="(\w+)".*$/, '$1 $2')]
      }

      for (const path of ['/', '/?page=2', '/shop/prints', '/shop/prints?a=/b']) {
        test(`is let in with a proof for ${path}`, async () => {
          const proof = await prove(path.split('?')[0] ?? '')
          assert.deepEqual(await send(path, [proof]), [200, undefined])
          assert.deepEqual(await send(path, [proof]), [401, 'DPoP invalid_dpop_proof'])
        })
      }

      test('is refused with a proof for another path or method', async () => {
        const refused = [401, 'DPoP invalid_dpop_proof']
        assert.deepEqual(await send('/shop/prints', [await prove('/prints')]), refused)
        assert.deepEqual(await send('/', [await prove('/', 'POST')]), refused)
      })

      test('is refused with two proofs, both of them right', async () => {
        const proofs = [await prove('/'), await prove('/')]
        assert.deepEqual(await send('/', proofs), [401, 'DPoP invalid_dpop_proof'])
      })

      test('is refused as Bearer, with a proof and without', async () => {
        const refused = [401, 'DPoP invalid_token']
        assert.deepEqual(await send('/', [], 'Bearer'), refused)
        assert.deepEqual(await send('/', [await prove('/')], 'Bearer'), refused)
        assert.deepEqual(await send('/', []), refused)
      })
    })
  })
}
