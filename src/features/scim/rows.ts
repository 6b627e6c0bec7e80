/** The rows of a kind of resource. */
import { Refusal } from '../../protocol/refusal.ts'
import type { Handler, RouteRow } from '../../route.ts'
import { scimApi } from './api.ts'
import { writeScimRefusal } from './errors.ts'
import type { ResourceKind } from './schema.ts'

export const scimRow = { refusedAs: writeScimRefusal } as const

type ResourceHandlers = Readonly<
  Record<'list' | 'search' | 'create' | 'show' | 'replace' | 'patch' | 'remove', Handler>
>

export const listResourceRows = (
  { endpoint }: ResourceKind,
  { list, search, create, show, replace, patch, remove }: ResourceHandlers,
): readonly RouteRow[] => {
  const path = scimApi.path + endpoint
  const one = `${path}/:id`
  // The router takes no fixed name beside ids. No id begins with a dot.
  const searchAlone: Handler = (exchange) => {
    if (exchange.params.id === '.search') return search(exchange)
    const said = 'only .search takes POST below a kind of resource'
    const headers = { Allow: 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS' }
    throw new Refusal('method_not_allowed', 'wrong_method', said, { headers })
  }
  return [
    { ...scimRow, method: 'GET', path, handler: list },
    { ...scimRow, method: 'POST', path, handler: create },
    { ...scimRow, method: 'GET', path: one, handler: show },
    { ...scimRow, method: 'POST', path: one, handler: searchAlone },
    { ...scimRow, method: 'PUT', path: one, handler: replace },
    { ...scimRow, method: 'PATCH', path: one, handler: patch },
    { ...scimRow, method: 'DELETE', path: one, handler: remove },
  ]
}
