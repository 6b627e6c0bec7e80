/** The list of applications with access: searched, filtered and sorted, one page of it. */

import { queryOf } from '../../../http/request.ts'
import { commandLineId } from '../../../model/client.ts'
import type { Language } from '../../../model/language.ts'
import type { ConsoleRole } from '../../../model/owner.ts'
import type { Permissions } from '../../../model/resource.ts'
import type { AllowedAccess } from '../../../paper/provenance.ts'
import { countDaysAway, type TimeView, weekDays } from '../../../paper/time.ts'
import { phrases } from '../../../paper/words/phrases.ts'
import { formatHost } from '../../../protocol/web-uri.ts'
import type { ListedAuthorization } from '../../../store/contract/authorization.ts'
import { foldLetters } from '../../../store/contract/search-words.ts'
import type { OwnerVisit } from '../../owner-visit.ts'
import { getClientLogoPath } from '../../visit.ts'
import {
  type Application,
  findActsAs,
  groupApplications,
  listAll,
  listAllAllowed,
} from '../accesses.ts'
import { type Branch, groupBranches } from '../branches.ts'
import { accountLimits } from '../limits.ts'
import type { AccountNeeds } from '../needs.ts'
import { sumUpAllowed } from '../sentence.ts'
import type { accountWords } from './words.ts'

export const orders = ['used', 'name', 'since'] as const
export const filters = ['all', 'unused', 'destructive', 'ending', 'paused'] as const

export interface ListPlace {
  readonly q: string
  readonly show: (typeof filters)[number]
  readonly order: (typeof orders)[number]
  readonly page: number
}

/** For the query of links and forms; '' for each default. */
export const placeQuery = ({ q, show, order, page }: ListPlace) => ({
  q,
  show: show === 'all' ? '' : show,
  order: order === 'used' ? '' : order,
  page: page === 1 ? '' : String(page),
})

export type DoneInList = keyof ReturnType<typeof accountWords>['done']

type Lasting = Pick<ListedAuthorization, 'duration' | 'createdAt' | 'expiresAt' | 'lastUsedAt'>

export interface ApplicationRow
  extends Lasting,
    AllowedAccess,
    Pick<ListedAuthorization, 'clientName' | 'clientRegisteredBy' | 'clientDisabled'> {
  readonly id: string
  readonly logoPath: string | null
  /** Its permissions as a sentence. */
  readonly what: string
  readonly isDestructive: boolean
  readonly isPaused: boolean
  readonly installations: number
  /** The applications that act for it. */
  readonly branches: readonly Branch[]
}

/** Whether it is time to look at it: it has not been used for long. */
export const isUnused = ({ lastUsedAt, createdAt }: Lasting, now: number): boolean =>
  now - (lastUsedAt ?? createdAt) >= accountLimits.unusedSeconds

/** Whether it ends soon, and not only because its owner logs out. */
export const isEnding = ({ expiresAt, duration }: Lasting, now: number): boolean =>
  expiresAt !== null && duration !== 'session' && expiresAt - now < accountLimits.endingSeconds

/** Of the order by last use, as they follow each other. */
export const groups = ['today', 'week', 'earlier', 'never', 'sleeping'] as const

export const pickGroup = (of: Lasting, now: number, view: TimeView): (typeof groups)[number] => {
  if (isUnused(of, now)) return 'sleeping'
  if (of.lastUsedAt === null) return 'never'
  const away = -countDaysAway(of.lastUsedAt, now, view)
  if (away <= 0) return 'today'
  return away < weekDays ? 'week' : 'earlier'
}

/** The part of the list that a request is about. Anything unknown in it counts as absent. */
export const placeOf = ({ request }: Pick<OwnerVisit, 'request'>): ListPlace => {
  const query = queryOf(request)
  const page = query.find('page') ?? ''
  return {
    q: (query.find('q') ?? '').trim().slice(0, accountLimits.searchCharacters),
    show: filters.find((one) => one === query.find('show')) ?? 'all',
    order: orders.find((one) => one === query.find('order')) ?? 'used',
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  }
}

/** A row, and what else it can be found by. */
interface Listed extends ApplicationRow {
  readonly host: string
}

const findLatest = (times: readonly (number | null)[]): number | null =>
  times.reduce((last, at) => (at === null ? last : Math.max(last ?? 0, at)), null)

/**
 * Of several accesses: the last use of any, and the end of the longest.
 *
 * @param role what the command line may do; null without it
 */
const describeListed = (
  { newest, accesses, installations }: Application,
  listBranches: ReturnType<typeof groupBranches>,
  role: ConsoleRole | null,
  language: Language,
  needs: AccountNeeds,
): Listed => {
  const permissions: Permissions = [...new Set(accesses.flatMap(listAllAllowed))]
  const longest = accesses.find(({ expiresAt }) => expiresAt === null) ?? newest
  const isForVisit = accesses.every(({ duration }) => duration === 'session')
  return {
    ...newest,
    logoPath: getClientLogoPath(newest.clientId, newest.clientLogo, needs),
    ...sumUpAllowed(permissions, language, needs.resources),
    isPaused: accesses.every(({ paused }) => paused !== null),
    clientDisabled: accesses.every(({ clientDisabled }) => clientDisabled),
    installations,
    branches: listBranches(accesses.map(({ id }) => id)),
    duration: isForVisit ? 'session' : longest.duration,
    expiresAt: longest.expiresAt && findLatest(accesses.map(({ expiresAt }) => expiresAt)),
    lastUsedAt: findLatest(accesses.map(({ lastUsedAt }) => lastUsedAt)),
    host: formatHost(newest.clientUri) ?? '',
    ...(role === null || newest.clientId !== commandLineId
      ? {}
      : { what: phrases(language).actsAs[role] }),
  }
}

const under: Readonly<Record<ListPlace['show'], (of: Listed, now: number) => boolean>> = {
  all: () => true,
  unused: isUnused,
  destructive: ({ isDestructive }) => isDestructive,
  ending: isEnding,
  paused: ({ isPaused }) => isPaused,
}

const compareNewest = (a: Listed, b: Listed): number => (a.id < b.id ? 1 : -1)

const sortListed = (found: readonly Listed[], order: ListPlace['order'], language: Language) => {
  if (order === 'since') return found.toSorted(compareNewest)
  if (order === 'used') {
    const at = ({ lastUsedAt }: Listed): number => lastUsedAt ?? 0
    return found.toSorted((a, b) => at(b) - at(a) || compareNewest(a, b))
  }
  const { compare } = new Intl.Collator(language.dates)
  return found.toSorted((a, b) => compare(a.clientName, b.clientName) || compareNewest(a, b))
}

/** What the page says of a list. A page behind its end is its last one. */
export const listApplications = async (visit: OwnerVisit, needs: AccountNeeds) => {
  const { at, view, login } = visit
  const place = placeOf(visit)
  const { language } = view
  const all = await listAll(login.owner.id, at, needs.store)
  const role = await findActsAs(all, login.owner, needs)
  const listBranches = groupBranches(all)
  const everyone = groupApplications(all).map((one) =>
    describeListed(one, listBranches, role, language, needs),
  )
  const wanted = foldLetters(place.q)
  const found = everyone.filter(
    (one) =>
      under[place.show](one, at) &&
      (foldLetters(one.clientName).includes(wanted) || one.host.includes(wanted)),
  )
  const { applicationRows: length } = accountLimits
  const pages = Math.max(1, Math.ceil(found.length / length))
  const page = Math.min(place.page, pages)
  const start = (page - 1) * length
  const applications: readonly ApplicationRow[] = sortListed(found, place.order, language).slice(
    start,
    start + length,
  )
  return {
    place: { ...place, page },
    applications,
    /** How many there are under each filter, whatever is looked for. */
    counts: Object.fromEntries(
      filters.map((show) => [show, everyone.filter((one) => under[show](one, at)).length]),
    ) as Readonly<Record<ListPlace['show'], number>>,
    found: found.length,
    /** The place of the first of this page among those found. */
    first: start + 1,
    pages,
  }
}
