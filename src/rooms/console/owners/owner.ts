/** `/admin/owners/{id}`: one user, and what the buttons on the page do. */
import type { Answer } from '../../../http/answer.ts'
import { operatorKey } from '../../../model/actor.ts'
import { type AuthorizationId, isId, type SessionHandle } from '../../../model/ids.ts'
import { consoleRoleOf, type Owner } from '../../../model/owner.ts'
import { findNamed } from '../../../operations/named-owner.ts'
import type { Operation } from '../../../operations/operation.ts'
import { endAccess, endSessions, resetFactors } from '../../../operations/owner-access.ts'
import { changeOwner, deleteOwner } from '../../../operations/owners.ts'
import { changedOwner } from '../../../owners/registration.ts'
import { canMail } from '../../../owners/ways-in.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { ServiceParts } from '../../../registries.ts'
import { traceOf } from '../../../store/trace.ts'
import { showPage } from '../../visit.ts'
import { ownersIn } from '../events/events.ts'
import { consoleLimits } from '../limits.ts'
import { performUnlessGone } from '../perform.ts'
import { ownerPath } from '../pieces.ts'
import {
  answerConsole,
  type ConsoleVisit,
  consoleAction,
  consoleNotice,
  consolePage,
} from '../visit.ts'
import { namesOfOwners } from './named-owners.ts'
import { answerOwnerLink, sendOwnerLink } from './owner-link.ts'
import { renderOwner } from './owner-page.ts'
import { consoleOwnersWords } from './words.ts'

/** `GET /admin/owners/{id}` */
export const showOwner = consolePage(async (visit, parts) => {
  const { at, login } = visit
  const { store } = parts
  const owner = await findNamed(visit, parts)
  const { id: ownerId } = owner
  const few = consoleLimits.fewRows
  const operator = operatorKey({ type: 'operator', ownerId: login.owner.id, network: '' })
  const [factors, links, authorizations, sessions, events, ways] = await Promise.all([
    store.findFactors(ownerId),
    store.listUpstreamLinks(ownerId),
    store.listAuthorizations({ ownerId }, null, few, at, 'newest first'),
    store.listSessions(ownerId, null, few, at),
    store.listEvents({ ownerId }, null, few),
    consoleRoleOf(owner) === 'operator' ? [] : store.listWaysOfOthers(ownerId, operator),
  ])
  const html = renderOwner(visit.given, {
    owner,
    factors,
    ways,
    linked: links.map(({ upstream }) => upstream),
    authorizations: authorizations.rows,
    sessions: sessions.rows,
    events: events.rows,
    names: await namesOfOwners(ownersIn(events.rows), parts),
    isSelf: login.owner.id === ownerId,
    canMail: canMail(parts),
    notice: consoleNotice(visit, consoleOwnersWords(visit.view.language).done),
  })
  return showPage(visit, html, { hasScript: true })
})

/** What a form does: the key of the notice, or an answer of its own. */
type OwnerAct = (
  owner: Owner,
  form: Parameters,
  visit: ConsoleVisit,
  parts: ServiceParts,
) => Promise<string | Answer>

/** @param said the key of the notice */
const performs =
  (operation: Operation, said: string, given: Readonly<Record<string, unknown>> = {}): OwnerAct =>
  async (_owner, _form, visit, parts) =>
    (await performUnlessGone(visit, { operation, given }, parts)) === null ? 'gone' : said

const giveLink: OwnerAct = (owner, form, visit, parts) => {
  const purpose = owner.passwordHash === '' ? 'invite' : 'reset'
  return form.find('send') === null
    ? answerOwnerLink(purpose, owner, visit, parts)
    : sendOwnerLink(purpose, owner, visit, parts)
}

const acts: Readonly<Record<string, OwnerAct>> = {
  link: giveLink,
  disable: performs(changeOwner, 'disabled', { disabled: true }),
  enable: performs(changeOwner, 'enabled', { disabled: false }),
  factors: performs(resetFactors, 'factors'),
  'end-sessions': performs(endSessions, 'sessions'),
  'end-access': performs(endAccess, 'access'),
  roles: async ({ id }, form, visit, parts) => {
    const roles = (form.find('roles') ?? '').split(/\s+/).filter((role) => role !== '')
    const change = { roles: changedOwner({ roles }).roles ?? [] }
    const keep = [...form.names()].flatMap((name) => /^keep (.+)$/.exec(name)?.[1] ?? [])
    const given = await parts.store.giveRoles(id, change, keep, traceOf(visit, parts))
    return given.outcome === 'given' ? 'roles' : 'gone'
  },
  'end-session': async ({ id }, form, visit, parts) => {
    const handle = form.require('session') as SessionHandle
    const ended = await parts.store.endSessionOf(id, handle, traceOf(visit, parts))
    return ended ? 'session' : 'gone'
  },
  end: async ({ id }, form, visit, parts) => {
    const authorization = form.require('authorization') as AuthorizationId
    if (!isId(authorization)) return 'gone'
    const trace = traceOf(visit, parts)
    return (await parts.store.endAuthorization(authorization, id, trace)) ? 'ended' : 'gone'
  },
  delete: async (_owner, _form, visit, parts) => {
    const deleted = await performUnlessGone(visit, { operation: deleteOwner }, parts)
    return answerConsole(visit, '/admin/owners', deleted === null ? 'gone' : 'deleted')
  },
}

/** So that no operator locks everybody out by mistake: another one has to do it. */
const notToOneself: readonly string[] = ['roles', 'disable', 'delete']

/** `POST /admin/owners/{id}` */
export const actOnOwner = consoleAction(async (visit, form, parts) => {
  const owner = await findNamed(visit, parts)
  const action = form.find('action') ?? ''
  const act = Object.hasOwn(acts, action) ? acts[action] : undefined
  if (act === undefined) {
    throw new Refusal('invalid_request', 'unknown_action', 'this form has no such action')
  }
  const isOwn = owner.id === visit.login.owner.id && notToOneself.includes(action)
  const done = isOwn ? 'own' : await act(owner, form, visit, parts)
  return typeof done === 'string' ? answerConsole(visit, ownerPath(owner.id), done) : done
})
