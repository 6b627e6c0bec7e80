/**
 * `POST /account`: an owner narrows an authorization, changes its end, or ends it, or pauses the
 * application.
 */
import { difference, grantableNames } from '../../access/permission.ts'
import { limits } from '../../config/limits.ts'
import type { Answer } from '../../http/answer.ts'
import type { AuthorizationId, ClientId } from '../../model/ids.ts'
import type { Permissions } from '../../model/resource.ts'
import type { DoneToAccess } from '../../pages/account.ts'
import { type Parts, traceOf } from '../../parts.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { readOwnForm } from '../door/forms.ts'
import { answerDone, forOwner, type OwnerVisit } from '../door/signed-in.ts'
import { listAll } from './alike.ts'
import { showApplications } from './applications.ts'
import { parseNewEnd } from './new-end.ts'

/** A submitted form, and the owner behind it. */
interface AccountChange {
  readonly form: Parameters
  readonly visit: OwnerVisit
  readonly parts: Pick<Parts, 'settings' | 'store' | 'resources' | 'clock' | 'random'>
}

const answer = (
  { visit }: AccountChange,
  done: DoneToAccess,
  clientId: ClientId | null = null,
): Answer => answerDone(visit, '/account', done, clientId)

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

const narrow = async (change: AccountChange): Promise<Answer> => {
  const { visit, parts } = change
  const { owner } = visit.login
  const trace = traceOf(visit, parts)
  const left = await parts.store.narrowAuthorization(idOf(change), owner.id, keptOf(change), trace)
  if (left === null) return answer(change, 'gone')
  return answer(change, left.permissions.length === 0 ? 'ended' : 'narrowed', left.clientId)
}

const changeEnd = async (change: AccountChange): Promise<Answer> => {
  const { form, visit, parts } = change
  const expiresAt = parseNewEnd(form, visit.at)
  if (expiresAt === 'bad') {
    const badEnd = { id: idOf(change), day: form.find('date') ?? '' }
    return showApplications(visit, badEnd, parts)
  }
  const { session, owner } = visit.login
  const changed = await parts.store.changeAuthorizationEnd(
    { id: idOf(change), ownerId: owner.id, session: session.id, expiresAt },
    traceOf(visit, parts),
  )
  return changed === null ? answer(change, 'gone') : answer(change, 'until', changed.clientId)
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
  if (found === undefined) return answer(change, 'gone')
  const { ownerId, clientId } = found
  await parts.store.pauseAuthorizations({ ownerId, clientId }, traceOf(visit, parts))
  return answer(change, 'paused', clientId)
}

const resume = async (change: AccountChange): Promise<Answer> => {
  const { visit, parts } = change
  const found = await findListed(change)
  if (found === undefined) return answer(change, 'gone')
  const { ownerId, clientId } = found
  const of = { ownerId, clientId, session: visit.login.session.id }
  await parts.store.resumeAuthorizations(of, traceOf(visit, parts))
  return answer(change, 'resumed', clientId)
}

const end = async (change: AccountChange): Promise<Answer> => {
  const { visit, parts } = change
  const { store } = parts
  const found = await findListed(change)
  const ownerId = visit.login.owner.id
  const ended = await store.endAuthorization(idOf(change), ownerId, traceOf(visit, parts))
  return ended ? answer(change, 'ended', found?.clientId) : answer(change, 'gone')
}

/** Ends all authorizations of the application by this owner, page by page until none is left. */
const endEvery = async (change: AccountChange): Promise<Answer> => {
  const { form, visit, parts } = change
  const { store } = parts
  const ownerId = visit.login.owner.id
  const clientId = form.require('client') as ClientId
  for (let ended = false; ; ) {
    const of = { ownerId, clientId }
    const { rows } = await store.listAuthorizations(of, null, limits.pageRows, visit.at)
    if (rows.length === 0) return ended ? answer(change, 'ended', clientId) : answer(change, 'gone')
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
    if (alike.length === 0) return answer(change, 'ended', found.clientId)
    for (const { id } of alike) {
      await parts.store.endAuthorization(id, ownerId, traceOf(visit, parts))
    }
  }
}

const actions: Readonly<Record<string, (change: AccountChange) => Promise<Answer>>> = {
  narrow,
  until: changeEnd,
  pause,
  resume,
  end,
  'end-every': endEvery,
  'end-installations': endInstallations,
}

/** `POST /account`: takes effect on the next request, also of tokens issued long before. */
export const changeAccount = forOwner(async (visit, parts) => {
  const form = await readOwnForm(visit, parts)
  const action = form.find('action') ?? ''
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (act !== undefined) return act({ form, visit, parts })
  const known = 'action has to be narrow, until, pause, resume, end, end-every or end-installations'
  throw new Refusal('invalid_request', 'bad_action', known)
})
