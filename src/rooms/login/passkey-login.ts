/** `POST /login/passkey`: a passkey alone logs in, since it is two factors: a device, and a finger, face or PIN. */
import type { Answer } from '../../http/answer.ts'
import type { OwnerId } from '../../model/ids.ts'
import { openCeremony } from '../../owners/ceremony.ts'
import { namesOwner, readPresented, usePasskey } from '../../owners/passkeys.ts'
import { passkeyPlaceOf } from '../../owners/relying-party.ts'
import { passkeyMethods } from '../../owners/second-factor.ts'
import { type Started, startSession } from '../../owners/session.ts'
import type { LoginProblem } from '../../paper/login.ts'
import type { ServiceParts } from '../../registries.ts'
import { answerEntered, forLogin, type LoginVisit } from './entered.ts'
import { showLogin } from './login-page.ts'

/** The owner of the passkey, and the outcome of the login; null if the credential proves nothing. */
const enter = async (
  visit: LoginVisit,
  parts: Pick<
    ServiceParts,
    'settings' | 'store' | 'keyring' | 'clock' | 'random' | 'tell' | 'languages' | 'meter'
  >,
): Promise<{ readonly ownerId: OwnerId; readonly started: Started } | null> => {
  const { request, at, given, stranger } = visit
  const place = passkeyPlaceOf(request, parts)
  const presented = readPresented(given.find('credential') ?? '')
  const opened = await openCeremony('log in', given.find('ceremony') ?? '', stranger, at, parts)
  if (place.is !== 'here' || presented === null || opened === null) return null
  const found = await parts.store.findPasskey(presented.id)
  if (found === null || !namesOwner(presented, found.owner.id)) return null
  const used = await usePasskey(presented, found.passkey, opened.ceremony, place.party)
  if (used === null) return null
  const entry = { login: { passkey: used }, methods: passkeyMethods(found.passkey) }
  const { owner } = found
  return { ownerId: owner.id, started: await startSession(owner, entry, visit, parts) }
}

/**
 * One answer to every fault: a stranger does not learn which passkeys exist. A repeated request of the
 * same page was right before, and its answer may have got lost.
 */
export const logInWithPasskey = forLogin(async (visit, parts) => {
  const entered = await enter(visit, parts)
  const again = (problem: LoginProblem): Promise<Answer> => showLogin(visit, { problem }, parts)
  switch (entered?.started.outcome) {
    case 'accepted':
      return answerEntered(visit, entered.started.cookies, parts)
    case 'finished':
      return visit.login?.owner.id === entered.ownerId
        ? answerEntered(visit, [], parts)
        : again('finished')
    default:
      return again('passkey')
  }
})
