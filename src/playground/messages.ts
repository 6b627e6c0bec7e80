/** The requests that the playground's clients send, and what they take from the answers. */
import { demoClients } from '../demo/people.ts'
import { formType } from '../http/body.ts'
import type { Answered, Call, Known, Learn, Message } from './flow.ts'
import type { Way } from './pages/exchanged.ts'

type Fields = Readonly<Record<string, string>>

/** A client as it says who it is: with a secret by Basic, without one by its name in the body. */
export interface Caller {
  readonly id: string
  readonly secret: string | null
}

const callerOf = (id: (typeof demoClients)[number]['id']): Caller => ({
  id,
  secret: demoClients.find((client) => client.id === id)?.secret ?? null,
})

export const photoPrinter = callerOf('photo-printer')
export const gallery = callerOf('gallery')
export const houseApp = callerOf('house-app')
export const nightlyReport = callerOf('nightly-report')
export const admin = callerOf('latchkey-admin')

/** `application/x-www-form-urlencoded` (RFC 6749 appendix B). */
export const encodeForm = (fields: Fields): string => new URLSearchParams(fields).toString()

/** RFC 6749 section 2.3.1. */
const basic = ({ id, secret }: Caller): string =>
  `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret ?? '')}`)}`

export const bearer = (token: string): Fields => ({ Authorization: `Bearer ${token}` })

/** A form that a client posts to the authorization server. */
export const clientForm = (path: string, caller: Caller, fields: Fields): Message => ({
  method: 'POST',
  path,
  headers: {
    ...(caller.secret === null ? {} : { Authorization: basic(caller) }),
    'Content-Type': formType,
  },
  body: encodeForm(caller.secret === null ? { ...fields, client_id: caller.id } : fields),
})

export const get = (path: string, headers: Fields = {}): Message => ({
  method: 'GET',
  path,
  headers,
  body: null,
})

export const json = (
  method: Message['method'],
  path: string,
  headers: Fields,
  body: object,
): Message => ({
  method,
  path,
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

export const toServer: Way = ['client', 'server']
export const toApi: Way = ['client', 'api']

/** Takes members of the answer, under other names where they are given. */
export const learning =
  (names: Fields): Learn =>
  ({ json: members }: Answered) =>
    Object.fromEntries(
      Object.entries(names).flatMap(([member, name]) => {
        const value = members[member]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    )

export const learnTokens = learning({
  access_token: 'access_token',
  refresh_token: 'refresh_token',
})

/** A request to the token endpoint that is answered with tokens. */
export const tokenCall = (caller: Caller, fields: Fields, learn: Learn = learnTokens): Call => ({
  message: clientForm('/token', caller, fields),
  way: toServer,
  expected: 200,
  learn,
})

/** A request to the token endpoint that is refused. */
export const refusedToken = (caller: Caller, fields: Fields, expected = 400): Call => ({
  message: clientForm('/token', caller, fields),
  way: toServer,
  expected,
})

export const introspectCall = (caller: Caller, token: string): Call => ({
  message: clientForm('/introspect', caller, { token }),
  way: toServer,
  expected: 200,
})

export const revokeCall = (caller: Caller, token: string, expected = 200): Call => ({
  message: clientForm('/revoke', caller, { token }),
  way: toServer,
  expected,
})

/** A request to the resource server with the token in the header (RFC 6750 section 2.1). */
export const apiCall = (path: string, token: string, expected = 200): Call => ({
  message: get(path, bearer(token)),
  way: toApi,
  expected,
})

/** What is known under a name; '' where the page was left open until it was forgotten. */
export const said = (known: Known, name: string): string => known[name] ?? ''
