/** Examples of the pages of the console about users, access and events. */

import type { Event } from '../../../src/model/event.ts'
import type {
  AuthorizationId,
  ClientId,
  EventId,
  GroupId,
  OwnerId,
  SessionHandle,
} from '../../../src/model/ids.ts'
import type { Owner } from '../../../src/model/owner.ts'
import type { View } from '../../../src/paper/view.ts'
import { authorizationList } from '../../../src/rooms/console/events/authorizations.ts'
import { eventList } from '../../../src/rooms/console/events/events.ts'
import { renderFound } from '../../../src/rooms/console/find.ts'
import { renderList } from '../../../src/rooms/console/list.ts'
import { renderOwner } from '../../../src/rooms/console/owners/owner.ts'
import { ownerList, renderOwnerLink } from '../../../src/rooms/console/owners/owners.ts'
import type { ListedAuthorization } from '../../../src/store/contract/authorization.ts'
import { sampleClient, sampleOwner, samplePasskey, sampleSession } from '../../store/sample.ts'
import { csrf, longName, now, owner as operator } from './values.ts'

const owner = sampleOwner({
  id: '01k3rpd29z6m2q1w9x8y7v6u5t' as OwnerId,
  username: 'alice',
  createdAt: now - 90_000_000,
  updatedAt: now - 3600,
  roles: ['auditor'],
})

const owners: readonly Owner[] = [
  owner,
  {
    ...owner,
    id: 'b'.repeat(128) as OwnerId,
    username: 'b'.repeat(100),
    name: longName,
    email: `${'long.'.repeat(30)}@example.com`,
    disabled: true,
    deletionAt: now,
    roles: ['operator', 'staff'],
  },
  { ...owner, name: '', email: '', roles: [] },
]

const listed: ListedAuthorization = {
  id: '01k3rpd29z6m2q1w9x8y7v6u5t' as AuthorizationId,
  clientId: 'photo-printer' as ClientId,
  ownerId: owner.id,
  parentId: null,
  permissions: ['contacts:read', 'photos:read', 'photos:write'],
  details: [],
  allowedBy: null,
  duration: 'month',
  sessionId: null,
  expiresAt: now + 90_000,
  createdAt: now - 90_000,
  salt: 'salt',
  approvedFor: null,
  paused: null,
  clientName: 'Photo Printer',
  parentClientName: null,
  clientRegisteredBy: 'operator',
  clientUri: null,
  clientDisabled: false,
  clientLikeness: null,
  clientLogo: null,
  username: 'alice',
  lastUsedAt: now - 60,
}

const event: Event = {
  id: '01k3rpd29z6m2q1w9x8y7v6u5t' as EventId,
  at: now - 60,
  type: 'authorization.approved',
  clientId: 'photo-printer' as ClientId,
  ownerId: owner.id,
  authorizationId: null,
  requestId: '01k3rpd29z6m2q1w9x8y7v6u5t',
  actor: { type: 'owner', ownerId: owner.id, network: '192.0.2.*' },
  details: { permissions: 'photos:read photos:write', expiresAt: null },
}

const network = '2001:db8:ffff:*'
const events: readonly Event[] = [
  event,
  { ...event, actor: { type: 'operator', ownerId: owner.id, network }, details: {} },
  { ...event, actor: { type: 'cli', user: 'root' }, ownerId: null, requestId: null },
  { ...event, actor: { type: 'anyone', network }, clientId: 'c'.repeat(200) as ClientId },
  { ...event, actor: null, details: { username: longName } },
]

const names = new Map([[owner.id as string, 'alice']])

export const consoleOwnerSamples = (view: View): Readonly<Record<string, string>> => {
  const given = { view, csrf, owner: operator, role: 'operator' } as const
  const auditor = { ...given, role: 'auditor' } as const
  const place = { next: 'more', isFirst: false, notice: null }
  const list = {
    ...place,
    items: owners,
    filter: { q: '', state: '', login: '', role: '' } as const,
  }
  const page = {
    owner,
    factors: {
      passkeys: [samplePasskey(owner.id)],
      oneTimeCodes: null,
      recoveryCodes: 0,
      passkeyOnly: false,
      formerPassword: null,
    },
    groups: [{ id: 'g' as GroupId, name: 'Engineering', byOperator: true, upstreams: [] }],
    disabledBy: null,
    linked: ['google'],
    waitsUntil: now + 512,
    ways: [{ id: 'passkey:a', kind: 'passkey', name: longName, at: now - 7200 } as const],
    authorizations: [listed, { ...listed, clientName: longName, lastUsedAt: null }],
    sessions: [
      sampleSession(owner.id, {
        handle: '0'.repeat(26) as SessionHandle,
        network,
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        startedAt: now - 7200,
      }),
    ],
    events,
    names,
    isSelf: false,
    canMail: true,
    notice: 'The user is disabled.',
    isUndoable: true,
  }
  const empty = {
    ...page,
    authorizations: [],
    sessions: [],
    events: [],
    groups: [],
    disabledBy: null,
    linked: [],
    waitsUntil: null,
    ways: [],
    notice: null,
    isUndoable: false,
  }
  const filter = { type: '', owner: '', client: '', actor: '', since: '', until: '', reference: '' }
  // A slow look at the live view must not see the script ask again.
  const liveSeconds = 86_400
  const seen = {
    ...place,
    items: events,
    names,
    filter,
    isLive: false,
    isRefused: true,
    liveSeconds,
    problem: null,
  }
  const access = {
    ...place,
    items: page.authorizations,
    filter: { owner: 'alice', client: '', state: 'live' } as const,
    problem: null,
  }
  return {
    'console-owners': renderList(ownerList, given, { ...list, invitation: null }),
    'console-owners-refused': renderList(ownerList, given, {
      ...list,
      items: [],
      invitation: { problem: 'username has to be text', typed: { username: ' ' } },
    }),
    'console-owner': renderOwner(given, page),
    'console-owner-self': renderOwner(given, { ...empty, isSelf: true }),
    'console-owner-auditor': renderOwner(auditor, page),
    'console-owner-link': renderOwnerLink(given, owner, {
      link: `https://auth.example.com/invite?link=${'x'.repeat(300)}`,
      expires_at: now + 86_400,
    }),
    'console-events': renderList(eventList, given, seen),
    'console-events-live': renderList(eventList, given, { ...seen, isLive: true }),
    'console-events-none': renderList(eventList, given, {
      ...seen,
      items: [],
      filter: { ...filter, actor: 'operator:client:latchkey-admin' },
      problem: 'There is no such user.',
    }),
    'console-access': renderList(authorizationList, given, access),
    'console-access-auditor': renderList(authorizationList, auditor, access),
    'console-found': renderFound(given, {
      q: 'al',
      owners: { rows: owners, next: null },
      clients: { rows: [sampleClient()], next: null },
    }),
  }
}
