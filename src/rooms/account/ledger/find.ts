/** The access log that a page or a file asks for: of one authorization of the owner, from one place on. */
import { queryOf } from '../../../http/exchange.ts'
import { type AuthorizationId, isId } from '../../../model/ids.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { ServiceParts } from '../../../registries.ts'
import type { ListedAuthorization } from '../../../store/store.ts'
import type { OwnerVisit } from '../../owner-visit.ts'

export interface Ledger {
  readonly authorization: ListedAuthorization
  /** Unix seconds; null while it lives. */
  readonly endedAt: number | null
  /** Where its lines are asked for from; null = the newest. */
  readonly before: string | null
}

/** Nobody is meant to read anything into where a page begins. */
export const cursorOf = (place: string | null): string | null =>
  place === null ? null : Buffer.from(place).toString('base64url')

const parsePlace = (cursor: string | null): string | null => {
  if (cursor === null) return null
  const place = Buffer.from(cursor, 'base64url').toString()
  if (/^\d{1,7} \d{4} [\x20-\x7e]+$/.test(place) && cursorOf(place) === cursor) return place
  throw new Refusal('invalid_request', 'bad_cursor', 'before has to be the next of an earlier page')
}

/** When an access that lives no more has ended: one for a visit may have had a later end. */
export const endOf = ({ expiresAt }: ListedAuthorization, now: number): number =>
  Math.min(expiresAt ?? now, now)

/** @throws Refusal `not_found`, also for the authorization of another owner */
export const findLedger = async (
  { login, request, at }: OwnerVisit,
  { store, uses }: Pick<ServiceParts, 'store' | 'uses'>,
): Promise<Ledger> => {
  const query = queryOf(request)
  const id = query.require('authorization')
  const before = parsePlace(query.find('before'))
  // First, so that the last use that it tells is the last of its lines.
  await uses.catchUp()
  const find = async (of: { readonly ended?: true }) => {
    if (!isId(id)) return undefined
    const mine = { ownerId: login.owner.id, id: id as AuthorizationId, ...of }
    return (await store.listAuthorizations(mine, null, 1, at)).rows[0]
  }
  const living = await find({})
  const authorization = living ?? (await find({ ended: true }))
  if (authorization === undefined) {
    throw new Refusal('not_found', 'unknown_authorization', 'there is no such authorization')
  }
  return { authorization, endedAt: living ? null : endOf(authorization, at), before }
}
