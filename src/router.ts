/** Request -> the route it is for -> its endpoint -> the answer. Unknown paths and methods are refused here. */
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { isLoopback } from './config/issuer.ts'
import type { Settings } from './config/settings.ts'
import type { Refusals } from './events/refusal-counter.ts'
import { warnOfUnreadableHop, watchForProxy } from './events/warnings.ts'
import {
  forwardingHeaders,
  getNetwork,
  isTrusted,
  listRanges,
  readAddress,
  unwrapAddress,
} from './http/address.ts'
import type { Answer } from './http/answer.ts'
import { certificateHeaders, dropCertificate } from './http/client-certificate.ts'
import type { Exchange } from './http/exchange.ts'
import type { RespondTo } from './http/listen.ts'
import { getAuthority, getRawPath, type HttpRequest, stripPort } from './http/request.ts'
import { createId } from './model/ids.ts'
import { Refusal } from './protocol/refusal.ts'
import type { ServiceParts } from './registries.ts'
import { findStrayed } from './requests/unsupported.ts'
import { openConcluding } from './rooms/conclude.ts'
import { getBasePath } from './rooms/visit.ts'
import type { RouteRow } from './route.ts'

/** The URL of a request. */
export const urlCharacters = 32 * 1024

type AnyRoute = Omit<RouteRow, 'method'>

interface Place {
  readonly routes: ReadonlyMap<string, AnyRoute>
  readonly others: AnyRoute
}

/** Where a URL is too long to look at (RFC 9110 section 15.5.15). */
const tooLong: AnyRoute = {
  path: '(too long)',
  refusedAs: 'json',
  handler: () => ({ status: 414, headers: { Connection: 'close' }, body: null }),
}

const makeUnknownPath = (issuer: string): AnyRoute => ({
  path: '(unknown)',
  refusedAs: 'json',
  handler: ({ request }) => {
    const unknown = new Refusal('not_found', 'unknown_path', 'there is nothing at this path')
    throw findStrayed(getRawPath(request), issuer) ?? unknown
  },
})

/**
 * The answer to an unknown host name (RFC 9110 section 15.5.20). The answer is no page, since links on a
 * page would lead to that name.
 */
const misdirected: AnyRoute = {
  path: '(unknown host)',
  refusedAs: 'json',
  handler: () => {
    throw new Refusal(
      'misdirected_request',
      'unknown_host',
      'the request is for a host name that is neither the one of the issuer nor in LATCHKEY_HOSTS',
    )
  },
}

/** Browsers ask for `text/html` by name: then a person has mistyped an address. */
const routeUnknown = (issuer: string) => {
  const unknown = makeUnknownPath(issuer)
  return (request: HttpRequest): AnyRoute => {
    const { method, headers, url } = request
    if (url.length > urlCharacters) return tooLong
    if (method === 'GET' && headers.get('accept')?.includes('text/html')) {
      return { ...unknown, refusedAs: 'page' }
    }
    const isAdmin = getRawPath(request).startsWith('/admin/api/')
    return isAdmin ? { ...unknown, refusedAs: 'problem' } : unknown
  }
}

/** RFC 9110 section 15.5.6. */
const makeWrongMethod = (route: AnyRoute, methods: readonly string[]): AnyRoute => ({
  ...route,
  handler: () => {
    throw new Refusal('method_not_allowed', 'wrong_method', 'this path has no such method', {
      headers: { Allow: methods.join(', ') },
    })
  },
})

/** What may be sent to a path: to pages of other origins, the answer to a CORS preflight. */
const makeOptions = (route: AnyRoute, methods: readonly string[]): AnyRoute => {
  const allowed = methods.join(', ')
  const cors = {
    'Access-Control-Allow-Methods': allowed,
    'Access-Control-Allow-Headers':
      'Authorization, Cache-Control, Content-Type, DPoP, If-Match, If-None-Match',
    'Access-Control-Max-Age': '600',
  }
  const headers = { Allow: allowed, ...(route.cors === 'open' ? cors : {}) }
  return { ...route, limited: 'never', handler: () => ({ status: 204, headers, body: null }) }
}

/** Redirect URIs of the demo: registered without the path that an issuer may have. */
const atRoot = ['/callback', '/gallery']

/**
 * Paths below an issuer with a path of its own. Metadata also stand at the root of the host, with
 * that path behind them (RFC 8414 section 3.1, RFC 9728 section 3.1).
 */
const listPaths = (path: string, base: string): string[] => {
  if (atRoot.includes(path)) return [path]
  const [, name, rest] = /^(\/\.well-known\/[^/]+)(.*)$/.exec(path) ?? []
  return base === '' || name === undefined ? [base + path] : [base + path, name + base + rest]
}

const mapPlaces = (routes: readonly RouteRow[]): ReadonlyMap<string, Place> => {
  const places = new Map<string, Place>()
  for (const [path, here] of Map.groupBy(routes, (route) => route.path)) {
    const route = here.at(-1)
    if (route === undefined) continue
    const names: string[] = here.map(({ method }) => method)
    const methods = names.includes('GET') ? [...names, 'HEAD', 'OPTIONS'] : [...names, 'OPTIONS']
    const answered = new Map<string, AnyRoute>(here.map((one) => [one.method, one]))
    places.set(path, {
      routes: answered.set('OPTIONS', makeOptions(route, methods)),
      others: makeWrongMethod(route, methods),
    })
  }
  return places
}

/** Percent-decoded; what is not UTF-8 stays as it was sent, and so is the name of nothing. */
const decodeText = (text: string): string => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Whether a request names this service. A name of somebody else may lead here by DNS rebinding:
 * then a page of theirs would be of one origin with ours. Nobody can rebind a loopback name.
 */
const makeHostCheck = ({
  issuer,
  hosts,
  mtlsUrl,
}: Pick<Settings, 'issuer' | 'hosts' | 'mtlsUrl'>) => {
  const own = new URL(issuer).hostname
  const known = new Set([own, ...hosts, ...(mtlsUrl === null ? [] : [new URL(mtlsUrl).hostname])])
  /** How the latest known URL began, with the slash of its path: nearly all requests name the same host. */
  let latest: string | null = null
  return (request: HttpRequest): boolean => {
    const { url } = request
    if (latest !== null && url.startsWith(latest)) return true
    const authority = getAuthority(request)
    const name = stripPort(authority)
    const isKnown = known.has(name) || (isLoopback(own) && isLoopback(name))
    if (isKnown) latest = `${url.slice(0, url.indexOf('//'))}//${authority}/`
    return isKnown
  }
}

export const createRouter = (
  rows: readonly RouteRow[],
  parts: ServiceParts,
  refusals: Refusals,
): RespondTo => {
  const proxies = listRanges(parts.settings.trustedProxies)
  const isKnownHost = makeHostCheck(parts.settings)
  const unknownFor = routeUnknown(parts.settings.issuer)
  const watch = watchForProxy(proxies, parts.tell)
  const tellUnreadable = warnOfUnreadableHop(parts.tell)
  const { refuse, settleRefused, conclude } = openConcluding(parts, refusals)
  const router = new RegExpRouter<Place>()
  const base = getBasePath(parts)
  for (const [path, place] of mapPlaces(rows)) {
    for (const one of listPaths(path, base)) router.add('ALL', one, place)
  }
  return async (given, peer, user) => {
    const sender = unwrapAddress(peer)
    const hasCertificate =
      given.headers.get(certificateHeaders.leaf) !== null ||
      given.headers.get(certificateHeaders.chain) !== null
    const isForged = hasCertificate && !isTrusted(proxies, sender)
    const request = isForged ? dropCertificate(given) : given
    const { method, headers } = request
    const began = parts.clock()
    if (forwardingHeaders.some((name) => headers.get(name) !== null)) watch(request, peer)
    const [[matched] = [], stash = []] =
      request.url.length > urlCharacters ? [] : router.match('ALL', getRawPath(request))
    const [place, places] = matched ?? []
    const params: Record<string, string> = {}
    for (const name in places) params[name] = decodeText(stash[Number(places[name])] ?? '')
    const found = place?.routes.get(method === 'HEAD' ? 'GET' : method) ?? place?.others
    const isHere = found?.anyHost === true || isKnownHost(request)
    const route = isHere ? (found ?? unknownFor(request)) : misdirected
    const forwarded = headers.get('x-forwarded-for')
    const address =
      forwarded === null ? sender : readAddress(sender, forwarded, proxies, tellUnreadable)
    const network = getNetwork(address)
    const proven = { type: 'anyone' } as const
    const exchange: Exchange = {
      request,
      params,
      peer: sender,
      address,
      caller: user === undefined ? { network, proven } : { network, proven, user },
      back: route.back,
      requestId: createId(began, parts.random(10)),
      at: Math.floor(began / 1000),
    }
    let answer: Answer
    try {
      answer = await route.handler(exchange)
    } catch (fault) {
      answer = refuse(fault, route, exchange)
    }
    if (answer.reason !== undefined || answer.refused !== undefined) {
      answer = await settleRefused(answer, route, exchange)
    }
    return conclude(answer, route, exchange, began)
  }
}
