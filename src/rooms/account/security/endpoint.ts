/** `/account/security`: shows the factors of an owner, adds passkeys and removes factors. */
import type { Answer } from '../../../http/answer.ts'
import { type Factors, ofFormerPassword, type Passkey } from '../../../model/factor.ts'
import type { PasskeyId } from '../../../model/ids.ts'
import { beginCeremony, openCeremony } from '../../../owners/ceremony.ts'
import { creationOptions, makePasskey } from '../../../owners/passkeys.ts'
import { passkeyPlaceOf } from '../../../owners/relying-party.ts'
import { canMail } from '../../../owners/ways-in.ts'
import { pageUrl } from '../../../paper/view.ts'
import { type Parameters, parameterLimits } from '../../../protocol/parameters.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import type { ServiceParts } from '../../../registries.ts'
import { traceOf } from '../../../store/trace.ts'
import { readOwnForm } from '../../form.ts'
import { forOwner } from '../../former.ts'
import { answerDone, answerLoginFirst, noticeOf, type OwnerVisit } from '../../owner-visit.ts'
import { upstreamIds, upstreamsShown } from '../../upstream-trip.ts'
import { showPage } from '../../visit.ts'
import { answerAdded, answerUnconfirmed, byOwner, isConfirmed } from '../confirmed.ts'
import { isAboutSecurity, shownEvents } from '../events/shown.ts'
import { accountLimits } from '../limits.ts'
import { renderSecurity, type SecurityPage, type SecurityProblem } from './page.ts'
import { securityWords } from './words.ts'

const refused: Readonly<
  Record<SecurityProblem, { readonly reason: string; readonly status: number }>
> = {
  passkeyProblem: { reason: 'wrong_passkey', status: 400 },
  passkeyTaken: { reason: 'passkey_taken', status: 400 },
  passkeysFull: { reason: 'too_many_passkeys', status: 400 },
  passkeyOnlyUnready: { reason: 'passkey_only_unready', status: 409 },
}

/** The form for a new passkey, or the place for it. Null: the owner has to confirm the login first. */
const additionOf = (
  visit: OwnerVisit,
  { passkeys }: Factors,
  parts: Pick<ServiceParts, 'settings' | 'keyring' | 'random'>,
): SecurityPage['addition'] => {
  if (!isConfirmed(visit)) return null
  const { view, request, at } = visit
  const place = passkeyPlaceOf(request, parts)
  if (place.is === 'nowhere') return place
  if (place.is === 'elsewhere') {
    // The passkey must not go to another owner, so the login is asked for.
    const login = { next: 'security', switch: '1' }
    return { is: 'elsewhere', url: place.origin + pageUrl(view, '/login', login) }
  }
  if (passkeys.length >= accountLimits.passkeysPerOwner) return { is: 'full' }
  const { id, text } = beginCeremony('add passkey', null, visit, at, parts)
  const options = creationOptions(id, visit.login.owner, passkeys, place.party, view.brand.name)
  return { is: 'here', ceremony: text, options }
}

/** What happened lately to the ways to log in, among the latest events. */
const recentEvents = async (
  { view, login }: OwnerVisit,
  parts: Pick<ServiceParts, 'store' | 'resources'>,
): Promise<SecurityPage['recent']> => {
  const of = { ownerId: login.owner.id, ownChanges: true } as const
  const { rows } = await parts.store.listEvents(of, null, parameterLimits.pageRowsDefault)
  const some = rows.filter(({ type }) => isAboutSecurity(type)).slice(0, accountLimits.recentEvents)
  return shownEvents(some, view.language, parts)
}

const show = async (
  visit: OwnerVisit,
  problem: SecurityProblem | null,
  parts: ServiceParts,
): Promise<Answer> => {
  const { view, csrf } = visit
  const { owner } = visit.login
  const factors = await parts.store.findFactors(owner.id)
  const addition = additionOf(visit, factors, parts)
  const recent = await recentEvents(visit, parts)
  const passwordChangedAt = owner.passwordHash === '' ? null : owner.passwordChangedAt
  const notice = problem === null ? noticeOf(visit, securityWords(view.language).done) : null
  const links = await parts.store.listUpstreamLinks(owner.id)
  const upstreams = {
    view,
    csrf,
    upstreams: upstreamsShown(view.language, parts),
    links,
    earlier: ofFormerPassword(links, factors),
    isOpen: isConfirmed(visit),
  }
  const hasForgot = canMail(parts) && owner.email !== ''
  const ways = { factors, passwordChangedAt, hasForgot, addition, upstreams }
  const page = { view, csrf, owner, ...ways, recent, notice, problem }
  const html = renderSecurity(page)
  return showPage(visit, html, { ...(problem && refused[problem]), hasScript: true })
}

/** `GET /account/security` */
export const showSecurityPage = forOwner((visit, parts) => show(visit, null, parts))

/** Leaves out invisible characters: two names that look the same are the same. */
const nameIn = (form: Parameters): string =>
  [...(form.find('name') ?? '').normalize('NFC')]
    .filter((character) => !/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u.test(character))
    .slice(0, accountLimits.passkeyNameCharacters)
    .join('')
    .trim()

/** Whether the owner has this passkey already, as after a lost answer. */
const isAdded = async (
  { id, ownerId, publicKey }: Passkey,
  { store }: Pick<ServiceParts, 'store'>,
): Promise<boolean> => {
  const { passkeys } = await store.findFactors(ownerId)
  return passkeys.some((kept) => kept.id === id && kept.publicKey === publicKey)
}

const addPasskey = async (
  visit: OwnerVisit,
  form: Parameters,
  parts: Pick<ServiceParts, 'settings' | 'store' | 'keyring' | 'clock' | 'random'>,
): Promise<SecurityProblem | null> => {
  const { request, at, view } = visit
  const place = passkeyPlaceOf(request, parts)
  const text = form.find('ceremony') ?? ''
  const opened = await openCeremony('add passkey', text, visit, at, parts)
  if (place.is !== 'here' || opened === null) return 'passkeyProblem'
  const { ceremony } = opened
  const name = nameIn(form) || securityWords(view.language).passkeyDefault
  const credential = form.find('credential') ?? ''
  const { id } = visit.login.owner
  const passkey = await makePasskey(credential, name, id, ceremony, at, place.party)
  if (passkey === null) return 'passkeyProblem'
  const trace = traceOf(visit, parts)
  const by = byOwner(visit)
  const outcome = await parts.store.addPasskey(
    passkey,
    accountLimits.passkeysPerOwner,
    ceremony,
    by,
    trace,
  )
  if (outcome === 'added') return null
  if (outcome === 'full') return 'passkeysFull'
  if (outcome !== 'refused' && (await isAdded(passkey, parts))) return null
  return outcome === 'taken' ? 'passkeyTaken' : 'passkeyProblem'
}

const requirePasskey = async (
  visit: OwnerVisit,
  isOn: boolean,
  parts: ServiceParts,
): Promise<Answer> => {
  const trace = traceOf(visit, parts)
  const outcome = await parts.store.setPasskeyOnly(isOn, byOwner(visit), trace)
  if (outcome === 'unready') return show(visit, 'passkeyOnlyUnready', parts)
  if (outcome === 'refused') return answerLoginFirst(visit, parts)
  return answerDone(visit, '/account/security', isOn ? 'required' : 'optional')
}

const badAction = (): Refusal =>
  new Refusal(
    'invalid_request',
    'bad_action',
    'action has to be add_passkey, remove_passkey, remove_codes, passkey_only_on or passkey_only_off',
  )

const removePasskey = async (
  visit: OwnerVisit,
  id: PasskeyId,
  parts: ServiceParts,
): Promise<Answer> => {
  const ways = upstreamIds(parts)
  const trace = traceOf(visit, parts)
  const outcome = await parts.store.removePasskey(id, ways, byOwner(visit), trace)
  return answerDone(visit, '/account/security', outcome === 'last' ? 'passkeyLast' : 'removed')
}

/** `POST /account/security`. A ceremony began after a confirmation; every other change needs one. */
export const changeSecurity = forOwner(async (visit, parts) => {
  const form = await readOwnForm(visit, parts)
  const action = form.find('action')
  if (action === 'add_passkey') {
    const problem = await addPasskey(visit, form, parts)
    return problem === null ? answerAdded(visit, 'passkey', parts) : show(visit, problem, parts)
  }
  if (!isConfirmed(visit)) return answerUnconfirmed(visit, parts)
  const by = byOwner(visit)
  const trace = traceOf(visit, parts)
  switch (action) {
    case 'remove_passkey':
      return removePasskey(visit, form.require('passkey') as PasskeyId, parts)
    case 'remove_codes':
      await parts.store.removeOneTimeCodes(by, trace)
      break
    case 'passkey_only_on':
    case 'passkey_only_off':
      return requirePasskey(visit, action === 'passkey_only_on', parts)
    default:
      throw badAction()
  }
  return answerDone(visit, '/account/security', 'removed')
})
