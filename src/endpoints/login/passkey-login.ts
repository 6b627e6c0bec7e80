/** `POST /login/passkey`: a passkey alone logs in, being something one has and a finger, face or PIN. */
import type { Answer } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { OwnerId } from '../../model/ids.ts'
import { openCeremony } from '../../owners/ceremony.ts'
import { namesOwner, readPresented, usePasskey } from '../../owners/passkeys.ts'
import { passkeyPlaceOf } from '../../owners/relying-party.ts'
import { passkeyMethods } from '../../owners/second-factor.ts'
import {
  findVisitor,
  loggedOut,
  type Started,
  startSession,
  type Visitor,
} from '../../owners/session.ts'
import type { LoginProblem } from '../../pages/login.ts'
import type { EndpointParts } from '../../registries.ts'
import { readOwnForm } from '../door/forms.ts'
import { answerEntered, readWaiting } from './entered.ts'
import { showLogin } from './login-page.ts'

/** Who signed, and what came of it; null where it proves nothing. */
const enter = async (
  credential: string,
  ceremonyText: string,
  visitor: Visitor,
  exchange: Exchange,
  parts: EndpointParts,
): Promise<{ readonly ownerId: OwnerId; readonly started: Started } | null> => {
  const { request, at } = exchange
  const place = passkeyPlaceOf(request, parts)
  const presented = readPresented(credential)
  const opened = await openCeremony('log in', ceremonyText, loggedOut(visitor), at, parts)
  if (place.is !== 'here' || presented === null || opened === null) return null
  const found = await parts.store.findPasskey(presented.id)
  if (found === null || !namesOwner(presented, found.owner.id)) return null
  const used = await usePasskey(presented, found.passkey, opened.ceremony, place.party)
  if (used === null) return null
  const entry = { login: { passkey: used }, methods: passkeyMethods(found.passkey) }
  const { owner } = found
  return { ownerId: owner.id, started: await startSession(owner, entry, visitor, exchange, parts) }
}

/**
 * One answer to all that can be wrong: a stranger learns nothing of which passkeys there are. What
 * comes again from the same page was right, and its answer may not have come to this browser.
 */
export const logInWithPasskey = async (
  exchange: Exchange,
  parts: EndpointParts,
): Promise<Answer> => {
  const { request, at } = exchange
  const visitor = await findVisitor(exchange, parts)
  const form = await readOwnForm(request, loggedOut(visitor), parts)
  const waiting = await readWaiting(form, visitor, at, parts)
  const credential = form.find('credential') ?? ''
  const ceremony = form.find('ceremony') ?? ''
  const entered = await enter(credential, ceremony, visitor, exchange, parts)
  const again = (problem: LoginProblem): Promise<Answer> =>
    showLogin(waiting, { problem }, visitor, exchange, parts, 403)
  switch (entered?.started.outcome) {
    case 'accepted':
      return answerEntered(entered.started.cookies, waiting, visitor, exchange, parts)
    case 'finished':
      return visitor.login?.owner.id === entered.ownerId
        ? answerEntered([], waiting, visitor, exchange, parts)
        : again('finished')
    default:
      return again('passkey')
  }
}
