/** How one owner logs in, and the logins and the access that there are. */

import type { Passkey, UpstreamLink } from '../model/factor.ts'
import type { SessionHandle } from '../model/ids.ts'
import { noSession, type Session } from '../model/session.ts'
import { makeCodeCounter, makeGuessedCounters } from '../owners/counters.ts'
import { handOver, sendOver } from '../owners/links.ts'
import { hashNewPassword, ownerForms } from '../owners/registration.ts'
import { findSuspectWays } from '../owners/ways-in.ts'
import { parseMembers } from '../protocol/members.ts'
import { describePage, findCursor } from './lists.ts'
import {
  checkSameRoles,
  describeOwner,
  explainUnchanged,
  findChangeable,
  findNamed,
  ownerAnswer,
} from './named-owner.ts'
import { defineRow, makeForm, mapAnswer, pageOf, seconds, text, texts, whole } from './operation.ts'
import { sayLink } from './surface/owner-flags.ts'
import { show } from './surface/said.ts'

const formerPasskey = mapAnswer<Passkey>({
  name: [text, 'name'],
  created_at: [whole, 'createdAt'],
})

const formerLink = mapAnswer<UpstreamLink>({
  upstream: [text, 'upstream'],
  label: [text, 'label'],
  created_at: [whole, 'createdAt'],
})

/** No session is kept: it is not the owner who asks. */
const setPassword = defineRow({
  route: 'POST /admin/api/owners/:id/set-password',
  says: 'Set the password; ends all sessions and tokens',
  commands: {
    usage: 'owner set-password <username>',
    does: 'set the password that standard input holds; all logins end',
    examples: ['latchkey owner set-password alice < password.txt'],
    reads: 'password',
    body: ({ password }) => ({ password }),
    text: ({ json: { username } }) =>
      `${show(username)} has a new password. All of its logins have ended.`,
  },
  body: {
    form: makeForm('NewPassword', (z) => z.strictObject({ password: z.string() })),
    example: { password: 'a-long-and-rare-passphrase' },
  },
  answers: {
    200: makeForm('OwnerWithPasskeys', (z) =>
      z.strictObject({
        ...ownerAnswer.shape(z),
        passkeys_of_former_password: z.array(z.strictObject(formerPasskey.shape(z))),
        upstreams_of_former_password: z.array(z.strictObject(formerLink.shape(z))),
      }),
    ),
  },
  find: findChangeable,
  async run({ on: owner, given, trace }, parts) {
    const { id, roles } = owner
    const password = await hashNewPassword(given, owner, parts)
    const changed = await parts.store.changePassword(id, password, null, trace(), roles)
    if (changed === null) throw await explainUnchanged(owner, parts)
    // Who guessed at the former password does not keep out the owner with the new one.
    await parts.store.clearAttempts(makeGuessedCounters(changed), [], trace())
    const { passkeys, links } = await findSuspectWays(id, parts)
    return {
      ...describeOwner(changed),
      passkeys_of_former_password: passkeys.map(formerPasskey.describe),
      upstreams_of_former_password: links.map(formerLink.describe),
    }
  },
})

/** A link that the operator passes on, shown this once. Or a mail brings it. */
export const createLink = defineRow({
  route: 'POST /admin/api/owners/:id/links',
  says: 'Make a link for the owner, or send it by mail',
  commands: {
    usage: 'owner reset <username>',
    does: 'print or send a link to choose a new password',
    examples: ['latchkey owner reset alice'],
    flags: [['--send', 'send it by mail to the address of the owner']],
    body: ({ send }) => ({ purpose: 'reset', send: send === true }),
    json: ({ found: { username }, json }) => ({ username, ...json }),
    text: ({ found: { username }, json }) => sayLink(json, username),
  },
  body: {
    form: makeForm('WantedLink', () => ownerForms().link),
    example: { purpose: 'reset' },
  },
  answers: {
    201: makeForm('Link', (z) =>
      z.strictObject({ purpose: z.string(), link: z.string(), expires_at: z.int() }),
    ),
    202: makeForm('SentLink', (z) => z.strictObject({ purpose: z.string(), sent_to: z.string() })),
  },
  status: (said) => ('sent_to' in said ? 202 : 201),
  find: findChangeable,
  async run({ on: owner, given, trace }, parts) {
    const asked = parseMembers(ownerForms().link, given, () => 'invalid_request')
    const { purpose, send = false } = asked
    if (send) return { purpose, sent_to: await sendOver(purpose, owner, trace(), parts) }
    const key = parts.keyring.current()
    const { link, expiresAt } = await handOver(purpose, owner, trace(), { ...parts, key })
    return { purpose, link, expires_at: expiresAt }
  },
})

/** Nothing that opens the session. */
const session = mapAnswer<Session>({
  id: [(z) => z.string().describe('opens nothing'), 'handle'],
  started_at: [seconds, 'startedAt'],
  seen_at: [(z) => z.int().describe('its latest request, to within an hour'), 'seenAt'],
  expires_at: [whole, 'expiresAt'],
  user_agent: [text, 'userAgent'],
  network: [text, 'network'],
  amr: [texts, 'methods'],
})

export const listSessions = defineRow({
  route: 'GET /admin/api/owners/:id/sessions',
  says: 'List the live logins of an owner, the newest first',
  filters: {},
  answers: { 200: pageOf('SessionPage', (z) => z.strictObject(session.shape(z))) },
  find: findNamed,
  async run({ on: { id }, query, limit, exchange: { at } }, { store }) {
    const after = findCursor<SessionHandle>(query)
    return describePage(await store.listSessions(id, after, limit, at), session.describe)
  },
})

/** Applications keep their access. */
export const endSessions = defineRow({
  route: 'POST /admin/api/owners/:id/end-sessions',
  says: 'Log the owner out everywhere',
  answers: { 204: null },
  find: findChangeable,
  async run({ on: { id, roles }, on, trace }, parts) {
    const ended = await parts.store.endOtherSessions(id, noSession, trace(), roles)
    if (ended === 0) await checkSameRoles(on, parts)
    return null
  },
})

export const endAccess = defineRow({
  route: 'POST /admin/api/owners/:id/end-access',
  says: 'End all logins, and all access of applications',
  answers: { 204: null },
  find: findChangeable,
  async run({ on, trace }, parts) {
    const isDone = await parts.store.endAccessOf(on.id, trace(), on.roles)
    if (!isDone) await checkSameRoles(on, parts)
    return null
  },
})

/**
 * For an owner without any factor left: the password alone logs in again, and new factors can be
 * set up.
 */
export const resetFactors = defineRow({
  route: 'DELETE /admin/api/owners/:id/factors',
  says: 'Take away all second factors',
  commands: {
    usage: 'owner reset-factors <username>',
    does: 'take away passkeys, one-time codes and recovery codes of an owner who has lost them',
    examples: ['latchkey owner reset-factors alice'],
    json: ({ found: { username } }) => ({ username }),
    text: ({ found: { username } }) =>
      `${show(username)} logs in by the password alone, and can set up a new second factor.`,
  },
  answers: { 204: null },
  find: findChangeable,
  async run({ on, trace }, parts) {
    const isDone = await parts.store.resetFactors(on.id, trace(), on.roles)
    if (!isDone) await checkSameRoles(on, parts)
    return null
  },
})

/** The free tries begin anew, for passwords and one-time codes, and under each name of the account. */
export const unlockOwner = defineRow({
  route: 'POST /admin/api/owners/:id/unlock',
  says: 'End the waits that wrong tries have set',
  commands: {
    usage: 'owner unlock <username>',
    does: 'end the waits that wrong tries at an account have set',
    examples: ['latchkey owner unlock alice'],
    json: ({ found: { username } }) => ({ username }),
    text: ({ found: { username } }) =>
      `No wait of ${show(username)} is left. A network, or a name in a directory, may still have to wait.`,
  },
  answers: { 204: null },
  find: findChangeable,
  async run({ on: owner, trace }, parts) {
    const { id, roles } = owner
    // A row of an older schema does not name its owner.
    const also = [...makeGuessedCounters(owner), makeCodeCounter(id)]
    const isDone = await parts.store.endWaits(id, also, trace(), roles)
    if (!isDone) throw await explainUnchanged(owner, parts)
    return null
  },
})

export const ownerAccessOperations = {
  setPassword,
  unlockOwner,
  createLink,
  listSessions,
  endSessions,
  endAccess,
  resetFactors,
}
