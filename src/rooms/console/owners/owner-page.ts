/** The content of the page of one user, and the acts of its buttons. */
import { findDisabledBy } from '../../../features/missing.ts'
import { getOperatorKey } from '../../../model/actor.ts'
import { findConsoleRole, type Owner } from '../../../model/owner.ts'
import { setGroupsOf } from '../../../operations/group-members.ts'
import { findNamed } from '../../../operations/named-owner.ts'
import {
  createLink,
  endAccess,
  endSessions,
  resetFactors,
  unlockOwner,
} from '../../../operations/owner-access.ts'
import { changeOwner, deleteOwner } from '../../../operations/owners.ts'
import { canMail } from '../../../owners/ways-in.ts'
import { readDone } from '../../owner-visit.ts'
import { sayUpstream } from '../../upstream-trip.ts'
import { type ActionRows, markCalm, offer } from '../actions.ts'
import { findNames } from '../events/events.ts'
import { consoleLimits } from '../limits.ts'
import { type ConsoleNeeds, type ConsoleVisit, findConsoleNotice } from '../visit.ts'
import { consoleOwnersWords } from './words.ts'

export const readPage = async (visit: ConsoleVisit, needs: ConsoleNeeds) => {
  const { at, login } = visit
  const { store } = needs
  const owner = await findNamed(visit, needs)
  const { id: ownerId } = owner
  const few = consoleLimits.fewRows
  const operator = getOperatorKey({ type: 'operator', ownerId: login.owner.id, network: '' })
  const [factors, links, groups, authorizations, sessions, events, ways, waits, disabler] =
    await Promise.all([
      store.findFactors(ownerId),
      store.listUpstreamLinks(ownerId),
      store.listGroupsOf(ownerId),
      store.listAuthorizations({ ownerId }, null, few, at, 'newest first'),
      store.listSessions(ownerId, null, few, at),
      store.listEvents({ ownerId }, null, few),
      // Ways to log in that others may have set: asked about with a role in the console.
      findConsoleRole(owner) === 'operator' ? [] : store.listWaysOfOthers(ownerId, operator),
      store.listWaits(ownerId, at),
      owner.disabled ? findDisabledBy(store, ownerId) : null,
    ])
  return {
    owner,
    factors,
    groups,
    ways,
    /** The end of the longest wait after wrong tries, in unix seconds; null without one. */
    waitsUntil: waits[0]?.until ?? null,
    /** The upstream that disabled the owner, and no operator since; null for none. */
    disabledBy: disabler && sayUpstream(disabler, needs, visit.view.language),
    /** The ids of upstreams with a linked account. */
    linked: links.map(({ upstream }) => upstream),
    authorizations: authorizations.rows,
    sessions: sessions.rows,
    events: events.rows,
    names: await findNames(events.rows, store),
    /** Whether the operator looks at the own account. */
    isSelf: login.owner.id === ownerId,
    canMail: canMail(needs),
    notice: findConsoleNotice(visit, consoleOwnersWords(visit.view.language).done),
    isUndoable: owner.disabled && readDone(visit)?.what === 'disabled',
  }
}

export type OwnerPage = Awaited<ReturnType<typeof readPage>>

export type OwnerWords = ReturnType<typeof consoleOwnersWords>

export const ownerActions = {
  unlock: offer(unlockOwner, 'unlock', 'unlocked'),
  link: markCalm(
    offer(
      createLink,
      'link',
      'sent',
      (form, { passwordHash }) => ({
        purpose: passwordHash === '' ? 'invite' : 'reset',
        send: form.find('send') !== null,
      }),
      'linkMake',
    ),
  ),
  factors: offer(resetFactors, 'factors', 'factors'),
  groups: offer(setGroupsOf, 'groupsSave', 'groups', (form) => ({
    groups: (form.find('groups') ?? '').split('\n').flatMap((name) => name.trim() || []),
  })),
  roles: offer(changeOwner, 'rolesSave', 'roles', (form) => ({
    roles: (form.find('roles') ?? '').split(/\s+/).filter((role) => role !== ''),
    keep_ways_in: [...form.names()].flatMap((name) => /^keep (.+)$/.exec(name)?.[1] ?? []),
  })),
  'end-sessions': offer(endSessions, 'endSessions', 'sessions'),
  'end-access': offer(endAccess, 'endAccess', 'access'),
  disable: offer(changeOwner, 'disable', 'disabled', { disabled: true }),
  enable: offer(changeOwner, 'enable', 'enabled', { disabled: false }),
  keep: offer(changeOwner, 'keep', 'kept', { disabled: true }),
  delete: offer(deleteOwner, 'remove', 'deleted'),
} satisfies ActionRows<OwnerWords, Owner>
