/** `@node-oauth/oauth2-server` on bare `node:http`, with a thin model on SQLite. */
import OAuth2Server from '@node-oauth/oauth2-server'
import {
  clients,
  openDatabase,
  openSessions,
  readForm,
  redirectUri,
  reply,
  serve,
} from './serve.js'

const { Request, Response } = OAuth2Server
const database = openDatabase(process.argv[3])
database.exec(`create table if not exists tokens (access text primary key, access_ends integer,
  refresh text, refresh_ends integer, client text, owner text, scope text) without rowid`)
database.exec('create index if not exists tokens_by_refresh on tokens (refresh)')
database.exec(`create table if not exists codes (code text primary key, ends integer, redirect text,
  client text, owner text, scope text, challenge text, method text) without rowid`)
const insertToken = database.prepare('insert into tokens values (?, ?, ?, ?, ?, ?, ?)')
const byAccess = database.prepare('select * from tokens where access = ?')
const byRefresh = database.prepare('select * from tokens where refresh = ?')
const deleteRefresh = database.prepare('delete from tokens where refresh = ?')
const insertCode = database.prepare('insert into codes values (?, ?, ?, ?, ?, ?, ?, ?)')
const findCode = database.prepare('select * from codes where code = ?')
const deleteCode = database.prepare('delete from codes where code = ?')
const sessions = openSessions(database)

const clientOf = (id) => ({ id, redirectUris: [redirectUri], grants: clients[id].grants })
const dateOrNone = (milliseconds) => (milliseconds === null ? undefined : new Date(milliseconds))

const tokenOf = (row) =>
  row && {
    accessToken: row.access,
    accessTokenExpiresAt: dateOrNone(row.access_ends),
    refreshToken: row.refresh ?? undefined,
    refreshTokenExpiresAt: dateOrNone(row.refresh_ends),
    scope: row.scope.split(' '),
    client: clientOf(row.client),
    user: { id: row.owner },
  }

const model = {
  getClient: async (id, secret) =>
    clients[id] !== undefined && (secret === null || clients[id].secret === secret)
      ? clientOf(id)
      : null,
  getUserFromClient: async (client) => ({ id: client.id }),
  validateScope: async (_user, _client, scope) => scope ?? ['photos:read'],
  saveToken: async (token, client, user) => {
    insertToken.run(
      token.accessToken,
      token.accessTokenExpiresAt.getTime(),
      token.refreshToken ?? null,
      token.refreshTokenExpiresAt?.getTime() ?? null,
      client.id,
      user.id,
      token.scope.join(' '),
    )
    return { ...token, client, user }
  },
  getAccessToken: async (token) => tokenOf(byAccess.get(token)),
  getRefreshToken: async (token) => tokenOf(byRefresh.get(token)),
  revokeToken: async (token) => deleteRefresh.run(token.refreshToken).changes > 0,
  saveAuthorizationCode: async (code, client, user) => {
    insertCode.run(
      code.authorizationCode,
      code.expiresAt.getTime(),
      code.redirectUri,
      client.id,
      user.id,
      code.scope.join(' '),
      code.codeChallenge ?? null,
      code.codeChallengeMethod ?? null,
    )
    return { ...code, client, user }
  },
  getAuthorizationCode: async (code) => {
    const row = findCode.get(code)
    return (
      row && {
        code: row.code,
        expiresAt: new Date(row.ends),
        redirectUri: row.redirect,
        scope: row.scope.split(' '),
        client: clientOf(row.client),
        user: { id: row.owner },
        codeChallenge: row.challenge,
        codeChallengeMethod: row.method,
      }
    )
  },
  revokeAuthorizationCode: async (code) => deleteCode.run(code.code).changes > 0,
}

const server = new OAuth2Server({ model })
const photos = JSON.stringify({
  items: [
    { id: '1', title: 'The garden gate', taken: '2026-05-01', place: 'Oxford' },
    { id: '2', title: 'A tea party', taken: '2026-05-04', place: 'Oxford' },
    { id: '3', title: 'The river at noon', taken: '2026-07-04', place: 'Godstow' },
  ],
  next: null,
})

serve(() => async (request, response) => {
  const url = new URL(request.url, 'http://127.0.0.1')
  const asked = new Request({
    method: request.method,
    headers: request.headers,
    query: Object.fromEntries(url.searchParams),
    body: request.method === 'POST' ? await readForm(request) : {},
  })
  const answer = new Response()
  if (url.pathname === '/session') return sessions.begin(response, url.searchParams.get('back'))
  try {
    if (url.pathname === '/token') await server.token(asked, answer)
    else if (url.pathname === '/authorize') {
      const owner = sessions.find(request)
      if (owner === null) {
        const back = `/session?back=${encodeURIComponent(request.url)}`
        return reply(response, 302, { location: back })
      }
      const authenticateHandler = { handle: () => ({ id: owner }) }
      await server.authorize(asked, answer, { authenticateHandler })
    } else {
      await server.authenticate(asked, answer)
      return reply(response, 200, { 'content-type': 'application/json' }, photos)
    }
  } catch (fault) {
    answer.status = fault.code ?? 500
    answer.body = { error: fault.name, error_description: fault.message }
  }
  const headers = { ...answer.headers, 'content-type': 'application/json' }
  const body = answer.status === 302 ? '' : JSON.stringify(answer.body)
  reply(response, answer.status, headers, body)
})
