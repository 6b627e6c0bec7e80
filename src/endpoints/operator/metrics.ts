/** `GET /metrics`: for monitoring on the same machine; from elsewhere it does not exist. */

import { isLoopback } from '../../config/issuer.ts'
import type { Metrics } from '../../events/metrics.ts'
import type { Answer } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { hostNameOf } from '../../http/request.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { Endpoint } from '../door/door.ts'

export const metricsEndpoint =
  (metrics: Metrics): Endpoint =>
  ({ request, address }: Exchange): Answer => {
    // A proxy on this machine asks on behalf of anybody.
    const forwarded = ['x-forwarded-for', 'forwarded'].some(
      (name) => request.headers.get(name) !== null,
    )
    // By another name, a page of somebody else may ask for it (DNS rebinding).
    if (forwarded || !isLoopback(address) || !isLoopback(hostNameOf(request))) {
      throw new Refusal('not_found', 'metrics_from_elsewhere', 'there is nothing at this path')
    }
    return {
      status: 200,
      headers: {
        'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      },
      body: metrics.render(),
    }
  }
