/** `GET /metrics`: for monitoring on the same machine; from elsewhere it does not exist. */
import { isLoopback } from '../config/issuer.ts'
import type { Metrics } from '../events/metrics.ts'
import type { Exchange } from '../http/exchange.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Endpoint } from './door.ts'

export const metricsEndpoint =
  (metrics: Metrics): Endpoint =>
  ({ request, address }: Exchange): Response => {
    // A proxy on this machine asks on behalf of anybody.
    const forwarded = request.headers.has('x-forwarded-for') || request.headers.has('forwarded')
    if (forwarded || !isLoopback(address)) {
      throw new Refusal('not_found', 'metrics_from_elsewhere', 'there is nothing at this path')
    }
    return new Response(metrics.render(), {
      headers: {
        'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      },
    })
  }
