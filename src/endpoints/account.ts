/** The account page: what the owner allowed, to narrow, to give another end, or to end. */
import { ownerPermissions, resourceOf, without } from '../access/permission.ts'
import { limits } from '../config/limits.ts'
import type { Answer } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { AuthorizationId } from '../model/ids.ts'
import type { Language } from '../model/language.ts'
import type { Permission, Permissions } from '../model/resource.ts'
import { csrfToken } from '../owners/session.ts'
import { renderAccount } from '../pages/account.ts'
import { accountWords } from '../pages/words/account.ts'
import { type Parts, traceOf } from '../parts.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { readOwnForm } from './forms.ts'
import { choosableDays, dayOfEnd, parseNewEnd } from './new-end.ts'
import { answerDone, cursorOf, forOwner, noticeOf, type SignedIn } from './signed-in.ts'
import { showPage, viewOf } from './view.ts'

const rowsOf = (permissions: Permissions, language: Language, { settings }: Parts) => {
  const has = (name: string, action: 'read' | 'write', text: string) => {
    const permission: Permission = `${name}:${action}`
    return permissions.includes(permission) ? { permission, text } : null
  }
  const touched = new Set(permissions.map(resourceOf))
  return settings.resources
    .filter(({ name }) => touched.has(name))
    .map(({ name, title, read, write }) => ({
      resource: name,
      title: title[language],
      read: has(name, 'read', read[language]),
      write: has(name, 'write', write[language]),
    }))
}

const showApplications = async (
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
  problem: 'badEnd' | null,
): Promise<Answer> => {
  const { at } = exchange
  const { owner } = visitor.login
  await parts.uses.flush()
  const after = cursorOf(exchange, 'after')
  const { store } = parts
  const page = await store.listAuthorizations({ ownerId: owner.id }, after, limits.pageRows, at)
  const counted = await Promise.all(
    page.rows.map(({ id: authorizationId, ownerId }) =>
      store.countUses({ authorizationId, ownerId }, limits.useDays, at),
    ),
  )
  const view = viewOf(exchange, parts)
  const html = renderAccount({
    view,
    csrf: csrfToken(visitor),
    owner,
    authorizations: page.rows.map((authorization, i) => ({
      ...authorization,
      counted: counted[i] ?? [],
      lastDay: dayOfEnd(authorization.expiresAt),
      rows: rowsOf(authorization.permissions, view.language, parts),
    })),
    days: choosableDays(at),
    now: at,
    notice: problem === null ? noticeOf(exchange, accountWords[view.language].done) : null,
    problem,
    next: page.next,
  })
  return showPage(view, html, problem === null ? 200 : 400)
}

/** `GET /account` */
export const showAccountPage = forOwner((visitor, exchange, parts) =>
  showApplications(visitor, exchange, parts, null),
)

/**
 * What is to be kept. A form names what it showed: what was allowed since it was opened is neither
 * ticked nor unticked on it, and stays. Without that, exactly what is ticked.
 */
const keptOf = (form: Parameters, { settings }: Parts): Permissions => {
  const ticked = form.all('permission') as Permissions
  const shown = form.find('shown')
  if (shown === null) return ticked
  const others = without(ownerPermissions(settings.resources), shown.split(' ') as Permissions)
  return [...ticked, ...others]
}

const narrow = async (
  id: AuthorizationId,
  form: Parameters,
  { login }: SignedIn,
  exchange: Exchange,
  parts: Parts,
): Promise<Answer> => {
  const keep = keptOf(form, parts)
  const trace = traceOf(exchange, parts)
  const left = await parts.store.narrowAuthorization(id, login.owner.id, keep, trace)
  if (left === null) return answerDone('/account', 'gone', parts)
  return answerDone('/account', left.permissions.length === 0 ? 'ended' : 'narrowed', parts)
}

const changeEnd = async (
  id: AuthorizationId,
  form: Parameters,
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
): Promise<Answer> => {
  const expiresAt = parseNewEnd(form, exchange.at)
  if (expiresAt === 'bad') return showApplications(visitor, exchange, parts, 'badEnd')
  const { session, owner } = visitor.login
  const change = { id, ownerId: owner.id, session: session.id, expiresAt }
  const changed = await parts.store.changeAuthorizationEnd(change, traceOf(exchange, parts))
  return answerDone('/account', changed === null ? 'gone' : 'until', parts)
}

/** `POST /account`: works on the very next request of a token that was issued long before. */
export const changeAccount = forOwner(async (visitor, exchange, parts) => {
  const form = await readOwnForm(exchange.request, visitor, parts)
  const id = form.require('authorization') as AuthorizationId
  switch (form.find('action')) {
    case 'narrow':
      return narrow(id, form, visitor, exchange, parts)
    case 'until':
      return changeEnd(id, form, visitor, exchange, parts)
    case 'end': {
      const { owner } = visitor.login
      const ended = await parts.store.endAuthorization(id, owner.id, traceOf(exchange, parts))
      return answerDone('/account', ended ? 'ended' : 'gone', parts)
    }
  }
  throw new Refusal('invalid_request', 'bad_action', 'action has to be narrow, until or end')
})
