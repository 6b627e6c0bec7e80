/** An issuer with the answers of a test. It notes each request. */
import type { ProtectOptions } from '../../../src/resource/index.ts'

export const issuer = 'https://auth.example.com'
export const resource = 'https://api.example.com/prints'

/** The introspection of an active token. */
export const alive = {
  active: true,
  token_type: 'Bearer',
  iss: issuer,
  aud: resource,
  client_id: 'photo-printer',
  sub: '01j',
  username: 'alice',
  scope: 'photos:read photos:write',
  exp: 1_800_000_000,
  auth_time: 1_700_000_000,
  acr: '2',
}

export interface Issuing {
  readonly options: ProtectOptions
  /** The requests that came, in order. */
  readonly asked: readonly Request[]
  readonly logged: readonly string[]
  /** What it says next to questions about tokens, and to those for its metadata. */
  say: () => Response | Promise<Response>
  describe: () => Response | Promise<Response>
  /** Unix milliseconds. */
  now: number
  /** How many questions about tokens came. */
  questions(): number
}

export const issuing = (given: Partial<ProtectOptions> = {}): Issuing => {
  const asked: Request[] = []
  const logged: string[] = []
  const place = `${issuer}/introspect`
  const self: Issuing = {
    asked,
    logged,
    say: () => Response.json(alive),
    describe: () => Response.json({ issuer, introspection_endpoint: place }),
    now: 1_700_000_100_000,
    questions: () => asked.filter(({ method }) => method === 'POST').length,
    options: {
      issuer,
      resource,
      clientId: 'the:api',
      clientSecret: 'se cret+',
      log: (line) => logged.push(line),
      clock: () => self.now,
      fetch: async (url, init) => {
        const request = new Request(String(url), init)
        asked.push(request)
        return request.method === 'POST' ? self.say() : self.describe()
      },
      ...given,
    },
  }
  return self
}
