/** Sample records with ids of their own, so that tests can share a store and not meet in it. */

import { deriveShardKey } from '../../src/crypto/shard-keys.ts'
import type { Authorization } from '../../src/model/authorization.ts'
import type { Client } from '../../src/model/client.ts'
import type { Event } from '../../src/model/event.ts'
import type { Passkey } from '../../src/model/factor.ts'
import type {
  AuthorizationId,
  ClientId,
  Digest,
  EventId,
  FamilyId,
  OwnerId,
  PasskeyId,
  SessionHandle,
  SessionId,
} from '../../src/model/ids.ts'
import type { Owner } from '../../src/model/owner.ts'
import type { Resource } from '../../src/model/resource.ts'
import type { Session } from '../../src/model/session.ts'
import type { Approval } from '../../src/store/contract/authorization.ts'
import type { Delegation, Redemption, Rotation } from '../../src/store/contract/family.ts'
import type { StoredKey } from '../../src/store/contract/key.ts'
import { next, nextFamily, nextOwned, start } from './moments.ts'

const orderWords = { en: 'Orders', zh: '订单' }

export const sampleResource = (change: Partial<Resource> = {}): Resource => ({
  name: `r${next('resource')}`,
  title: orderWords,
  read: orderWords,
  write: orderWords,
  actions: {},
  details: {},
  destructive: [],
  uri: null,
  accessTokenFormat: 'opaque',
  introspectionClients: [],
  ...change,
})

/** The salt of a change of a client, where it ends tokens. */
export const newSalt = 'new-salt-of-the-client'

export const sampleClient = (change: Partial<Client> = {}): Client => ({
  id: next('client') as ClientId,
  name: 'Photo Printer',
  authenticationMethod: 'client_secret_basic',
  secretDigest: 'digest-of-a-secret' as Digest,
  sealedSecret: null,
  oldSecret: null,
  setByOperator: [],
  redirectUris: ['https://printer.example/callback'],
  grantTypes: ['authorization_code', 'refresh_token'],
  responseTypes: ['code'],
  scope: ['contacts:read', 'photos:read', 'photos:write'],
  scopeLimits: true,
  requiredScope: ['photos:read'],
  accessTokenSeconds: 3600,
  refreshTokenSeconds: 86_400,
  trusted: false,
  mayIntrospect: false,
  identity: {},
  disabled: false,
  registeredBy: 'operator',
  registrationDigest: null,
  display: { client_uri: 'https://printer.example', contacts: ['a@printer.example'] },
  openid: {},
  salt: 'salt-of-the-client',
  familySalt: '',
  shortened: null,
  hasEndings: false,
  createdAt: start,
  ...change,
})

export const sampleOwner = (change: Partial<Owner> = {}): Owner => ({
  id: next('owner') as OwnerId,
  username: next('Alice'),
  name: 'Alice Liddell',
  email: `${next('alice')}@example.com`,
  emailVerified: true,
  attributes: { groups: ['staff'] },
  roles: ['clerk', 'staff'],
  claims: { nickname: 'Ally', address: { locality: 'Oxford' } },
  updatedAt: start - 1000,
  passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA',
  passwordChangedAt: 0,
  disabled: false,
  createdAt: start - 1000,
  pages: { language: null, zone: null },
  deletionAt: null,
  pictureName: '',
  pictureSource: '',
  ...change,
})

export const sampleSession = (ownerId: OwnerId, change: Partial<Session> = {}): Session => ({
  id: `${deriveShardKey(ownerId).toString(16).padStart(3, '0')}.${next('session')}` as SessionId,
  ownerId,
  startedAt: start,
  expiresAt: start + 1000,
  handle: next('handle') as SessionHandle,
  userAgent: 'Mozilla/5.0',
  network: '203.0.113.*',
  methods: ['pwd'],
  confirmedAt: start,
  seenAt: start,
  ...change,
})

export const samplePasskey = (ownerId: OwnerId, change: Partial<Passkey> = {}): Passkey => ({
  id: next('passkey') as PasskeyId,
  ownerId,
  name: 'Telephone',
  publicKey: 'pQECAyYgASFYIA',
  counter: 0,
  transports: ['internal', 'hybrid'],
  backupEligible: true,
  backedUp: false,
  createdAt: start,
  lastUsedAt: null,
  ...change,
})

export interface People {
  readonly client: Client
  readonly owner: Owner
}

export const sampleApproval = (
  { client, owner }: People,
  change: Partial<Approval> = {},
): Approval => ({
  id: nextOwned<AuthorizationId>('authorization', change.ownerId ?? owner.id),
  clientId: client.id,
  ownerId: owner.id,
  asked: ['photos:read', 'photos:write'],
  permissions: ['photos:read', 'photos:write'],
  duration: 'forever',
  sessionId: null,
  expiresAt: null,
  salt: 'salt-of-the-authorization',
  proof: null,
  ...change,
})

export const sampleRedemption = (
  authorization: Authorization,
  change: Partial<Redemption> = {},
): Redemption => ({
  familyId: nextFamily(authorization),
  authorizationId: authorization.id,
  salt: authorization.salt,
  codeIssuedAt: start,
  burn: false,
  expiresAt: start + 1000,
  ...change,
})

/** An exchange of a token by a client. */
export const sampleDelegation = (
  chain: Delegation['chain'],
  parent: Authorization,
  client: Client,
  change: Partial<Delegation> = {},
): Delegation => ({
  id: nextOwned<AuthorizationId>('authorization', parent.ownerId),
  familyId: nextFamily(parent),
  clientId: client.id,
  parent,
  chain,
  permissions: ['photos:read'],
  details: [],
  loggedInAt: null,
  salt: 'salt-of-the-delegation',
  expiresAt: start + 1000,
  ...change,
})

export const sampleRotation = (
  familyId: FamilyId,
  generation: number,
  change: Partial<Rotation> = {},
): Rotation => ({
  familyId,
  salt: 'salt-of-the-authorization',
  generation,
  expiresAt: start + 2000,
  retrySeconds: 30,
  ...change,
})

/** A sealing key, wrapped in name only. */
export const sampleKey = (id: string, usableFrom: number): StoredKey => ({
  id,
  use: 'sealing',
  algorithm: 'HS256',
  wrapped: `wrapped ${id}`,
  publicKey: null,
  usableFrom,
  createdAt: start,
  keepUntil: null,
})

export const sampleEvent = (change: Partial<Event> = {}): Event => ({
  id: next('event') as EventId,
  at: start,
  type: 'login.failed',
  clientId: null,
  ownerId: null,
  authorizationId: null,
  requestId: null,
  actor: null,
  details: {},
  ...change,
})

/** An event of about so many bytes. */
export const paddedEvent = (bytes: number): Event =>
  sampleEvent({ details: { padding: 'x'.repeat(bytes) } })
