/** `POST /login/passkey`: a passkey alone logs in, being something one has and a finger, face or PIN. */
import type { Answer } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { openJourney } from '../journey/journey.ts'
import { openCeremony } from '../owners/ceremony.ts'
import { namesOwner, readPresented, usePasskey } from '../owners/passkeys.ts'
import { passkeyPlaceOf } from '../owners/relying-party.ts'
import { passkeyMethods } from '../owners/second-factor.ts'
import { findVisitor, loggedOut, startSession, type Visitor } from '../owners/session.ts'
import type { Parts } from '../parts.ts'
import { answerEntered } from './entered.ts'
import { readOwnForm } from './forms.ts'
import { showLogin } from './login.ts'

/** The header that sets the session's cookie, or null. */
const enter = async (
  credential: string,
  ceremonyText: string,
  visitor: Visitor,
  exchange: Exchange,
  parts: Parts,
): Promise<string | null> => {
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
  const started = await startSession(found.owner.id, entry, visitor, exchange, parts)
  return started.outcome === 'accepted' ? started.cookie : null
}

/** One answer to all that can be wrong: a stranger learns nothing of which passkeys there are. */
export const logInWithPasskey = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const { request, at } = exchange
  const visitor = await findVisitor(request, at, parts)
  const form = await readOwnForm(request, loggedOut(visitor), parts)
  const journey = form.find('journey') ?? ''
  const resumed = journey === '' ? null : await openJourney(journey, visitor.browser, at, parts)
  const credential = form.find('credential') ?? ''
  const cookie = await enter(credential, form.find('ceremony') ?? '', visitor, exchange, parts)
  if (cookie !== null) return answerEntered(cookie, resumed, visitor, parts)
  return showLogin({ journey, problem: 'passkey' }, visitor, exchange, parts, 403)
}
