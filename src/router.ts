/** Request -> the route it is for -> its door. Unknown paths and methods are refused here. */
import { type Context, Hono } from 'hono'
import { limits } from './config/limits.ts'
import { corsHeaders, enter, type Route } from './endpoints/door.ts'
import { basePath } from './endpoints/paths.ts'
import type { RefusalCounter } from './events/refusal-counter.ts'
import { addressOf, trustedProxies } from './http/address.ts'
import type { Fetch } from './http/listen.ts'
import { makeId, type Parts } from './parts.ts'
import { Refusal } from './protocol/refusal.ts'

interface Bindings {
  readonly peer: string
}

type Env = { Bindings: Bindings }

const unknownPath = {
  path: '(unknown)',
  refusedAs: 'json',
  cors: 'closed',
  limited: true,
  endpoint: () => {
    throw new Refusal('not_found', 'unknown_path', 'there is nothing at this path')
  },
} as const satisfies Partial<Route>

/** What a path with other methods than these answers (RFC 9110 section 15.5.6). */
const wrongMethod = (route: Route, methods: readonly string[]): Route => ({
  ...route,
  cors: 'closed',
  endpoint: () => {
    throw new Refusal('method_not_allowed', 'wrong_method', 'this path has no such method', {
      headers: { Allow: methods.join(', ') },
    })
  },
})

/** The answer to a CORS preflight: what pages of other origins may send. */
const answerPreflight = (request: Request, methods: readonly string[]): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(request),
      Allow: methods.join(', '),
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers':
        'Authorization, Cache-Control, Content-Type, If-Match, If-None-Match',
      'Access-Control-Max-Age': '600',
    },
  })

const methodsOf = (routes: readonly Route[], path: string): readonly string[] => {
  const methods: string[] = routes
    .filter((route) => route.path === path)
    .map(({ method }) => method)
  return methods.includes('GET') ? [...methods, 'HEAD', 'OPTIONS'] : [...methods, 'OPTIONS']
}

/**
 * Where a path stands below an issuer that has a path of its own. Metadata stand at the root of the
 * host too, with that path behind them (RFC 8414 section 3.1, RFC 9728 section 3.1).
 */
const pathsOf = (path: string, base: string): string[] => {
  const [, name, rest] = /^(\/\.well-known\/[^/]+)(.*)$/.exec(path) ?? []
  return base === '' || name === undefined ? [base + path] : [base + path, name + base + rest]
}

export const createRouter = (
  routes: readonly Route[],
  parts: Parts,
  refusals: RefusalCounter,
): Fetch => {
  const proxies = trustedProxies(parts.settings.trustedProxies)
  const handle =
    (route: Omit<Route, 'method'>) =>
    (context: Context<Env>): Promise<Response> => {
      const request = context.req.raw
      const forwarded = request.headers.get('x-forwarded-for')
      const exchange = {
        request,
        params: context.req.param() as Record<string, string>,
        address: addressOf(context.env.peer, forwarded, proxies),
        requestId: makeId<string>(parts),
        at: Math.floor(parts.clock() / 1000),
      }
      return enter(route, exchange, parts, refusals)
    }
  const app = new Hono<Env>({ strict: true })
  const base = basePath(parts)
  for (const route of routes) app.on(route.method, pathsOf(route.path, base), handle(route))
  for (const route of routes) {
    const { path, cors } = route
    const methods = methodsOf(routes, path)
    const refuse = handle(wrongMethod(route, methods))
    const paths = pathsOf(path, base)
    app.on('OPTIONS', paths, (context) =>
      cors === 'open'
        ? answerPreflight(context.req.raw, methods)
        : new Response(null, { status: 204, headers: { Allow: methods.join(', ') } }),
    )
    for (const one of paths) app.all(one, refuse)
  }
  app.all('*', handle(unknownPath))
  return (request, peer) =>
    request.url.length > limits.urlCharacters
      ? new Response(null, { status: 414, headers: { Connection: 'close' } })
      : app.fetch(request, { peer })
}
