/** Reads an account for the guided page. */

import type { Event } from '../../../model/event.ts'
import { filterSuspect } from '../../../model/factor.ts'
import type { Session } from '../../../model/session.ts'
import { html } from '../../../paper/markup.ts'
import { sayWhen } from '../../../paper/time.ts'
import { parameterLimits } from '../../../protocol/parameters.ts'
import type { OwnerVisit } from '../../owner-visit.ts'
import { describeUpstreams } from '../../upstream-trip.ts'
import { getClientLogoPath } from '../../visit.ts'
import { groupApplications, listAll, listAllAllowed } from '../accesses.ts'
import { isConfirmed } from '../confirmed.ts'
import { pickGiven } from '../frame.ts'
import { accountLimits } from '../limits.ts'
import type { AccountNeeds } from '../needs.ts'
import { sumUpAllowed } from '../sentence.ts'
import { describeSession, saySession } from '../sessions/shown.ts'
import type { LostPage, ShownApp } from './steps.ts'
import type { Walk } from './walk.ts'

/** An event of this owner; null for one of somebody else, too. */
const findOwnEvent = async (
  { login }: OwnerVisit,
  id: string,
  { store }: Pick<AccountNeeds, 'store'>,
): Promise<Event | null> => {
  if (id === '') return null
  // The list begins before a place. No other id lies between this one and that place.
  const { rows } = await store.listEvents({ ownerId: login.owner.id }, `${id}0`, 1)
  return rows.find((event) => event.id === id) ?? null
}

/** The login that the page is about, by its session or by its event. */
const findAbout = async (
  visit: OwnerVisit,
  walk: Walk,
  others: readonly Session[],
  needs: AccountNeeds,
): Promise<LostPage['about']> => {
  const { view } = visit
  const event = await findOwnEvent(visit, walk.event, needs)
  const network = String(event?.details.network ?? '')
  const session = others.find(
    ({ handle, startedAt, network: of }) =>
      handle === walk.session || (startedAt === event?.at && of === network),
  )
  if (session !== undefined) {
    const { startedAt: at, handle } = session
    return { at, handle, says: saySession(describeSession(session, visit), view) }
  }
  if (event === null) return null
  const when = sayWhen(event.at, view.at, view)
  const from = network === '' ? null : html`, <bdi dir="ltr">${network}</bdi>`
  return { at: event.at, handle: '', says: html`${when}${from}` }
}

/** The applications with access, the newest first. Paused ones are counted only. */
const lookAtApps = async (
  { login, view, at }: OwnerVisit,
  { store, resources, ...needs }: AccountNeeds,
): Promise<Pick<LostPage, 'apps' | 'appCount' | 'pausedCount'>> => {
  const applications = groupApplications(await listAll(login.owner.id, at, store))
  const living = applications.filter(({ newest }) => newest.paused === null)
  const shown = living.slice(0, accountLimits.applicationRows)
  const apps = shown.map(({ newest }): ShownApp => {
    const allowed = sumUpAllowed(listAllAllowed(newest), view.language, resources)
    const { id, clientId, clientLogo, createdAt } = newest
    return {
      id,
      name: newest.clientName,
      registeredBy: newest.clientRegisteredBy,
      logoPath: getClientLogoPath(clientId, clientLogo, needs),
      what: allowed.what,
      createdAt,
    }
  })
  return { apps, appCount: living.length, pausedCount: applications.length - living.length }
}

const readPassword = ({ login: { owner }, at }: OwnerVisit): LostPage['password'] => {
  if (owner.passwordHash === '') return 'none'
  return at - owner.passwordChangedAt < accountLimits.newPasswordSeconds ? 'new' : 'old'
}

/** @param problem of the new password; null = none */
export const lookAtAccount = async (
  visit: OwnerVisit,
  walk: Walk,
  needs: AccountNeeds,
  problem: string | null = null,
): Promise<LostPage> => {
  const { owner, session: own } = visit.login
  const { store, settings } = needs
  const most = parameterLimits.pageRowsDefault
  const { rows, next } = await store.listSessions(owner.id, null, most, visit.at)
  const others = rows.filter(({ id }) => id !== own.id)
  const factors = await store.findFactors(owner.id)
  const links = await store.listUpstreamLinks(owner.id)
  const upstreams = describeUpstreams(visit.view.language, needs)
  return {
    ...pickGiven(visit),
    walk,
    about: await findAbout(visit, walk, others, needs),
    isConfirmed: isConfirmed(visit),
    sessions: others.map((one) => describeSession(one, visit)),
    hasMore: next !== null,
    passkeys: factors.passkeys,
    links: links.map((link) => ({
      ...link,
      title: upstreams.find(({ id }) => id === link.upstream)?.title ?? link.upstream,
    })),
    suspects: [
      ...filterSuspect(factors.passkeys, factors).map(({ id }) => id),
      ...filterSuspect(links, factors).map(({ upstream }) => upstream),
    ],
    hasApp: factors.oneTimeCodes !== null,
    ...(await lookAtApps(visit, needs)),
    password: readPassword(visit),
    leastCharacters: settings.passwordCharacters,
    problem,
  }
}
