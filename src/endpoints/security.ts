/** `/account/security`: the factors of an owner, and passkeys being added and factors being removed. */
import { limits } from '../config/limits.ts'
import { type Answer, answerRedirect, scriptPolicy } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Factors } from '../model/factor.ts'
import type { PasskeyId } from '../model/ids.ts'
import { beginCeremony, openCeremony } from '../owners/ceremony.ts'
import { creationOptions, makePasskey } from '../owners/passkeys.ts'
import { passkeyPlaceOf } from '../owners/relying-party.ts'
import { csrfToken } from '../owners/session.ts'
import { renderSecurity, type SecurityPage, type SecurityProblem } from '../pages/security.ts'
import { securityWords } from '../pages/words/security.ts'
import { type Parts, traceOf } from '../parts.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { readOwnForm } from './forms.ts'
import { basePath } from './paths.ts'
import { answerUnconfirmed, findPresent, type Present, securityPath } from './present.ts'
import { showPage, viewOf } from './view.ts'

/** Where passkeys can be made, and what a new one would sign. */
const additionOf = (
  factors: Factors,
  { visitor, owner }: Present,
  exchange: Exchange,
  parts: Parts,
): SecurityPage['addition'] => {
  const { request, at } = exchange
  const place = passkeyPlaceOf(request, parts)
  if (place.is === 'nowhere') return place
  if (place.is === 'elsewhere') {
    return { is: 'elsewhere', url: `${place.origin}${securityPath('security', parts)}` }
  }
  if (factors.passkeys.length >= limits.passkeys) return { is: 'full' }
  const { id, text } = beginCeremony('add passkey', null, visitor, at, parts)
  const name = viewOf(exchange, parts).brand.name
  const options = creationOptions(id, owner, factors.passkeys, place.party, name)
  return { is: 'here', ceremony: text, options }
}

const show = async (
  problem: SecurityProblem | null,
  present: Present,
  exchange: Exchange,
  parts: Parts,
  status: number,
): Promise<Answer> => {
  const { visitor, owner, isConfirmed } = present
  const factors = await parts.store.findFactors(owner.id)
  const view = viewOf(exchange, parts)
  const addition = isConfirmed ? additionOf(factors, present, exchange, parts) : null
  const csrf = csrfToken(visitor)
  const html = renderSecurity({ view, csrf, owner, factors, addition, problem })
  return showPage(view, html, status, [], addition?.is === 'here' ? scriptPolicy : {})
}

/** `GET /account/security` */
export const showSecurityPage = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const present = await findPresent(exchange, parts)
  if ('instead' in present) return present.instead
  return show(null, present, exchange, parts, 200)
}

/** What cannot be seen is no name, and would not be the same name twice. */
const nameIn = (form: Parameters): string =>
  [...(form.find('name') ?? '').normalize('NFC')]
    .filter((character) => !/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u.test(character))
    .slice(0, limits.passkeyNameCharacters)
    .join('')
    .trim()

const addPasskey = async (
  form: Parameters,
  { visitor, session, owner }: Present,
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
  const passkey = await makePasskey(credential, name, owner.id, ceremony, at, place.party)
  if (passkey === null) return 'passkeyProblem'
  const by = { ownerId: owner.id, session: session.id }
  const trace = traceOf(exchange, parts)
  const outcome = await parts.store.addPasskey(passkey, limits.passkeys, ceremony, by, trace)
  if (outcome === 'added') return null
  if (outcome === 'full') return 'passkeysFull'
  return outcome === 'taken' ? 'passkeyTaken' : 'passkeyProblem'
}

/** Whoever has the first factor is shown the codes for the day on which it is lost. */
export const answerAdded = async ({ owner }: Present, parts: Parts): Promise<Answer> => {
  const { recoveryCodes } = await parts.store.findFactors(owner.id)
  return answerRedirect(securityPath(recoveryCodes === 0 ? 'recovery' : 'security', parts), 303)
}

const badAction = (): Refusal =>
  new Refusal(
    'invalid_request',
    'bad_action',
    'action has to be add_passkey, remove_passkey or remove_codes',
  )

/** `POST /account/security`: what a ceremony adds was begun by whoever was there; the rest asks anew. */
export const changeSecurity = async (exchange: Exchange, parts: Parts): Promise<Answer> => {
  const present = await findPresent(exchange, parts)
  if ('instead' in present) return present.instead
  const { visitor, session, owner, isConfirmed } = present
  const form = await readOwnForm(exchange.request, visitor, parts)
  const action = form.find('action')
  if (action === 'add_passkey') {
    const problem = await addPasskey(form, present, exchange, parts)
    if (problem !== null) return show(problem, present, exchange, parts, 400)
    return answerAdded(present, parts)
  }
  if (!isConfirmed) return answerUnconfirmed('security', parts)
  const by = { ownerId: owner.id, session: session.id }
  const trace = traceOf(exchange, parts)
  if (action === 'remove_passkey') {
    await parts.store.removePasskey(form.require('passkey') as PasskeyId, by, trace)
  } else if (action === 'remove_codes') await parts.store.removeOneTimeCodes(by, trace)
  else throw badAction()
  return answerRedirect(`${basePath(parts)}/account/security`, 303)
}
