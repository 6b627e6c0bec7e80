/** `/admin/owners`: the users with search, and an invitation for another one. */

import type { Answer } from '../../../http/answer.ts'
import { queryOf } from '../../../http/exchange.ts'
import { isOwnerId, type OwnerId } from '../../../model/ids.ts'
import { isRole, type Owner, usernameKey } from '../../../model/owner.ts'
import { ownerLimits } from '../../../owners/limits.ts'
import { newOwner, ownerTaken } from '../../../owners/registration.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { ServiceParts } from '../../../registries.ts'
import type { Page } from '../../../store/contract/trace.ts'
import { traceOf } from '../../../store/trace.ts'
import { showPage } from '../../visit.ts'
import { consoleLimits } from '../limits.ts'
import { type ConsoleVisit, consoleAction, consoleNotice, consolePage } from '../visit.ts'
import { answerOwnerLink } from './owner-link.ts'
import { type OwnerFilter, type OwnersPage, renderOwners } from './owners-page.ts'
import { consoleOwnersWords } from './words.ts'

const filterIn = (query: Parameters): OwnerFilter => {
  const by = query.find('by')
  const role = query.find('role') ?? ''
  return {
    q: (query.find('q') ?? '').trim().slice(0, ownerLimits.usernameCharacters),
    by: by === 'email' || by === 'name' ? by : 'username',
    role: isRole(role) ? role : '',
  }
}

/** As the search of the store finds them. */
const beginsWith = ({ q, by }: OwnerFilter): ((owner: Owner) => boolean) => {
  const keyOf = by === 'username' ? usernameKey : (text: string) => text.toLowerCase()
  return (owner) => keyOf(owner[by]).startsWith(keyOf(q))
}

/** A role leads, since few owners have one. */
const read = async (
  { q, by, role }: OwnerFilter,
  after: string | null,
  { store }: ServiceParts,
): Promise<Page<Owner>> => {
  const { rows } = consoleLimits
  if (role !== '') {
    const page = await store.listOwnersWithRole(role === 'any' ? null : role, after, rows)
    return { ...page, rows: page.rows.filter(beginsWith({ q, by, role })) }
  }
  return q === ''
    ? store.listOwners(after, rows)
    : store.listOwnersBy({ by, prefix: q }, after, rows)
}

const findExact = async (
  { q, role }: OwnerFilter,
  { store }: ServiceParts,
): Promise<Owner | null> =>
  q !== '' && role === '' && isOwnerId(q) ? store.findOwner(q as OwnerId, 'disabled') : null

const show = async (
  visit: ConsoleVisit,
  invitation: OwnersPage['invitation'],
  parts: ServiceParts,
): Promise<Answer> => {
  const query = queryOf(visit.request)
  const filter = filterIn(query)
  const after = query.find('after')
  const exact = after === null ? await findExact(filter, parts) : null
  const { rows, next } = await read(filter, after, parts)
  const others = rows.filter(({ id }) => id !== exact?.id)
  const html = renderOwners(visit.given, {
    owners: exact === null ? others : [exact, ...others],
    filter,
    next,
    isFirst: after === null,
    notice: consoleNotice(visit, consoleOwnersWords(visit.view.language).done),
    invitation,
  })
  const refused = invitation === null ? {} : { status: 400, reason: 'bad_invitation' }
  return showPage(visit, html, { hasScript: true, ...refused })
}

/** `GET /admin/owners` */
export const showOwners = consolePage((visit, parts) => show(visit, null, parts))

const create = async (
  visit: ConsoleVisit,
  typed: Readonly<Record<string, string>>,
  parts: ServiceParts,
): Promise<Answer> => {
  const owner = await newOwner({ ...typed, password: null }, parts)
  if ((await parts.store.createOwner(owner, traceOf(visit, parts))) === 'taken') {
    throw await ownerTaken(owner, parts)
  }
  return answerOwnerLink('invite', owner, visit, parts)
}

/** `POST /admin/owners` */
export const inviteOwner = consoleAction(async (visit, form, parts) => {
  const typed = {
    username: form.find('username') ?? '',
    name: form.find('name') ?? '',
    email: form.find('email') ?? '',
  }
  try {
    return await create(visit, typed, parts)
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    return show(visit, { problem: fault.description, typed }, parts)
  }
})
