/** `/account/security`: the factors of an owner, and passkeys being added and factors being removed. */
import { limits } from '../../config/limits.ts'
import { type Answer, scriptPolicy } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Factors, Passkey } from '../../model/factor.ts'
import type { PasskeyId } from '../../model/ids.ts'
import { beginCeremony, openCeremony } from '../../owners/ceremony.ts'
import { creationOptions, makePasskey } from '../../owners/passkeys.ts'
import { passkeyPlaceOf } from '../../owners/relying-party.ts'
import { csrfToken, loggedOut } from '../../owners/session.ts'
import { renderSecurity, type SecurityPage, type SecurityProblem } from '../../pages/security.ts'
import { pageUrl } from '../../pages/view.ts'
import { securityWords } from '../../pages/words/security.ts'
import { type Parts, traceOf } from '../../parts.ts'
import type { Parameters } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { readOwnForm } from '../door/forms.ts'
import { refusedBy } from '../door/refused.ts'
import {
  answerDone,
  answerLoginFirst,
  forOwner,
  noticeOf,
  type SignedIn,
} from '../door/signed-in.ts'
import { showPage, viewOf } from '../door/view.ts'
import { answerAdded, answerUnconfirmed, byOwner, isConfirmed } from './confirmed.ts'

const reasons: Readonly<Record<SecurityProblem, string>> = {
  passkeyProblem: 'wrong_passkey',
  passkeyTaken: 'passkey_taken',
  passkeysFull: 'too_many_passkeys',
  passkeyOnlyUnready: 'passkey_only_unready',
}

/** Where passkeys can be made, and what a new one would sign. */
const additionOf = (
  factors: Factors,
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
): SecurityPage['addition'] => {
  const { request, at } = exchange
  const place = passkeyPlaceOf(request, parts)
  if (place.is === 'nowhere') return place
  if (place.is === 'elsewhere') {
    // Somebody else may be logged in there, who would be given the passkey.
    const login = { next: 'security', switch: '1' }
    const url = place.origin + pageUrl(viewOf(exchange, parts), '/login', login)
    return { is: 'elsewhere', url }
  }
  if (factors.passkeys.length >= limits.passkeys) return { is: 'full' }
  const { id, text } = beginCeremony('add passkey', null, visitor, at, parts)
  const name = viewOf(exchange, parts).brand.name
  const options = creationOptions(id, visitor.login.owner, factors.passkeys, place.party, name)
  return { is: 'here', ceremony: text, options }
}

const show = async (
  problem: SecurityProblem | null,
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
  status: number,
): Promise<Answer> => {
  const { owner } = visitor.login
  const factors = await parts.store.findFactors(owner.id)
  const view = viewOf(exchange, parts)
  const addition = isConfirmed(visitor, exchange)
    ? additionOf(factors, visitor, exchange, parts)
    : null
  const notice =
    problem === null ? noticeOf(exchange, visitor, securityWords[view.language].done) : null
  const csrf = csrfToken(visitor)
  const html = renderSecurity({ view, csrf, owner, factors, addition, notice, problem })
  const page = showPage(view, html, status, [], addition?.is === 'here' ? scriptPolicy : {})
  return refusedBy(problem && reasons[problem], page)
}

/** `GET /account/security` */
export const showSecurityPage = forOwner(async (visitor, exchange, parts) =>
  show(null, visitor, exchange, parts, 200),
)

/** What cannot be seen is no name, and would not be the same name twice. */
const nameIn = (form: Parameters): string =>
  [...(form.find('name') ?? '').normalize('NFC')]
    .filter((character) => !/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u.test(character))
    .slice(0, limits.passkeyNameCharacters)
    .join('')
    .trim()

/** Whether the owner has this very passkey, as after an answer that got lost. */
const isAdded = async ({ id, ownerId, publicKey }: Passkey, { store }: Parts): Promise<boolean> => {
  const { passkeys } = await store.findFactors(ownerId)
  return passkeys.some((kept) => kept.id === id && kept.publicKey === publicKey)
}

const addPasskey = async (
  form: Parameters,
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
): Promise<SecurityProblem | null> => {
  const { request, at } = exchange
  const place = passkeyPlaceOf(request, parts)
  const text = form.find('ceremony') ?? ''
  const opened = await openCeremony('add passkey', text, visitor, at, parts)
  if (place.is !== 'here' || opened === null) return 'passkeyProblem'
  const { ceremony } = opened
  const { language } = viewOf(exchange, parts)
  const name = nameIn(form) || securityWords[language].passkeyDefault
  const credential = form.find('credential') ?? ''
  const passkey = await makePasskey(
    credential,
    name,
    visitor.login.owner.id,
    ceremony,
    at,
    place.party,
  )
  if (passkey === null) return 'passkeyProblem'
  const by = byOwner(visitor)
  const trace = traceOf(exchange, parts)
  const outcome = await parts.store.addPasskey(passkey, limits.passkeys, ceremony, by, trace)
  if (outcome === 'added') return null
  if (outcome === 'full') return 'passkeysFull'
  if (outcome !== 'refused' && (await isAdded(passkey, parts))) return null
  return outcome === 'taken' ? 'passkeyTaken' : 'passkeyProblem'
}

const requirePasskey = async (
  isOn: boolean,
  visitor: SignedIn,
  exchange: Exchange,
  parts: Parts,
): Promise<Answer> => {
  const trace = traceOf(exchange, parts)
  const outcome = await parts.store.setPasskeyOnly(isOn, byOwner(visitor), trace)
  if (outcome === 'unready') return show('passkeyOnlyUnready', visitor, exchange, parts, 409)
  if (outcome === 'refused') return answerLoginFirst(loggedOut(visitor), exchange, parts)
  const done = isOn ? 'required' : 'optional'
  return answerDone('/account/security', done, visitor, exchange, parts)
}

const badAction = (): Refusal =>
  new Refusal(
    'invalid_request',
    'bad_action',
    'action has to be add_passkey, remove_passkey, remove_codes, passkey_only_on or passkey_only_off',
  )

/** `POST /account/security`: what a ceremony adds was begun by whoever was there; the rest asks anew. */
export const changeSecurity = forOwner(async (visitor, exchange, parts) => {
  const form = await readOwnForm(exchange.request, visitor, parts)
  const action = form.find('action')
  if (action === 'add_passkey') {
    const problem = await addPasskey(form, visitor, exchange, parts)
    if (problem !== null) return show(problem, visitor, exchange, parts, 400)
    return answerAdded('passkey', visitor, exchange, parts)
  }
  if (!isConfirmed(visitor, exchange)) return answerUnconfirmed('security', exchange, parts)
  const by = byOwner(visitor)
  const trace = traceOf(exchange, parts)
  if (action === 'remove_passkey') {
    await parts.store.removePasskey(form.require('passkey') as PasskeyId, by, trace)
  } else if (action === 'remove_codes') await parts.store.removeOneTimeCodes(by, trace)
  else if (action === 'passkey_only_on' || action === 'passkey_only_off') {
    return requirePasskey(action === 'passkey_only_on', visitor, exchange, parts)
  } else throw badAction()
  return answerDone('/account/security', 'removed', visitor, exchange, parts)
})
