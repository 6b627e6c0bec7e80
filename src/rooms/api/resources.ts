/** The built-in resource server: JSON items that owners, and clients themselves, keep in each resource. */

import { getResourceUri } from '../../access/audience.ts'
import { isItemOpened } from '../../access/details/narrow.ts'
import { findClient } from '../../clients/find.ts'
import { type Answer, answerJson } from '../../http/answer.ts'
import { isNamed, makeEntityTag, parseCondition } from '../../http/conditions.ts'
import type { Exchange } from '../../http/exchange.ts'
import { queryOf } from '../../http/request.ts'
import { isOnItsOwn } from '../../model/client.ts'
import { type ClientId, type Holder, type ItemId, makeId } from '../../model/ids.ts'
import type { Item } from '../../model/item.ts'
import type { Action } from '../../model/resource.ts'
import { getHolder } from '../../model/token.ts'
import { type Parameters, parseLimit, refuseRepeated } from '../../protocol/parameters.ts'
import { invalidRequest, Refusal } from '../../protocol/refusal.ts'
import { readBearer } from '../../resource/bearer.ts'
import { bearer, type Handler, type RouteRow } from '../../route.ts'
import type { PutItem } from '../../store/contract/resource.ts'
import type { Page } from '../../store/contract/trace.ts'
import { openAdmission, privately } from './admission.ts'
import { apiLimits, isSilent, readItemBody } from './item-fields.ts'
import type { ApiNeeds } from './needs.ts'

interface Reached {
  readonly resource: string
  readonly holder: Holder
  /** The body, where it was a form and is read already. */
  readonly form: Parameters | null
  /** Whether the form is nothing but the way of the token. */
  readonly isReadByForm: boolean
  /** The client, if the items are its own; null if they are an owner's. */
  readonly clientId: ClientId | null
}

const readItemId = ({ params }: Exchange): ItemId => {
  const { id = '' } = params
  if (!isItemId(id)) {
    throw invalidRequest(
      'malformed_item_id',
      `an item id has to be 1 to ${apiLimits.itemIdCharacters} letters, digits or any of . _ ~ -`,
    )
  }
  return id
}

/** `.` and `..` are no ids: as part of a path they mean something else. */
const isItemId = (text: string): text is ItemId =>
  text.length <= apiLimits.itemIdCharacters &&
  /^[A-Za-z0-9._~-]+$/.test(text) &&
  text !== '.' &&
  text !== '..'

const unknownItem = (): Refusal => new Refusal('not_found', 'unknown_item', 'there is no such item')

const preconditionFailed = (): Refusal =>
  new Refusal(
    'precondition_failed',
    'precondition_failed',
    'the item is not as If-Match or If-None-Match demand',
  )

const show = ({ id, fields }: Pick<Item, 'id' | 'fields'>): object => ({ id, ...fields })

const answerItem = (
  item: Item,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Answer =>
  answerJson(show(item), status, { ...privately, ETag: makeEntityTag(item.version), ...headers })

const answerEmpty = (
  status: 204 | 304,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
  status,
  headers: { ...privately, ...headers },
  body: null,
})

/** Nobody is meant to read anything into the cursor that `next` is. */
const encode = (after: string): string => Buffer.from(after).toString('base64url')

const parsePaging = (
  query: Parameters,
): { readonly after: string | null; readonly limit: number } => {
  const cursor = query.find('after')
  const after = cursor === null ? null : Buffer.from(cursor, 'base64url').toString()
  if (after !== null && (!isItemId(after) || encode(after) !== cursor)) {
    throw invalidRequest('bad_cursor', 'after has to be the next of an earlier page')
  }
  return { after, limit: parseLimit(query) }
}

/** A page that the store remembers comes as the same value again, and is written out once. */
const written = new WeakMap<Page<Item>, Answer>()

const writeOut = (page: Page<Item>): Answer => {
  const { rows, next } = page
  const items = rows.map(show)
  const answer = answerJson({ items, next: next === null ? null : encode(next) }, 200, privately)
  written.set(page, answer)
  return answer
}

/**
 * How many items there may be. A stranger may register many clients, so each keeps little of its own.
 *
 * @throws Refusal `too_large`
 */
const computeMostItems = async (
  clientId: ClientId | null,
  fields: Item['fields'],
  { settings, store }: ApiNeeds,
): Promise<number> => {
  const client = clientId === null ? null : await findClient(clientId, { store })
  if (client === null || !isOnItsOwn(client)) return settings.limits.itemsPerResource
  const bytes = apiLimits.ownItemBytes
  if (Buffer.byteLength(JSON.stringify(fields)) > bytes) {
    const said = `an item of a client that registered itself has at most ${bytes} bytes`
    throw new Refusal('too_large', 'own_item_too_large', said)
  }
  return apiLimits.ownItemsPerResource
}

/** @throws Refusal as RFC 6750 section 3.1 says */
type ReachItems = (exchange: Exchange, action: Action | 'posted') => Promise<Reached>

/** Names of resources are public, so an unknown one is told before any token is looked at. */
const openReach = (needs: ApiNeeds): ReachItems => {
  const { settings, resources } = needs
  const { verify, admit } = openAdmission(needs)
  return async (exchange, action) => {
    const { resource = '' } = exchange.params
    if ((await resources.look(resource))?.uri !== null) {
      throw new Refusal('not_found', 'unknown_resource', 'there is no such resource')
    }
    const presented = await readBearer(exchange.request)
    const form = presented?.form ?? null
    // A form POST that carries a token and nothing else reads (RFC 6750 section 2.2).
    const isReadByForm = presented?.way === 'body' && form !== null && isSilent(form)
    const posted = isReadByForm ? 'read' : 'write'
    const used = `${resource}:${action === 'posted' ? posted : action}` as const
    const access = await verify(presented, used, exchange)
    const item = exchange.params.id ?? null
    const allowed =
      access.permissions.includes(used) ||
      (access.details.length > 0 && isItemOpened(access.details, used, item))
    const audience = getResourceUri(settings.issuer, resource)
    // No other text of a path is kept.
    const target = item !== null && isItemId(item) ? { target: item } : {}
    admit(access, presented, { allowed, used, ...target, scope: used, audience }, exchange)
    const clientId = access.subject === 'client' ? access.clientId : null
    return { resource, holder: getHolder(access), form, isReadByForm, clientId }
  }
}

const openReading = ({ store }: ApiNeeds) => ({
  async list({ request }: Exchange, { holder, resource }: Reached): Promise<Answer> {
    const { after, limit } = parsePaging(refuseRepeated(queryOf(request)))
    const page = await store.listItems(holder, resource, after, limit)
    return written.get(page) ?? writeOut(page)
  },
  async read(exchange: Exchange, { holder, resource }: Reached): Promise<Answer> {
    const item = await store.findItem(holder, resource, readItemId(exchange))
    if (item === null) throw unknownItem()
    const { ifMatch, ifNoneMatch } = parseCondition(exchange.request)
    if (ifMatch !== undefined && !isNamed(item.version, ifMatch)) throw preconditionFailed()
    return ifNoneMatch !== undefined && isNamed(item.version, ifNoneMatch)
      ? answerEmpty(304, { ETag: makeEntityTag(item.version) })
      : answerItem(item)
  },
})

/** Writes an item under a new version, and answers with it once it is durable. */
const put = async (
  { holder, resource, clientId }: Reached,
  wanted: Pick<PutItem, 'id' | 'fields' | 'condition' | 'createOnly'>,
  needs: ApiNeeds,
): Promise<Answer> => {
  const version = Buffer.from(needs.random(9)).toString('base64url')
  const mostItems = await computeMostItems(clientId, wanted.fields, needs)
  const outcome = await needs.store.putItem({ ...wanted, holder, resource, version, mostItems })
  if (outcome === 'precondition_failed') throw preconditionFailed()
  if (outcome === 'full') {
    const said = `the resource is full: it holds at most ${mostItems} items, delete some first`
    throw new Refusal('conflict', 'resource_full', said)
  }
  const item = { id: wanted.id, fields: wanted.fields, version }
  if (outcome === 'replaced') return answerItem(item)
  const location = `${getResourceUri(needs.settings.issuer, resource)}/${item.id}`
  return answerItem(item, 201, { Location: location })
}

const openWriting = (needs: ApiNeeds, reach: ReachItems) => {
  const { list, read } = openReading(needs)

  const create: Handler = async (exchange) => {
    const reached = await reach(exchange, 'posted')
    if (reached.isReadByForm) return list(exchange, reached)
    const { fields } = await readItemBody(exchange.request, reached.form)
    const id = makeId<ItemId>(needs)
    return put(reached, { id, fields, condition: {}, createOnly: true }, needs)
  }

  /** Only to read with the token in the body. */
  const readByForm: Handler = async (exchange) => {
    const reached = await reach(exchange, 'read')
    if (reached.isReadByForm) return read(exchange, reached)
    throw new Refusal(
      reached.form === null ? 'unsupported_media_type' : 'invalid_request',
      'post_to_item',
      'a POST to an item only reads it, with a form of nothing but access_token; an item is written with PUT',
    )
  }

  const replace: Handler = async (exchange) => {
    const reached = await reach(exchange, 'write')
    const id = readItemId(exchange)
    const body = await readItemBody(exchange.request, reached.form)
    if (body.id !== undefined && body.id !== id) {
      throw invalidRequest(
        'other_item_id',
        'the id in the body has to be the one in the path, or absent',
      )
    }
    const condition = parseCondition(exchange.request)
    return put(reached, { id, fields: body.fields, condition, createOnly: false }, needs)
  }

  const remove: Handler = async (exchange) => {
    const { holder, resource } = await reach(exchange, 'write')
    const id = readItemId(exchange)
    const condition = parseCondition(exchange.request)
    const outcome = await needs.store.deleteItem(holder, resource, id, condition)
    if (outcome === 'unknown') throw unknownItem()
    if (outcome === 'precondition_failed') throw preconditionFailed()
    return answerEmpty(204)
  }

  return { create, readByForm, replace, remove }
}

export const openItems = (needs: ApiNeeds): readonly RouteRow[] => {
  const reach = openReach(needs)
  const { list, read } = openReading(needs)
  const listItems: Handler = async (exchange) => list(exchange, await reach(exchange, 'read'))
  const readItem: Handler = async (exchange) => read(exchange, await reach(exchange, 'read'))
  const { create, readByForm, replace, remove } = openWriting(needs, reach)
  return [
    { ...bearer, method: 'GET', path: '/api/:resource', handler: listItems },
    { ...bearer, method: 'POST', path: '/api/:resource', handler: create },
    { ...bearer, method: 'GET', path: '/api/:resource/:id', handler: readItem },
    { ...bearer, method: 'POST', path: '/api/:resource/:id', handler: readByForm },
    { ...bearer, method: 'PUT', path: '/api/:resource/:id', handler: replace },
    { ...bearer, method: 'DELETE', path: '/api/:resource/:id', handler: remove },
  ]
}
