/** The account page: what the owner allowed, to narrow or to end; and the way out. */
import { resourceOf } from '../access/permission.ts'
import { limits } from '../config/limits.ts'
import { type Answer, answerRedirect } from '../http/answer.ts'
import { type Exchange, queryOf } from '../http/exchange.ts'
import type { AuthorizationId } from '../model/ids.ts'
import type { Language } from '../model/language.ts'
import type { Permission, Permissions } from '../model/resource.ts'
import { csrfToken, endSession, findVisitor } from '../owners/session.ts'
import { renderAccount } from '../pages/account.ts'
import { renderLoggedOut, renderLogout } from '../pages/logout.ts'
import { type Parts, traceOf } from '../parts.ts'
import { Refusal } from '../protocol/refusal.ts'
import { readOwnForm } from './forms.ts'
import { basePath } from './paths.ts'
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

/** `GET /account` */
export const showAccountPage = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const { request, at } = exchange
  const visitor = await findVisitor(request, at, parts)
  if (visitor.login === null) return answerRedirect(`${basePath(parts)}/login`, 303)
  const { owner } = visitor.login
  await parts.uses.flush()
  const after = queryOf(request).find('after')
  const page = await parts.store.listAuthorizations(
    { ownerId: owner.id },
    after,
    limits.pageRows,
    at,
  )
  const counted = await Promise.all(
    page.rows.map(({ id: authorizationId, ownerId }) =>
      parts.store.countUses({ authorizationId, ownerId }, limits.useDays, at),
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
      rows: rowsOf(authorization.permissions, view.language, parts),
    })),
    now: at,
    next: page.next,
  })
  return showPage(view, html)
}

/** `POST /account`: works on the very next request of a token that was issued long before. */
export const changeAccount = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const { request, at } = exchange
  const visitor = await findVisitor(request, at, parts)
  if (visitor.login === null) return answerRedirect(`${basePath(parts)}/login`, 303)
  const form = await readOwnForm(request, visitor, parts)
  const id = form.require('authorization') as AuthorizationId
  const ownerId = visitor.login.owner.id
  const keep = form.all('permission') as readonly Permission[]
  const action = form.find('action')
  if (action !== 'narrow' && action !== 'end') {
    throw new Refusal('invalid_request', 'bad_action', 'action has to be narrow or end')
  }
  const trace = traceOf(exchange, parts)
  if (action === 'end') await parts.store.endAuthorization(id, ownerId, trace)
  else await parts.store.narrowAuthorization(id, ownerId, keep, trace)
  return answerRedirect(`${basePath(parts)}/account`, 303)
}

/** `GET /logout`: asks first, for a link alone must not log anyone out. */
export const showLogoutPage = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const visitor = await findVisitor(exchange.request, exchange.at, parts)
  const view = viewOf(exchange, parts)
  return showPage(
    view,
    visitor.login === null
      ? renderLoggedOut({ view })
      : renderLogout({ view, csrf: csrfToken(visitor) }),
  )
}

/** `POST /logout` */
export const logOut = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const visitor = await findVisitor(exchange.request, exchange.at, parts)
  await readOwnForm(exchange.request, visitor, parts)
  const cookie = await endSession(visitor, traceOf(exchange, parts), parts)
  return answerRedirect(`${basePath(parts)}/logout`, 303, [cookie])
}
