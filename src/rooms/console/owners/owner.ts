/** `/admin/owners/{id}`: one user, and what the buttons on the page do. */
import { consoleLimits } from '../../../config/console-limits.ts'
import type { Answer } from '../../../http/answer.ts'
import { operatorKey } from '../../../model/actor.ts'
import {
  type AuthorizationId,
  isId,
  isOwnerId,
  type OwnerId,
  type SessionHandle,
} from '../../../model/ids.ts'
import type { Owner } from '../../../model/owner.ts'
import { consoleRoleOf } from '../../../model/role.ts'
import { noSession } from '../../../model/session.ts'
import { changedOwner } from '../../../owners/registration.ts'
import { canMail } from '../../../owners/ways-in.ts'
import { traceOf } from '../../../parts.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { EndpointParts } from '../../../registries.ts'
import { showPage } from '../../visit.ts'
import { ownersIn } from '../events/events.ts'
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

/** @throws Refusal `not_found` */
const find = async (
  { params }: Pick<ConsoleVisit, 'params'>,
  { store }: EndpointParts,
): Promise<Owner> => {
  const id = params.id ?? ''
  const owner = isOwnerId(id) ? await store.findOwner(id as OwnerId, 'disabled') : null
  if (owner !== null) return owner
  throw new Refusal('not_found', 'unknown_owner', 'there is no such owner')
}

/** `GET /admin/owners/{id}` */
export const showOwner = consolePage(async (visit, parts) => {
  const { at, login } = visit
  const { store } = parts
  const owner = await find(visit, parts)
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
  parts: EndpointParts,
) => Promise<string | Answer>

const setDisabled =
  (disabled: boolean): OwnerAct =>
  async ({ id }, _form, visit, parts) => {
    const changed = await parts.store.changeOwner(id, { disabled }, traceOf(visit, parts))
    if (changed === null) return 'gone'
    return disabled ? 'disabled' : 'enabled'
  }

const giveLink: OwnerAct = (owner, form, visit, parts) => {
  const purpose = owner.passwordHash === '' ? 'invite' : 'reset'
  return form.find('send') === null
    ? answerOwnerLink(purpose, owner, visit, parts)
    : sendOwnerLink(purpose, owner, visit, parts)
}

const acts: Readonly<Record<string, OwnerAct>> = {
  link: giveLink,
  disable: setDisabled(true),
  enable: setDisabled(false),
  roles: async ({ id }, form, visit, parts) => {
    const roles = (form.find('roles') ?? '').split(/\s+/).filter((role) => role !== '')
    const change = { roles: changedOwner({ roles }).roles ?? [] }
    const keep = [...form.names()].flatMap((name) => /^keep (.+)$/.exec(name)?.[1] ?? [])
    const given = await parts.store.giveRoles(id, change, keep, traceOf(visit, parts))
    return given.outcome === 'given' ? 'roles' : 'gone'
  },
  factors: async ({ id }, _form, visit, parts) =>
    (await parts.store.resetFactors(id, traceOf(visit, parts))) ? 'factors' : 'gone',
  'end-sessions': async ({ id }, _form, visit, parts) => {
    await parts.store.endOtherSessions(id, noSession, traceOf(visit, parts))
    return 'sessions'
  },
  'end-access': async ({ id }, _form, visit, parts) =>
    (await parts.store.endAccessOf(id, traceOf(visit, parts))) ? 'access' : 'gone',
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
  delete: async ({ id }, _form, visit, parts) => {
    const deleted = await parts.store.deleteOwner(id, traceOf(visit, parts))
    return answerConsole(visit, '/admin/owners', deleted ? 'deleted' : 'gone')
  },
}

/** So that no operator locks everybody out by mistake: another one has to do it. */
const notToOneself: readonly string[] = ['roles', 'disable', 'delete']

/** `POST /admin/owners/{id}` */
export const actOnOwner = consoleAction(async (visit, form, parts) => {
  const owner = await find(visit, parts)
  const action = form.find('action') ?? ''
  const act = Object.hasOwn(acts, action) ? acts[action] : undefined
  if (act === undefined) {
    throw new Refusal('invalid_request', 'unknown_action', 'this form has no such action')
  }
  const isOwn = owner.id === visit.login.owner.id && notToOneself.includes(action)
  const done = isOwn ? 'own' : await act(owner, form, visit, parts)
  return typeof done === 'string' ? answerConsole(visit, ownerPath(owner.id), done) : done
})
