/** Answers with the page of one application. */
import { findClient } from '../../../clients/find.ts'
import type { Answer } from '../../../http/answer.ts'
import type { Permissions } from '../../../model/resource.ts'
import { loggedDays, wholeDays } from '../../../model/use.ts'
import type { ServiceParts } from '../../../registries.ts'
import { storeLimits } from '../../../store/limits.ts'
import type { ListedAuthorization } from '../../../store/store.ts'
import { doneOf, type OwnerVisit } from '../../owner-visit.ts'
import { clientLogoPath } from '../../paths.ts'
import { showPage } from '../../visit.ts'
import { installationsOf, listAll, othersOf } from '../alike.ts'
import { aboutOf, rowsOf, tellAllowed } from '../allowed.ts'
import { shownUses } from '../ledger/shown-uses.ts'
import { accountLimits } from '../limits.ts'
import { choosableDays, dayOfEnd } from './new-end.ts'
import { renderAccess } from './page.ts'
import type { AccessDone } from './shown.ts'
import { accessWords } from './words.ts'

type AccessParts = Pick<ServiceParts, 'store' | 'settings' | 'resources'>

const accessDone = (visit: OwnerVisit, { resources }: AccessParts): AccessDone | null => {
  const done = doneOf(visit)
  if (done === null || !Object.hasOwn(accessWords.english.done, done.what)) return null
  const lost = (done.detail ?? '').split(' ').filter((name) => name !== '') as Permissions
  return {
    what: done.what as AccessDone['what'],
    lost: tellAllowed(lost, visit.view.language, resources),
  }
}

/** @param badEnd the typed day of an impossible end; null without one */
export const showAccess = async (
  visit: OwnerVisit,
  access: ListedAuthorization,
  badEnd: string | null,
  parts: AccessParts,
): Promise<Answer> => {
  const { at, view, csrf, login } = visit
  const { store, settings, resources } = parts
  const of = { authorizationId: access.id, ownerId: access.ownerId }
  const drawnDays = Math.min(storeLimits.useDays, wholeDays(settings.accessLogSeconds))
  const days = loggedDays(settings.accessLogSeconds, at)
  const others = othersOf(access, await listAll(login.owner.id, at, parts))
  const client = await findClient(access.clientId, parts, 'disabled')
  const uses = await store.listUses(of, days, null, accountLimits.latestUses, at)
  const html = renderAccess({
    ...access,
    view,
    csrf,
    owner: login.owner,
    logoPath: clientLogoPath(access.clientId, access.clientLogo, parts),
    registration: {
      createdAt: client?.createdAt ?? access.createdAt,
      policyUri: client?.display.policy_uri ?? null,
      termsUri: client?.display.tos_uri ?? null,
    },
    rows: rowsOf(access.permissions, view.language, resources.list()),
    about: aboutOf(access.permissions, view.language, resources.words),
    lastDay: dayOfEnd(access.expiresAt),
    days: choosableDays(at),
    badEnd,
    others,
    installations: installationsOf(access, others),
    now: at,
    drawnDays,
    counted: await store.countUses(of, drawnDays, at),
    uses: await shownUses(uses.rows, view.language, parts),
    done: badEnd === null ? accessDone(visit, parts) : null,
  })
  return showPage(visit, html, { status: badEnd === null ? 200 : 400, hasScript: true })
}
