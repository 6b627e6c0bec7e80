/** An API with an offline guard hears of each event that ends tokens. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { housekeepingLimits } from '../../src/housekeeping.ts'
import { type EventType, eventTypes } from '../../src/model/event.ts'
import {
  type AuthorizationId,
  type ClientId,
  createId,
  type Digest,
  type EventId,
  type OwnerId,
  type SessionId,
} from '../../src/model/ids.ts'
import { guardLimits } from '../../src/resource/guard-limits.ts'
import type { Trace } from '../../src/store/contract/trace.ts'
import type { Store } from '../../src/store/store.ts'
import { sampleSession } from '../store/sample.ts'
import { answerOf, Browser } from '../support/browser.ts'
import { startWithJwts } from '../support/elsewhere.ts'
import { handTimer } from '../support/feed.ts'
import { type OfflineApi, offlineApi } from '../support/offline.ts'
import { authorizePath, callback, codeRequest, obtainCode, walk } from '../support/printing.ts'
import type { Started } from '../support/start.ts'
import { redeem, refresh } from '../support/tokens.ts'
import { type Operator, operatorOf } from './operator.ts'

const timer = handTimer()
let service: Started
let operator: Operator
let api: OfflineApi
before(async () => {
  service = await startWithJwts({ every: timer.every })
  operator = await operatorOf(service)
  api = offlineApi(service)
})
after(async () => {
  api.close()
  await service.close()
})

const store = (): Store => service.server().store

let events = 0

const trace = (): Trace => {
  const eventId = createId(service.now() * 1000, Buffer.alloc(10, ++events)) as EventId
  return { eventId, at: service.now(), requestId: null, actor: { type: 'service' } }
}

/** An application of an owner, each of its own, with a JWT for the orders. */
interface Given {
  readonly clientId: ClientId
  readonly ownerId: OwnerId
  readonly credentials: readonly [string, string]
  readonly token: string
  readonly refreshToken: string
  /** The id of the authorization. */
  readonly authorization: string
}

let people = 0

const begin = async (): Promise<Given> => {
  const name = `person-${++people}`
  const password = 'a long password of theirs'
  const owner = await operator('POST', 'owners', { username: name, password })
  const client = await operator('POST', 'clients', {
    client_id: `app-${people}`,
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'password', 'refresh_token', 'client_credentials'],
    scope: 'orders',
    trusted: true,
  })
  assert.deepEqual([owner.status, client.status], [201, 201], owner.text + client.text)
  const credentials = [`app-${people}`, client.body.client_secret] as const
  const form = { grant_type: 'password', username: name, password, scope: 'orders' }
  const { body, text } = await service.post('/token', form, credentials)
  assert.ok(body.access_token, text)
  const { sub, lk_authorization: authorization } = decodeJwt(body.access_token)
  return {
    clientId: credentials[0] as ClientId,
    ownerId: sub as OwnerId,
    credentials,
    token: body.access_token,
    refreshToken: body.refresh_token,
    authorization: String(authorization),
  }
}

/** The store notes what was done in the session of an owner. */
const sessionOf = async (ownerId: OwnerId): Promise<SessionId> => {
  const owner = await store().findOwner(ownerId)
  assert.ok(owner)
  const at = service.now()
  const session = sampleSession(ownerId, { startedAt: at, expiresAt: at + 1000 })
  await store().startSession(session, { passwordHash: owner.passwordHash }, null, trace())
  return session.id
}

/** Waits until the poll under way has brought the news, and the next one has begun. */
const hear = async (): Promise<void> => {
  const polls = () => api.asked.filter((path) => path === '/revocation-feed').length
  const earlier = polls()
  while (polls() === earlier) {
    timer.tick()
    await new Promise((resume) => setImmediate(resume))
  }
}

const tokenOfClient = async ({ credentials }: Given): Promise<string> => {
  const form = { grant_type: 'client_credentials', scope: 'orders:read' }
  return (await service.post('/token', form, credentials)).body.access_token
}

/** The questions about single tokens. */
const questions = (): number => api.asked.filter((path) => path === '/introspect').length

interface End {
  readonly act: (given: Given) => Promise<unknown>
  /** The token to try, if it is not that of the owner. */
  readonly token?: (given: Given) => Promise<string>
  /** The status of the API afterwards, if it is not 401. */
  readonly status?: 200 | 403
}

const visits = new Map<string, Browser>()

/** A token of an approval for a visit of alice. */
const visitOf = async ({ clientId }: Given): Promise<string> => {
  const browser = new Browser(service)
  visits.set(clientId, browser)
  const request = { ...codeRequest, scope: 'orders', prompt: 'consent' }
  const page = await walk(service, request, { duration: 'session' }, browser)
  return (await redeem(service, answerOf(page).code ?? '')).body.access_token
}

const browserOf = ({ clientId }: Given): Browser => {
  const browser = visits.get(clientId)
  assert.ok(browser)
  return browser
}

const patch =
  (path: (given: Given) => string, json: object): End['act'] =>
  (given) =>
    operator('PATCH', path(given), json)

const ownerPath = ({ ownerId }: Given): string => `owners/${ownerId}`
const clientPath = ({ clientId }: Given): string => `clients/${clientId}`
const authorizationPath = ({ authorization }: Given): string => `authorizations/${authorization}`

const post =
  (path: (given: Given) => string): End['act'] =>
  (given) =>
    operator('POST', path(given))

const pause: End['act'] = (of) => store().pauseAuthorizations(of, trace())

const codes = new Map<string, string>()

const registration = 'digest of a registration token' as Digest

const nothing = null

/** Every event, and its effect on a JWT from before. */
const ends: Readonly<Record<EventType, End | null>> = {
  'owner.created': nothing,
  'owner.changed': { act: patch(ownerPath, { disabled: true }) },
  'owner.deleted': { act: (given) => operator('DELETE', ownerPath(given)) },
  'owner.profile_changed': nothing,
  'owner.data_downloaded': nothing,
  'owner.access_ended': { act: post((given) => `${ownerPath(given)}/end-access`) },
  'owner.groups_changed': {
    act: async (given) => {
      await operator('POST', 'groups', { name: `of ${given.ownerId}` })
      await operator('PUT', `${ownerPath(given)}/groups`, { groups: [`of ${given.ownerId}`] })
    },
    status: 200,
  },
  'owner.deletion_requested': {
    act: async ({ ownerId }) => {
      const by = { ownerId, session: await sessionOf(ownerId) }
      return store().requestDeletion(by, service.now() + 1000, trace())
    },
  },
  'owner.deletion_undone': nothing,
  'owner.password_changed': {
    act: (given) =>
      operator('POST', `${ownerPath(given)}/set-password`, { password: 'another long password' }),
  },
  'owner.email_verified': {
    act: async ({ ownerId }) => {
      const owner = await store().findOwner(ownerId)
      assert.ok(owner)
      const link = { id: `link-${ownerId}`, expiresAt: service.now() + 100 }
      const { email, passwordHash, roles } = owner
      const by = { email, passwordHash, roles, link, proves: email }
      return store().confirmEmail(ownerId, 'new@example.com', by, trace())
    },
    status: 200,
  },
  'owner.unlocked': nothing,
  'link.issued': nothing,
  'mail.sent': nothing,
  'mail.failed': nothing,
  'mail.held_back': nothing,
  'login.succeeded': {
    token: visitOf,
    act: async (given) => {
      const browser = browserOf(given)
      const request = { ...codeRequest, scope: 'orders', prompt: 'login' }
      const page = await browser.go(service.issuer + authorizePath(request))
      return browser.logIn(page, 'alice', 'wonderland')
    },
  },
  'login.failed': nothing,
  'login.second_factor_failed': nothing,
  'login.throttled': nothing,
  'recovery_code.used': nothing,
  'passkey.counter_regressed': nothing,
  'factor.added': nothing,
  'factor.removed': nothing,
  'upstream.linked': nothing,
  'upstream.unlinked': nothing,
  'session.ended': {
    token: visitOf,
    act: async (given) => {
      const browser = browserOf(given)
      return browser.submit(await browser.go('/logout'), { decision: 'logout' })
    },
  },
  'logout.delivered': nothing,
  'logout.failed': nothing,
  'client.registered': nothing,
  'client.changed': { act: patch(clientPath, { disabled: true }) },
  'client.changed_itself': {
    token: async ({ clientId, credentials, refreshToken }) => {
      const change = { registrationDigest: registration, newSalt: 'another' }
      await store().changeClient(clientId, change, trace())
      await hear()
      // From then on the change of before raises no doubt.
      service.pass(guardLimits.clockSkewSeconds + 1)
      return (await refresh(service, refreshToken, credentials)).body.access_token
    },
    act: ({ clientId }) =>
      store().changeOwnClient(clientId, registration, { name: 'Other', newSalt: 'new' }, trace()),
    status: 200,
  },
  'client.secret_rotated': {
    token: tokenOfClient,
    act: post((given) => `${clientPath(given)}/rotate-secret`),
  },
  'client.tokens_ended': { act: post((given) => `${clientPath(given)}/end-tokens`) },
  'client.registration_revoked': {
    act: ({ clientId }) =>
      store().changeClient(clientId, { registrationDigest: null, newSalt: 'new' }, trace()),
    status: 200,
  },
  'client.deleted': { act: (given) => operator('DELETE', clientPath(given)) },
  'authorization.approved': nothing,
  'authorization.delegated': nothing,
  'authorization.denied': nothing,
  'device.connected': nothing,
  'device.denied': nothing,
  'authorization.narrowed': {
    act: patch(authorizationPath, { scope: 'orders:write' }),
    status: 403,
  },
  'authorization.end_changed': {
    act: async ({ authorization, ownerId }) => {
      const session = await sessionOf(ownerId)
      const change = { id: authorization as AuthorizationId, ownerId, session }
      await store().changeAuthorizationEnd({ ...change, expiresAt: service.now() + 5 }, trace())
      service.pass(5)
    },
  },
  'authorization.ended': { act: (given) => operator('DELETE', authorizationPath(given)) },
  'authorization.paused': { act: pause },
  'authorization.resumed': {
    act: async (of) => {
      await pause(of)
      await store().resumeAuthorizations({ ...of, session: null }, trace())
    },
    status: 200,
  },
  'authorization.allowed_again': nothing,
  'code.replayed': {
    token: async ({ clientId }) => {
      const code = await obtainCode(service, { ...codeRequest, scope: 'orders' })
      codes.set(clientId, code)
      return (await redeem(service, code)).body.access_token
    },
    act: ({ clientId }) => redeem(service, codes.get(clientId) ?? ''),
  },
  'code.burned': nothing,
  'refresh_token.repeated': nothing,
  'refresh_token.reused': {
    act: async ({ credentials, refreshToken }) => {
      const { body } = await refresh(service, refreshToken, credentials)
      await refresh(service, body.refresh_token, credentials)
      await refresh(service, refreshToken, credentials)
    },
  },
  'token.revoked': {
    act: ({ credentials, token }) => service.post('/revoke', { token }, credentials),
  },
  'family.revoked': {
    act: ({ credentials, refreshToken: token }) => service.post('/revoke', { token }, credentials),
  },
  'resource.created': nothing,
  'resource.changed': nothing,
  'resource.deleted': nothing,
  'group.created': nothing,
  'group.changed': nothing,
  'group.deleted': {
    act: async ({ ownerId }) => {
      await operator('POST', 'groups', { name: 'gone' })
      const put = await operator('POST', 'groups/gone/members', { add: [ownerId] })
      assert.equal(put.status, 200, put.text)
      await hear()
      await operator('DELETE', 'groups/gone')
    },
    status: 200,
  },
  'issuer.created': nothing,
  'issuer.changed': nothing,
  'issuer.deleted': nothing,
  'stream.created': nothing,
  'stream.changed': nothing,
  'stream.deleted': nothing,
  'keys.rotated': nothing,
  'keys.removed': {
    act: async () => {
      const keys = (await store().listKeys()).filter(({ use }) => use === 'sealing')
      const ids = keys.map(({ id }) => id)
      await store().removeKeys(ids, trace())
      await service.advance(housekeepingLimits.keyReloadSeconds)
    },
  },
  'keys.replaced': {
    act: async () => {
      const [key] = (await store().listKeys()).filter(({ use }) => use === 'sealing')
      assert.ok(key)
      await store().replaceKeys({ ...key, id: 'replaced' }, trace())
      await service.advance(housekeepingLimits.keyReloadSeconds)
    },
  },
  'keys.rewrapped': nothing,
  // The test of the restore compares the feed.
  'client.forgotten': nothing,
  'seals.begun_anew': nothing,
  'store.restored': nothing,
}

describe('an API that verifies JWTs by itself hears of', () => {
  for (const type of eventTypes) {
    const end = ends[type]
    if (end === null) continue
    test(type, async () => {
      // A new token of the operator: that of before may have ended with all.
      operator = await operatorOf(service)
      // What another row noted raises no doubt about these tokens.
      service.pass(guardLimits.clockSkewSeconds + 1)
      const given = await begin()
      const token = (await end.token?.(given)) ?? given.token
      assert.equal(await api.use(token), 200)
      const asked = questions()
      await end.act(given)
      await hear()
      assert.equal(await api.use(token), end.status ?? 401)
      // The issuer is asked about a token that has not ended for good.
      if (end.status !== undefined) assert.equal(questions(), asked + 1)
      assert.notDeepEqual((await store().listEvents({ type }, null, 1)).rows, [])
    })
  }
})
