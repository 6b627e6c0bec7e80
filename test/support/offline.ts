/** An API that verifies JWTs by itself, beside a service in the same process. */
import { type Needs, type ProtectOptions, protect } from '../../src/resource/index.ts'
import { nightlyReport } from './demo-clients.ts'
import { orders } from './elsewhere.ts'
import type { Started } from './start.ts'

const aborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')))
  })

export interface OfflineApi {
  /** The status of a request with a token, by default for the permission to read orders. */
  use(token: string, needs?: Needs): Promise<number>
  /** The answer to a request of any form. */
  send(request: Request, needs?: Needs): Promise<Response>
  /** The paths that the API asked the service for, in order. */
  readonly asked: string[]
  readonly logged: string[]
  /** Stands between the API and the service: null lets a request through. */
  between: (path: string) => Response | null
  close(): void
}

/** @param given options that differ from those of the API of the orders */
export const offlineApi = (
  service: Pick<Started, 'issuer' | 'now' | 'server'>,
  given: Partial<ProtectOptions> = {},
): OfflineApi => {
  const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(url)
    api.asked.push(pathname)
    const instead = api.between(pathname)
    if (instead !== null) return instead
    const { signal, ...others } = init
    const headers = new Headers(init.headers)
    if (typeof init.body === 'string') headers.set('content-length', String(init.body.length))
    const request = new Request(url, { ...others, headers })
    return Promise.race([service.server().fetch(request, '127.0.0.1'), aborted(signal)])
  }
  const guard = protect({
    issuer: service.issuer,
    resource: orders,
    clientId: nightlyReport[0],
    clientSecret: nightlyReport[1],
    offline: true,
    log: (line) => api.logged.push(line),
    clock: () => service.now() * 1000,
    fetch: (url, init) => send(String(url), init),
    ...given,
  })
  const api: OfflineApi = {
    async use(token, needs = 'orders:read') {
      const request = new Request(orders, { headers: { authorization: `Bearer ${token}` } })
      return (await api.send(request, needs)).status
    },
    send: (request, needs = []) => guard(request, needs, () => new Response()),
    asked: [],
    logged: [],
    between: () => null,
    close: guard.close,
  }
  return api
}
