/** Rows of several flows of OpenID Connect. */
import type { InspectRow, RequestRow, Templates } from '../flow.ts'
import { codeForm, photoPrinter, token } from './rows.ts'

/** The keys of the service, for the signature of a JWT. */
export const keys: RequestRow = { line: 'GET /jwks' }

/** What an answer of the token endpoint teaches. */
const loginTokens = {
  access_token: 'access_token',
  refresh_token: 'refresh_token',
  id_token: 'id_token',
} as const

export const userinfo = (bearer: string, status = 200): RequestRow => ({
  line: 'GET /userinfo',
  bearer,
  status,
})

/** A login request of a confidential client. */
export const loginRequest = (clientId: string, changes: Templates = {}): Templates => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: '{callback}',
  scope: 'openid',
  state: '{state}',
  nonce: '{nonce}',
  ...changes,
})

/** The exchange of its code. */
export const loginExchange = (as = photoPrinter): RequestRow => ({
  ...token(as, codeForm('{callback}')),
  learn: loginTokens,
  forget: ['code'],
})

/** What a client expects of an ID token (section 3.1.3.7). */
export const idTokenFor = (aud: string, changes: Partial<InspectRow> = {}): InspectRow => ({
  token: '{id_token}',
  expects: { iss: '{issuer}', aud, nonce: '{asked_nonce}' },
  ...changes,
})
