/** `oidc-provider` with an adapter in memory or on SQLite (the second argument: a file, or `memory`). */
import { generateKeyPairSync } from 'node:crypto'
import { Provider } from 'oidc-provider'
import { clients, openDatabase, redirectUri, serve } from './serve.js'

/** Everything in maps; the adapter that comes with it forgets all but the latest thousand. */
const inMemory = () => {
  const rows = new Map()
  const byUid = new Map()
  const ofGrant = new Map()
  return class {
    constructor(type) {
      this.key = (id) => `${type}:${id}`
    }
    async upsert(id, payload, seconds) {
      const key = this.key(id)
      const { uid, grantId } = payload
      rows.set(key, { payload, ends: Date.now() + (seconds ?? Number.POSITIVE_INFINITY) * 1000 })
      if (uid !== undefined) byUid.set(this.key(uid), id)
      if (grantId === undefined) return
      const those = ofGrant.get(grantId)
      if (those === undefined) ofGrant.set(grantId, [key])
      else those.push(key)
    }
    async find(id) {
      const row = rows.get(this.key(id))
      return row !== undefined && row.ends > Date.now() ? row.payload : undefined
    }
    async findByUid(uid) {
      return this.find(byUid.get(this.key(uid)))
    }
    async findByUserCode() {
      return undefined
    }
    async consume(id) {
      const row = rows.get(this.key(id))
      if (row !== undefined) row.payload.consumed = Math.floor(Date.now() / 1000)
    }
    async destroy(id) {
      rows.delete(this.key(id))
    }
    async revokeByGrantId(grantId) {
      for (const key of ofGrant.get(grantId) ?? []) rows.delete(key)
      ofGrant.delete(grantId)
    }
  }
}

/** One table for all models, as the adapters of its community have it. */
const onSqlite = (path) => {
  const database = openDatabase(path)
  database.exec(`create table if not exists models (type text, id text, payload text, grant_id text,
    uid text, ends integer, consumed integer, primary key (type, id)) without rowid`)
  database.exec('create index if not exists models_by_grant on models (grant_id)')
  database.exec('create index if not exists models_by_uid on models (uid)')
  const upsert = database.prepare('insert or replace into models values (?, ?, ?, ?, ?, ?, null)')
  const find = database.prepare('select * from models where type = ? and id = ?')
  const findUid = database.prepare('select * from models where uid = ? and type = ?')
  const consume = database.prepare('update models set consumed = ? where type = ? and id = ?')
  const destroy = database.prepare('delete from models where type = ? and id = ?')
  const revoke = database.prepare('delete from models where grant_id = ?')
  const payloadOf = (row) =>
    row === undefined || (row.ends !== null && row.ends <= Date.now())
      ? undefined
      : { ...JSON.parse(row.payload), ...(row.consumed ? { consumed: row.consumed } : {}) }
  return class {
    constructor(type) {
      this.type = type
    }
    async upsert(id, payload, seconds) {
      const ends = seconds ? Date.now() + seconds * 1000 : null
      const { grantId = null, uid = null } = payload
      upsert.run(this.type, id, JSON.stringify(payload), grantId, uid, ends)
    }
    async find(id) {
      return payloadOf(find.get(this.type, id))
    }
    async findByUid(uid) {
      return payloadOf(findUid.get(uid, this.type))
    }
    async findByUserCode() {
      return undefined
    }
    async consume(id) {
      consume.run(Math.floor(Date.now() / 1000), this.type, id)
    }
    async destroy(id) {
      destroy.run(this.type, id)
    }
    async revokeByGrantId(grantId) {
      revoke.run(grantId)
    }
  }
}

const newKey = (type) =>
  generateKeyPairSync(type, { modulusLength: 2048, namedCurve: 'P-256' }).privateKey.export({
    format: 'jwk',
  })

const store = process.argv[3]
const day = 86_400
const configuration = {
  adapter: store === 'memory' ? inMemory() : onSqlite(store),
  jwks: { keys: ['rsa', 'ec'].map(newKey) },
  clients: Object.entries(clients).map(([id, { secret, grants, idTokenAlgorithm = 'RS256' }]) => ({
    id_token_signed_response_alg: idTokenAlgorithm,
    client_id: id,
    client_secret: secret,
    grant_types: grants,
    redirect_uris: grants.includes('authorization_code') ? [redirectUri] : [],
    response_types: grants.includes('authorization_code') ? ['code'] : [],
    token_endpoint_auth_method: 'client_secret_basic',
  })),
  cookies: { keys: ['a key that signs cookies'] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: async () => ({
        scope: 'orders:read',
        accessTokenTTL: 3600,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
      useGrantedResource: async () => false,
    },
  },
  routes: {
    authorization: '/authorize',
    token: '/token',
    introspection: '/introspect',
    revocation: '/revoke',
    userinfo: '/userinfo',
  },
  scopes: ['openid', 'photos:read'],
  findAccount: async (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  issueRefreshToken: async () => true,
  rotateRefreshToken: true,
  interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
  ttl: {
    AccessToken: 3600,
    AuthorizationCode: 60,
    ClientCredentials: 3600,
    Grant: 30 * day,
    IdToken: 3600,
    Interaction: 3600,
    RefreshToken: 30 * day,
    Session: day,
  },
}

serve((issuer) => {
  const provider = new Provider(issuer, configuration)
  /** Whoever is asked to log in is alice, and allows everything. */
  const interact = async (request, response) => {
    const { params } = await provider.interactionDetails(request, response)
    const grant = new provider.Grant({ accountId: 'alice', clientId: params.client_id })
    grant.addOIDCScope('openid photos:read')
    const consent = { grantId: await grant.save() }
    const result = { login: { accountId: 'alice' }, consent }
    await provider.interactionFinished(request, response, result)
  }
  const handle = provider.callback()
  return (request, response) =>
    request.url.startsWith('/interaction/')
      ? interact(request, response)
      : handle(request, response)
})
