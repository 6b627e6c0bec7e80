/** `GET /metrics`: for monitoring, where the settings say. From elsewhere it does not exist. */

import { isIP } from 'node:net'
import { isLoopback } from '../../config/issuer.ts'
import type { Settings } from '../../config/settings.ts'
import { equalDigests, hashText } from '../../crypto/digest.ts'
import { formatMetrics } from '../../events/counter.ts'
import type { AskMetrics } from '../../events/monitoring.ts'
import type { Answer } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { type Listener, listen, type OnFault } from '../../http/listen.ts'
import { getHostName, getRawPath, type HttpRequest } from '../../http/request.ts'
import { stripBrackets } from '../../model/sector.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { monitored, type RouteRow } from '../../route.ts'

const answerMetrics = async (ask: AskMetrics): Promise<Answer> => ({
  status: 200,
  headers: {
    'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  },
  body: formatMetrics(await ask()),
})

/**
 * A proxy on this machine asks on behalf of anybody. By another name, a page of somebody else may ask
 * for it (DNS rebinding).
 */
const isFromHere = ({ request, address }: Exchange): boolean =>
  isLoopback(address) &&
  isLoopback(getHostName(request)) &&
  ['x-forwarded-for', 'forwarded'].every((name) => request.headers.get(name) === null)

const hasToken = ({ headers }: HttpRequest, { metricsToken }: Pick<Settings, 'metricsToken'>) => {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  if (token === undefined || metricsToken === null) return false
  return equalDigests(hashText(token), hashText(metricsToken))
}

/** On the port of the service. */
export const openMetricsPath = (
  { settings }: Pick<ServiceParts, 'settings'>,
  ask: AskMetrics,
): readonly RouteRow[] => {
  const show = (exchange: Exchange): Promise<Answer> => {
    const isOpen = settings.metrics === 'loopback' && isFromHere(exchange)
    if (isOpen || hasToken(exchange.request, settings)) return answerMetrics(ask)
    throw new Refusal('not_found', 'metrics_from_elsewhere', 'there is nothing at this path')
  }
  return [{ ...monitored, path: '/metrics', handler: show }]
}

const noStore = { 'Cache-Control': 'no-store' }

/** The settings of a port of its own. */
type AloneSettings = Pick<Settings, 'metrics' | 'metricsToken' | 'hosts'>

const everyAddress: readonly string[] = ['0.0.0.0', '::']

/**
 * Whether a request names this port. The name of an attacker may lead here by DNS rebinding. An
 * address is no name: where the port listens on every one, each of them is right.
 */
const isNamed = ({ url }: Pick<HttpRequest, 'url'>, { metrics, hosts }: AloneSettings): boolean => {
  const name = getHostName({ url })
  if (typeof metrics === 'string' || isLoopback(name) || hosts.includes(name)) return true
  const isAnyAddress = everyAddress.includes(metrics.host) && isIP(stripBrackets(name)) !== 0
  return isAnyAddress || stripBrackets(name) === metrics.host.toLowerCase()
}

/** On a port of its own there is nothing else. With a token it wants that, else a name of its own. */
const answerAlone = async (
  request: HttpRequest,
  ask: AskMetrics,
  settings: AloneSettings,
): Promise<Answer> => {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead || getRawPath(request) !== '/metrics') {
    return { status: 404, headers: noStore, body: null }
  }
  if (settings.metricsToken === null) {
    if (!isNamed(request, settings)) return { status: 421, headers: noStore, body: null }
  } else if (!hasToken(request, settings)) {
    return { status: 401, headers: { ...noStore, 'WWW-Authenticate': 'Bearer' }, body: null }
  }
  return answerMetrics(ask)
}

/**
 * Opens the port of `/metrics`; null where it has none of its own.
 *
 * @throws what `listen` throws
 */
export const listenForMetrics = async (
  settings: AloneSettings & Pick<Settings, 'limits'>,
  ask: AskMetrics,
  onFault: OnFault,
): Promise<Listener | null> => {
  if (typeof settings.metrics === 'string') return null
  const { host, port } = settings.metrics
  const listener = await listen({ ...settings, host, port })
  listener.serve((request) => answerAlone(request, ask, settings), onFault)
  return listener
}
