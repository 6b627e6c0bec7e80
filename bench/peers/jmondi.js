/** `@jmondi/oauth2-server` on bare `node:http`, with thin repositories on SQLite. */
import { randomBytes } from 'node:crypto'
import { AuthorizationServer, DateInterval, OAuthRequest } from '@jmondi/oauth2-server'
import {
  clients,
  openDatabase,
  openSessions,
  readForm,
  redirectUri,
  reply,
  serve,
} from './serve.js'

const database = openDatabase(process.argv[3])
database.exec(`create table if not exists tokens (access text primary key, access_ends integer,
  refresh text, refresh_ends integer, client text, owner text, scope text, code text) without rowid`)
database.exec('create index if not exists tokens_by_refresh on tokens (refresh)')
database.exec(`create table if not exists codes (code text primary key, ends integer, redirect text,
  client text, owner text, scope text, challenge text, method text, revoked integer) without rowid`)
const upsertToken = database.prepare(
  'insert or replace into tokens values (?, ?, ?, ?, ?, ?, ?, ?)',
)
const byAccess = database.prepare('select * from tokens where access = ?')
const byRefresh = database.prepare('select * from tokens where refresh = ?')
const endToken = database.prepare(
  'update tokens set access_ends = 0, refresh_ends = 0 where access = ?',
)
const endOfCode = database.prepare(
  'update tokens set access_ends = 0, refresh_ends = 0 where code = ?',
)
const upsertCode = database.prepare(
  'insert or replace into codes values (?, ?, ?, ?, ?, ?, ?, ?, 0)',
)
const findCode = database.prepare('select * from codes where code = ?')
const revokeCode = database.prepare('update codes set revoked = 1 where code = ?')
const sessions = openSessions(database)

const newId = () => randomBytes(32).toString('base64url')
const inAnHour = () => new Date(Date.now() + 3_600_000)
const scopes = [{ name: 'photos:read' }]
const clientOf = (id) => ({
  id,
  name: id,
  secret: clients[id].secret,
  redirectUris: [redirectUri],
  // It lets only those ask about tokens that may have tokens of their own.
  allowedGrants: [...new Set([...clients[id].grants, 'client_credentials'])],
  scopes,
})
const tokenOf = (row) => {
  if (row === undefined) throw new Error('there is no such token')
  return {
    accessToken: row.access,
    accessTokenExpiresAt: new Date(row.access_ends),
    refreshToken: row.refresh,
    refreshTokenExpiresAt: row.refresh_ends === null ? null : new Date(row.refresh_ends),
    client: clientOf(row.client),
    user: row.owner === null ? null : { id: row.owner },
    scopes: row.scope.split(' ').map((name) => ({ name })),
    originatingAuthCodeId: row.code ?? undefined,
  }
}
const namesOf = (list) => list.map(({ name }) => name).join(' ')

const clientRepository = {
  getByIdentifier: async (id) => clientOf(id),
  isClientValid: async (grant, client, secret) =>
    client.secret === secret && client.allowedGrants.includes(grant),
}
const tokenRepository = {
  issueToken: async (client, granted, user) => ({
    accessToken: newId(),
    accessTokenExpiresAt: inAnHour(),
    client,
    user,
    scopes: granted,
  }),
  issueRefreshToken: async (token) => {
    token.refreshToken = newId()
    token.refreshTokenExpiresAt = new Date(Date.now() + 30 * 86_400_000)
    await tokenRepository.persist(token)
    return token
  },
  persist: async (token) => {
    upsertToken.run(
      token.accessToken,
      token.accessTokenExpiresAt.getTime(),
      token.refreshToken ?? null,
      token.refreshTokenExpiresAt?.getTime() ?? null,
      token.client.id,
      token.user?.id ?? null,
      namesOf(token.scopes),
      token.originatingAuthCodeId ?? null,
    )
  },
  revoke: async (token) => void endToken.run(token.accessToken),
  revokeDescendantsOf: async (code) => void endOfCode.run(code),
  isRefreshTokenRevoked: async (token) =>
    Date.now() > (token.refreshTokenExpiresAt?.getTime() ?? 0),
  getByRefreshToken: async (token) => tokenOf(byRefresh.get(token)),
  getByAccessToken: async (token) => tokenOf(byAccess.get(token)),
}
const scopeRepository = {
  getAllByIdentifiers: async (names) => scopes.filter(({ name }) => names.includes(name)),
  finalize: async (granted) => granted,
}
const authCodeRepository = {
  issueAuthCode: async (client, user, granted) => ({
    code: newId(),
    expiresAt: new Date(Date.now() + 60_000),
    client,
    user,
    scopes: granted,
  }),
  persist: async (code) => {
    upsertCode.run(
      code.code,
      code.expiresAt.getTime(),
      code.redirectUri ?? null,
      code.client.id,
      code.user?.id ?? null,
      namesOf(code.scopes),
      code.codeChallenge ?? null,
      code.codeChallengeMethod ?? null,
    )
  },
  getByIdentifier: async (id) => {
    const row = findCode.get(id)
    return {
      code: row.code,
      expiresAt: new Date(row.ends),
      redirectUri: row.redirect,
      client: clientOf(row.client),
      user: { id: row.owner },
      scopes: row.scope.split(' ').map((name) => ({ name })),
      codeChallenge: row.challenge,
      codeChallengeMethod: row.method,
    }
  },
  isRevoked: async (id) => findCode.get(id)?.revoked !== 0,
  revoke: async (id) => void revokeCode.run(id),
}
const userRepository = { getUserByCredentials: async (id) => ({ id }) }

const server = new AuthorizationServer(
  clientRepository,
  tokenRepository,
  scopeRepository,
  'a secret that signs tokens with HS256, long enough for it',
)
const hour = new DateInterval('1h')
server.enableGrantTypes(
  ['client_credentials', hour],
  ['refresh_token', hour],
  [{ grant: 'authorization_code', authCodeRepository, userRepository }, hour],
)

const authorize = async (request, asked) => {
  const owner = sessions.find(request)
  if (owner === null) {
    const back = `/session?back=${encodeURIComponent(request.url)}`
    return { status: 302, headers: { location: back }, body: '' }
  }
  const authorization = await server.validateAuthorizationRequest(asked)
  authorization.user = { id: owner }
  authorization.isAuthorizationApproved = true
  return server.completeAuthorizationRequest(authorization)
}

serve(() => async (request, response) => {
  const url = new URL(request.url, 'http://127.0.0.1')
  if (url.pathname === '/session') return sessions.begin(response, url.searchParams.get('back'))
  const asked = new OAuthRequest({
    headers: request.headers,
    query: Object.fromEntries(url.searchParams),
    body: request.method === 'POST' ? await readForm(request) : {},
  })
  const ways = {
    '/token': () => server.respondToAccessTokenRequest(asked),
    '/introspect': () => server.introspect(asked),
    '/revoke': () => server.revoke(asked),
    '/authorize': () => authorize(request, asked),
  }
  try {
    const { status, headers, body } = await ways[url.pathname]()
    const told = status === 302 ? '' : JSON.stringify(body)
    reply(response, status, { ...headers, 'content-type': 'application/json' }, told)
  } catch (fault) {
    const told = JSON.stringify({ error: fault.errorType ?? 'fault', message: fault.message })
    reply(response, fault.status ?? 500, { 'content-type': 'application/json' }, told)
  }
})
