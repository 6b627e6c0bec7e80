/**
 * `GET /account/access/{authorization id}`: the page of one application. `POST /account`: its owner narrows
 * an authorization, changes its end, or ends it, or pauses the application.
 */

import { listGrantable, subtract } from '../../../access/permission.ts'
import type { Answer } from '../../../http/answer.ts'
import { makeDetailKey } from '../../../model/detail.ts'
import type { AuthorizationId, ClientId } from '../../../model/ids.ts'
import type { Permissions } from '../../../model/resource.ts'
import type { Parameters } from '../../../protocol/parameters.ts'
import { invalidRequest } from '../../../protocol/refusal.ts'
import { page } from '../../../route.ts'
import type { ListedAuthorization } from '../../../store/contract/authorization.ts'
import { traceOf } from '../../../store/trace.ts'
import { answerDoneAt, type OwnerVisit } from '../../owner-visit.ts'
import { answerSeeOther } from '../../visit.ts'
import {
  detailsLost,
  groupApplications,
  hashDetail,
  isApproved,
  listAll,
  listOthers,
  requireAccess,
} from '../accesses.ts'
import { type DoneInList, placeOf, placeQuery } from '../applications/list.ts'
import type { AccountNeeds, OpenPage } from '../needs.ts'
import { formatEnd, parseNewEnd } from './end.ts'
import { showAccess } from './page.ts'
import type { AccessDone } from './shown.ts'

interface AccountChange extends AccountNeeds {
  readonly form: Parameters
  readonly visit: OwnerVisit
  readonly ownerId: OwnerVisit['login']['owner']['id']
}

/** Null: that access had ended before. */
type Change = (change: AccountChange) => Promise<Answer | null>

const answerList = (
  { visit }: AccountChange,
  what: DoneInList,
  clientId: ClientId | null = null,
  detail = '',
): Answer => answerDoneAt(visit, '/account', { what, clientId, detail }, placeQuery(placeOf(visit)))

const answerAccess = (
  { visit }: AccountChange,
  what: AccessDone['what'],
  { id, clientId }: Pick<ListedAuthorization, 'id' | 'clientId'>,
  detail = '',
): Answer => answerDoneAt(visit, `/account/access/${id}`, { what, clientId, detail })

const readId = ({ form }: AccountChange): AuthorizationId =>
  form.require('authorization') as AuthorizationId

/** The live authorization of the form, if it is the owner's. */
const findListed = async (change: AccountChange) => {
  const { visit, ownerId, store } = change
  const of = { id: readId(change), ownerId }
  return (await store.listAuthorizations(of, null, 1, visit.at)).rows[0]
}

/**
 * The permissions to keep. A form names the permissions that it showed, and later ones stay. A form
 * without that list keeps exactly what is ticked.
 */
const readKept = ({ form, resources }: AccountChange): Permissions => {
  const ticked = form.all('permission') as Permissions
  const shown = form.find('shown')
  if (shown === null) return ticked
  return [...ticked, ...subtract(listGrantable(resources), shown.split(' ') as Permissions)]
}

/** The keys of the shown details that are not ticked. One that was approved meanwhile stays. */
const readTaken = (
  { form }: AccountChange,
  access: ListedAuthorization | undefined,
): readonly string[] => {
  const ticked = form.all('detail')
  const shown = form.find('shown-details')?.split(' ') ?? null
  const taken = (access?.details ?? []).filter((detail) => {
    const key = hashDetail(detail)
    return !ticked.includes(key) && (shown === null || shown.includes(key))
  })
  return taken.map(makeDetailKey)
}

const answerEnded = async (
  change: AccountChange,
  ended: Pick<ListedAuthorization, 'id' | 'parentId' | 'clientId' | 'clientLikeness'>,
): Promise<Answer> => {
  const all = await listAll(change.ownerId, change.visit.at, change.store)
  const what = listOthers(ended, all).length === 0 ? 'ended' : 'endedOne'
  return answerList(change, what, ended.clientId)
}

const narrow: Change = async (change) => {
  const { visit, ownerId, store } = change
  const before = await findListed(change)
  const trace = traceOf(visit, change)
  const taken = readTaken(change, before)
  const kept = readKept(change)
  const left = await store.narrowAuthorization(readId(change), ownerId, kept, trace, taken)
  if (left === null) return null
  if (left.permissions.length + left.details.length === 0) {
    return answerEnded(change, { ...left, clientLikeness: before?.clientLikeness ?? null })
  }
  const lost: readonly string[] = [
    ...subtract(before?.permissions ?? [], left.permissions),
    ...(taken.length === 0 ? [] : [detailsLost]),
  ]
  return answerAccess(change, 'narrowed', left, lost.join(' '))
}

const changeEnd: Change = async (change) => {
  const { form, visit, ownerId, store } = change
  const expiresAt = parseNewEnd(form, visit.at)
  const found = await findListed(change)
  if (expiresAt === 'bad') {
    return found ? showAccess(visit, found, form.find('date') ?? '', change) : null
  }
  const changed = await store.changeAuthorizationEnd(
    { id: readId(change), ownerId, session: visit.login.session.id, expiresAt },
    traceOf(visit, change),
  )
  return changed && answerAccess(change, 'until', changed, found && formatEnd(found))
}

/** An application that is paused already stays so, and is told of in the same way. */
const setPaused =
  (what: 'paused' | 'resumed'): Change =>
  async (change) => {
    const { visit, ownerId, store } = change
    const found = await findListed(change)
    if (found === undefined) return null
    const of = { ownerId, clientId: found.clientId, parentId: found.parentId }
    const trace = traceOf(visit, change)
    if (what === 'paused') await store.pauseAuthorizations(of, trace)
    else await store.resumeAuthorizations({ ...of, session: visit.login.session.id }, trace)
    return answerAccess(change, what, found)
  }

const endEach = async (
  change: AccountChange,
  accesses: readonly Pick<ListedAuthorization, 'id'>[],
): Promise<number> => {
  let count = 0
  for (const { id } of accesses) {
    const trace = traceOf(change.visit, change)
    if (await change.store.endAuthorization(id, change.ownerId, trace)) count++
  }
  return count
}

const endUntilNone = async (
  change: AccountChange,
  list: () => Promise<readonly ListedAuthorization[]>,
): Promise<number> => {
  for (let count = 0; ; ) {
    const listed = await list()
    if (listed.length === 0) return count
    count += await endEach(change, listed)
  }
}

const end: Change = async (change) => {
  const found = await findListed(change)
  const ended = await endEach(change, [{ id: readId(change) }])
  return ended > 0 && found ? answerEnded(change, found) : null
}

const endEvery: Change = async (change) => {
  const { form, visit, ownerId, store } = change
  const clientId = form.require('client') as ClientId
  const ended = await endUntilNone(change, async () => {
    const all = await listAll(ownerId, visit.at, store)
    return all.filter((one) => one.clientId === clientId && isApproved(one))
  })
  return ended > 0 ? answerList(change, 'ended', clientId) : null
}

/** Ends all authorizations of the installations that look like the one of this authorization. */
const endInstallations: Change = async (change) => {
  const { visit, ownerId, store } = change
  const found = await findListed(change)
  const likeness = found?.clientLikeness ?? null
  if (found === undefined || likeness === null) return end(change)
  await endUntilNone(change, async () => {
    const all = await listAll(ownerId, visit.at, store)
    return all.filter((one) => one.clientLikeness === likeness && isApproved(one))
  })
  return answerList(change, 'ended', found.clientId)
}

/** Ends the applications that are ticked in the list, each with all of its accesses. */
const endSelected: Change = async (change) => {
  const { form, visit, ownerId, store } = change
  const ticked = new Set<string>(form.all('access'))
  if (ticked.size === 0) return answerList(change, 'unticked')
  let count = 0
  for (const { newest, accesses } of groupApplications(await listAll(ownerId, visit.at, store))) {
    if (ticked.has(newest.id) && (await endEach(change, accesses)) > 0) count++
  }
  return count === 0 ? null : answerList(change, 'endedSeveral', null, String(count))
}

const actions: Readonly<Record<string, Change>> = {
  narrow,
  until: changeEnd,
  pause: setPaused('paused'),
  resume: setPaused('resumed'),
  end,
  'end-every': endEvery,
  'end-installations': endInstallations,
  'end-selected': endSelected,
}

export const openAccess: OpenPage = (needs, { forOwner, readForm }) => {
  const { store, uses } = needs

  /** An ended authorization has its access log instead. */
  const show = forOwner(async (visit) => {
    const { id = '' } = visit.params
    await uses.catchUp()
    const { access, isEnded } = await requireAccess(id, visit, store)
    return isEnded
      ? answerSeeOther(visit, '/account/ledger', { authorization: id })
      : showAccess(visit, access, null, needs)
  })

  /** Takes effect on the next request, also of tokens issued long before. */
  const change = forOwner(async (visit) => {
    const form = await readForm(visit)
    const action = form.find('action') ?? ''
    const act = Object.hasOwn(actions, action) ? actions[action] : undefined
    if (act === undefined) {
      const known =
        'action has to be narrow, until, pause, resume, end, end-every, end-installations or end-selected'
      throw invalidRequest('bad_action', known)
    }
    const given = { ...needs, form, visit, ownerId: visit.login.owner.id }
    return (await act(given)) ?? answerList(given, 'gone')
  })

  return [
    { ...page, method: 'GET', path: '/account/access/:id', handler: show },
    { ...page, method: 'POST', path: '/account', handler: change },
  ]
}
