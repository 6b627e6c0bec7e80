/** Settled permissions of a further request: only those without an end. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Authorization } from '../../../src/model/authorization.ts'
import type { Client } from '../../../src/model/client.ts'
import type { AuthorizationId, SessionId } from '../../../src/model/ids.ts'
import { mergeApproved, type Requester } from '../../../src/model/requester.ts'
import type { Permissions } from '../../../src/model/resource.ts'
import type { Session } from '../../../src/model/session.ts'
import type { AuthorizationRequest } from '../../../src/requests/authorization-request.ts'
import type { PromptEffect } from '../../../src/requests/prompts.ts'
import { computeDifference } from '../../../src/rooms/oauth/consent/show.ts'

const confidential = { authenticationMethod: 'client_secret_basic' } as Client
const open = { authenticationMethod: 'none' } as Client
const session = { id: 'this' as SessionId } as Session

const asking = (
  permissions: Permissions,
  prompt: readonly PromptEffect[] = [],
): AuthorizationRequest => ({
  responseType: 'code',
  permissions,
  leftOut: [],
  terms: {},
  challenge: null,
  prompt,
  login: { maxAgeSeconds: null, contexts: [], needsContext: false, subjects: null },
})

const requester: Requester = {
  name: 'Printer',
  host: 'printer.example',
  responseTypes: 'code',
  method: 'client_secret_basic',
}

const standing = (id: string, permissions: Permissions, change: Partial<Authorization> = {}) =>
  ({
    id: id as AuthorizationId,
    permissions,
    duration: 'forever',
    sessionId: null,
    expiresAt: null,
    approvedFor: mergeApproved(null, requester),
    ...change,
  }) as Authorization

const lasting = standing('lasting', ['photos:read'])
const chosen = standing('chosen', ['photos:read'], { duration: 'chosen' })
const day = standing('day', ['photos:read'], { duration: 'day', expiresAt: 9 })
const ending = standing('ending', ['photos:read'], { duration: 'chosen', expiresAt: 9 })
const visit = standing('visit', ['photos:read'], { duration: 'session', sessionId: session.id })
const former = standing('former', ['photos:read'], {
  approvedFor: mergeApproved(null, { ...requester, name: 'Other' }),
})
const unnoted = standing('unnoted', ['photos:read'], { approvedFor: null })
const other = standing('other', ['photos:read'], {
  duration: 'session',
  sessionId: 'other' as SessionId,
})

describe('asked for something new beside what was allowed', () => {
  const request = asking(['contacts:read', 'photos:read'])
  const rows: readonly (readonly [string, readonly Authorization[], Permissions, string?])[] = [
    ['until taken back', [lasting], ['photos:read'], 'lasting'],
    ['by the owner’s own word without an end', [chosen], ['photos:read'], 'chosen'],
    ['for a day', [day], [], 'day'],
    ['until a day that the owner chose', [ending], [], 'ending'],
    ['for this visit', [visit], [], 'visit'],
    ['for a visit elsewhere', [other], []],
    ['for the client before it changed', [former], [], 'former'],
    ['before it was noted for whom', [unnoted], [], 'unnoted'],
    ['for good and for a day', [lasting, day], ['photos:read'], 'lasting'],
    ['nothing', [], []],
  ]
  for (const [what, allowed, settled, by] of rows) {
    it(`${what}: ${settled.length === 0 ? 'nothing' : 'that'} is settled`, () => {
      const difference = computeDifference(request, confidential, session, allowed, requester)
      assert.deepEqual(difference.settled, settled)
      assert.equal(difference.before.get('photos:read')?.id, by)
    })
  }
})

describe('all of it is decided anew', () => {
  const nothingNew = asking(['photos:read'])
  const more = ['contacts:read', 'photos:read'] as const
  const rows: readonly (readonly [string, AuthorizationRequest, Client])[] = [
    ['where nothing is new', nothingNew, confidential],
    ['for a client whose name proves nothing', asking(more), open],
    ['where the client asks for that', asking(more, ['consent']), confidential],
  ]
  for (const [what, request, client] of rows) {
    it(what, () => {
      const { settled, before } = computeDifference(request, client, session, [lasting], requester)
      assert.deepEqual([settled, [...before.keys()]], [[], ['photos:read']])
    })
  }
})
