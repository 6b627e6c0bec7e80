/**
 * `POST /account`: an owner narrows an authorization, changes its end, or ends it, or pauses the
 * application.
 */
import { difference, grantableNames } from '../../../access/permission.ts'
import type { Answer } from '../../../http/answer.ts'
import type { AuthorizationId, ClientId } from '../../../model/ids.ts'
import type { Permissions } from '../../../model/resource.ts'
import { type Parameters, parameterLimits } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { ServiceParts } from '../../../registries.ts'
import type { ListedAuthorization } from '../../../store/store.ts'
import { traceOf } from '../../../store/trace.ts'
import { readOwnForm } from '../../form.ts'
import { forOwner } from '../../former.ts'
import { answerDoneAt, type OwnerVisit } from '../../owner-visit.ts'
import { parseNewEnd } from '../access/new-end.ts'
import { showAccess } from '../access/show.ts'
import type { AccessDone } from '../access/shown.ts'
import { applicationsOf, listAll, othersOf } from '../alike.ts'
import { placeOf } from './list.ts'
import { type DoneInList, placeQuery } from './page.ts'

/** A submitted form, and the owner behind it. */
interface AccountChange {
  readonly form: Parameters
  readonly visit: OwnerVisit
  readonly parts: Pick<ServiceParts, 'settings' | 'store' | 'resources' | 'clock' | 'random'>
}

/** Back to the list, and to where it was. */
const answerList = (
  { visit }: AccountChange,
  what: DoneInList,
  clientId: ClientId | null = null,
  detail = '',
): Answer => answerDoneAt(visit, '/account', { what, clientId, detail }, placeQuery(placeOf(visit)))

/** Back to the page of an access that lives on. */
const answerAccess = (
  { visit }: AccountChange,
  what: AccessDone['what'],
  { id, clientId }: Pick<ListedAuthorization, 'id' | 'clientId'>,
  detail = '',
): Answer => answerDoneAt(visit, `/account/access/${id}`, { what, clientId, detail })

const idOf = ({ form }: AccountChange): AuthorizationId =>
  form.require('authorization') as AuthorizationId

/**
 * The permissions to keep. A form names the permissions that it showed, and later ones stay. A form
 * without that list keeps exactly what is ticked.
 */
const keptOf = ({ form, parts }: AccountChange): Permissions => {
  const ticked = form.all('permission') as Permissions
  const shown = form.find('shown')
  if (shown === null) return ticked
  const all = grantableNames(parts.resources)
  return [...ticked, ...difference(all, shown.split(' ') as Permissions)]
}

/** Whether the application has another access is told as well. */
const answerEnded = async (
  change: AccountChange,
  ended: Pick<ListedAuthorization, 'id' | 'clientId' | 'clientLikeness'>,
): Promise<Answer> => {
  const { visit, parts } = change
  const all = await listAll(visit.login.owner.id, visit.at, parts)
  const what = othersOf(ended, all).length === 0 ? 'ended' : 'endedOne'
  return answerList(change, what, ended.clientId)
}

const narrow = async (change: AccountChange): Promise<Answer> => {
  const { visit, parts } = change
  const { owner } = visit.login
  const trace = traceOf(visit, parts)
  const before = await findListed(change)
  const left = await parts.store.narrowAuthorization(idOf(change), owner.id, keptOf(change), trace)
  if (left === null) return answerList(change, 'gone')
  if (left.permissions.length === 0) {
    return answerEnded(change, { ...left, clientLikeness: before?.clientLikeness ?? null })
  }
  const lost = difference(before?.permissions ?? [], left.permissions)
  return answerAccess(change, 'narrowed', left, lost.join(' '))
}

const changeEnd = async (change: AccountChange): Promise<Answer> => {
  const { form, visit, parts } = change
  const expiresAt = parseNewEnd(form, visit.at)
  if (expiresAt === 'bad') {
    const found = await findListed(change)
    return found === undefined
      ? answerList(change, 'gone')
      : showAccess(visit, found, form.find('date') ?? '', parts)
  }
  const { session, owner } = visit.login
  const changed = await parts.store.changeAuthorizationEnd(
    { id: idOf(change), ownerId: owner.id, session: session.id, expiresAt },
    traceOf(visit, parts),
  )
  return changed === null ? answerList(change, 'gone') : answerAccess(change, 'until', changed)
}

/** The live authorization of the form, if it is the owner's. */
const findListed = async (change: AccountChange) => {
  const { visit, parts } = change
  const of = { id: idOf(change), ownerId: visit.login.owner.id }
  return (await parts.store.listAuthorizations(of, null, 1, visit.at)).rows[0]
}

/** One that is paused already stays so, and is told of in the same way. */
const pause = async (change: AccountChange): Promise<Answer> => {
  const { visit, parts } = change
  const found = await findListed(change)
  if (found === undefined) return answerList(change, 'gone')
  const { ownerId, clientId } = found
  await parts.store.pauseAuthorizations({ ownerId, clientId }, traceOf(visit, parts))
  return answerAccess(change, 'paused', found)
}

const resume = async (change: AccountChange): Promise<Answer> => {
  const { visit, parts } = change
  const found = await findListed(change)
  if (found === undefined) return answerList(change, 'gone')
  const { ownerId, clientId } = found
  const of = { ownerId, clientId, session: visit.login.session.id }
  await parts.store.resumeAuthorizations(of, traceOf(visit, parts))
  return answerAccess(change, 'resumed', found)
}

const end = async (change: AccountChange): Promise<Answer> => {
  const { visit, parts } = change
  const { store } = parts
  const found = await findListed(change)
  const ownerId = visit.login.owner.id
  const ended = await store.endAuthorization(idOf(change), ownerId, traceOf(visit, parts))
  return ended && found ? answerEnded(change, found) : answerList(change, 'gone')
}

/** Ends all authorizations of the application by this owner, page by page until none is left. */
const endEvery = async (change: AccountChange): Promise<Answer> => {
  const { form, visit, parts } = change
  const { store } = parts
  const ownerId = visit.login.owner.id
  const clientId = form.require('client') as ClientId
  for (let ended = false; ; ) {
    const of = { ownerId, clientId }
    const { rows } = await store.listAuthorizations(of, null, parameterLimits.pageRows, visit.at)
    if (rows.length === 0)
      return answerList(change, ended ? 'ended' : 'gone', ended ? clientId : null)
    for (const { id } of rows) {
      if (await store.endAuthorization(id, ownerId, traceOf(visit, parts))) ended = true
    }
  }
}

/** Ends all authorizations of the installations that look like the one of this authorization. */
const endInstallations = async (change: AccountChange): Promise<Answer> => {
  const { visit, parts } = change
  const ownerId = visit.login.owner.id
  const of = { ownerId, id: idOf(change) }
  const [found] = (await parts.store.listAuthorizations(of, null, 1, visit.at)).rows
  const likeness = found?.clientLikeness ?? null
  if (found === undefined || likeness === null) return end(change)
  for (;;) {
    const all = await listAll(ownerId, visit.at, parts)
    const alike = all.filter(({ clientLikeness }) => clientLikeness === likeness)
    if (alike.length === 0) return answerList(change, 'ended', found.clientId)
    for (const { id } of alike) {
      await parts.store.endAuthorization(id, ownerId, traceOf(visit, parts))
    }
  }
}

/** Ends the applications that are ticked in the list, each with all of its accesses. */
const endSelected = async (change: AccountChange): Promise<Answer> => {
  const { form, visit, parts } = change
  const ownerId = visit.login.owner.id
  const ticked = new Set<string>(form.all('access'))
  if (ticked.size === 0) return answerList(change, 'unticked')
  const all = applicationsOf(await listAll(ownerId, visit.at, parts))
  let count = 0
  for (const { newest, accesses } of all) {
    if (!ticked.has(newest.id)) continue
    let ended = false
    for (const { id } of accesses) {
      if (await parts.store.endAuthorization(id, ownerId, traceOf(visit, parts))) ended = true
    }
    if (ended) count++
  }
  return count === 0
    ? answerList(change, 'gone')
    : answerList(change, 'endedSeveral', null, String(count))
}

const actions: Readonly<Record<string, (change: AccountChange) => Promise<Answer>>> = {
  narrow,
  until: changeEnd,
  pause,
  resume,
  end,
  'end-every': endEvery,
  'end-installations': endInstallations,
  'end-selected': endSelected,
}

/** `POST /account`: takes effect on the next request, also of tokens issued long before. */
export const changeAccount = forOwner(async (visit, parts) => {
  const form = await readOwnForm(visit, parts)
  const action = form.find('action') ?? ''
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (act !== undefined) return act({ form, visit, parts })
  const known =
    'action has to be narrow, until, pause, resume, end, end-every, end-installations or end-selected'
  throw new Refusal('invalid_request', 'bad_action', known)
})
