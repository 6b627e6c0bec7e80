/** The sets of a revocation, beside the event of its step. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeSignal, listSignalEvents } from '../../../src/features/signals/events.ts'
import type { Event } from '../../../src/model/event.ts'
import type { EventId } from '../../../src/model/ids.ts'

const eventOf = (type: Event['type'], details: Event['details']): Event => ({
  ...{ id: 'event' as EventId, at: 1, type, details, requestId: null, actor: null },
  ...{ clientId: null, ownerId: null, authorizationId: null },
})

const about = (event: Event | null, subject: 'authorization' | 'client', isFinal = false) => ({
  ...{ id: 'event:x', at: 1, position: 1, subject, subjectId: 'x', isFinal, permissions: null },
  ...{ event, clientId: null, ownerId: null, allowed: null, isDelegation: false },
})

test('a revocation without an event may have ended all: session-revoked', () => {
  assert.deepEqual(listSignalEvents(about(null, 'client'), false), ['sessionRevoked'])
  assert.deepEqual(listSignalEvents(about(null, 'authorization'), true), ['sessionRevoked'])
})

test('a change whose members had no room may have ended all', () => {
  const cut = eventOf('client.changed', { changed: 'display', changeCut: 'jwks' })
  assert.deepEqual(listSignalEvents(about(cut, 'client'), false), ['sessionRevoked'])
})

test('a password that was taken away: credential-change alone, as a deletion', () => {
  const gone = about(eventOf('owner.password_changed', { removed: true }), 'authorization')
  assert.deepEqual(listSignalEvents(gone, true), ['credentialChange'])
  const [said] = Object.values(describeSignal({ kind: 'credentialChange', about: gone }, []))
  assert.equal((said as { change_type: string }).change_type, 'delete')
})

test('a narrowing at another API: its id may have ended, and nothing more is told', () => {
  const narrowed = about(eventOf('authorization.narrowed', { permissions: '' }), 'authorization')
  assert.deepEqual(listSignalEvents(narrowed, false), ['sessionRevoked'])
  assert.deepEqual(listSignalEvents(narrowed, true), ['claimsChange'])
})
