/**
 * `/account/security`: the status of an account, and its changes. `/account/security/passkeys`: the passkeys.
 * `/account/upstreams`: links an account at an upstream, or unlinks it.
 */

import type { Answer } from '../../../http/answer.ts'
import { filterSuspect } from '../../../model/factor.ts'
import type { PasskeyId } from '../../../model/ids.ts'
import { openCeremony } from '../../../owners/ceremony.ts'
import { findPasskeyPlace, makePasskey } from '../../../owners/passkeys.ts'
import { canMail } from '../../../owners/ways-in.ts'
import { hide } from '../../../paper/fields.ts'
import { type Parameters, parameterLimits } from '../../../protocol/parameters.ts'
import { invalidRequest } from '../../../protocol/refusal.ts'
import { page } from '../../../route.ts'
import { traceOf } from '../../../store/trace.ts'
import { isLeading, type Upstream } from '../../../upstreams/index.ts'
import {
  answerDone,
  answerLoginFirst,
  findNotice,
  identify,
  type OwnerVisit,
} from '../../owner-visit.ts'
import type { TakeForm } from '../../pages.ts'
import { describeUpstreams, linkPerson, listWays, requireUpstream } from '../../upstream-trip.ts'
import { answerSeeOther, showPage } from '../../visit.ts'
import { answerAdded, answerUnconfirmed, isConfirmed } from '../confirmed.ts'
import { pickGiven } from '../frame.ts'
import { accountLimits } from '../limits.ts'
import type { AccountNeeds, OpenPage } from '../needs.ts'
import { describeSession } from '../sessions/shown.ts'
import { makeAddition } from './addition.ts'
import { renderSecurity } from './page.ts'
import { renderPasskeys, type SecurityProblem, securityRefused } from './passkeys.ts'
import { type ProofUse, proveUpstream, showProofForm } from './upstream-proof.ts'
import { securityWords } from './words.ts'

const getPasswordChange = ({ login: { owner } }: OwnerVisit): number | null =>
  owner.passwordHash === '' ? null : owner.passwordChangedAt

/** Besides this browser, so many are on the page of security. */
const shownSessions = 1

const show = async (visit: OwnerVisit, needs: AccountNeeds): Promise<Answer> => {
  const given = pickGiven(visit)
  const { owner, session: own } = visit.login
  const { language } = visit.view
  const { store } = needs
  const factors = await store.findFactors(owner.id)
  const links = await store.listUpstreamLinks(owner.id)
  const most = parameterLimits.pageRowsDefault
  const { rows, next } = await store.listSessions(owner.id, null, most, visit.at)
  const others = rows.filter(({ id }) => id !== own.id)
  const html = renderSecurity({
    ...given,
    factors,
    passwordChangedAt: getPasswordChange(visit),
    hasForgot: canMail(needs) && owner.email !== '',
    upstreams: {
      ...given,
      upstreams: describeUpstreams(language, needs),
      links,
      earlier: filterSuspect(links, factors),
      isOpen: isConfirmed(visit),
    },
    sessions: [own, ...others.slice(0, shownSessions)].map((one) => describeSession(one, visit)),
    sessionCount: next === null ? others.length + 1 : null,
    notice: findNotice(visit, securityWords(language).done),
  })
  return showPage(visit, html)
}

const showPasskeys = async (
  visit: OwnerVisit,
  needs: AccountNeeds,
  problem: SecurityProblem | null = null,
): Promise<Answer> => {
  const factors = await needs.store.findFactors(visit.login.owner.id)
  const html = renderPasskeys({
    ...pickGiven(visit),
    factors,
    passwordChangedAt: getPasswordChange(visit),
    addition: makeAddition(visit, factors, needs),
    notice: problem === null ? findNotice(visit, securityWords(visit.view.language).done) : null,
    problem,
  })
  return showPage(visit, html, { ...(problem && securityRefused[problem]) })
}

/** Leaves out invisible characters: two names that look the same are the same. */
const readName = (form: Parameters): string =>
  [...(form.find('name') ?? '').normalize('NFC')]
    .filter((character) => !/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/u.test(character))
    .slice(0, accountLimits.passkeyNameCharacters)
    .join('')
    .trim()

const addPasskey = async (
  visit: OwnerVisit,
  form: Parameters,
  needs: AccountNeeds,
): Promise<SecurityProblem | null> => {
  const { request, at, view } = visit
  const { store } = needs
  const place = findPasskeyPlace(request, needs)
  const opened = await openCeremony('add passkey', form.find('ceremony') ?? '', visit, at, needs)
  if (place.is !== 'here' || opened === null) return 'passkeyProblem'
  const { ceremony } = opened
  const name = readName(form) || securityWords(view.language).passkeyDefault
  const credential = form.find('credential') ?? ''
  const { id } = visit.login.owner
  const passkey = await makePasskey(credential, name, id, ceremony, at, place.party)
  if (passkey === null) return 'passkeyProblem'
  const { passkeysPerOwner: most } = accountLimits
  const trace = traceOf(visit, needs)
  const outcome = await store.addPasskey(passkey, most, ceremony, identify(visit), trace)
  if (outcome === 'added') return null
  if (outcome === 'full') return 'passkeysFull'
  if (outcome === 'refused') return 'passkeyProblem'
  // The owner may have this passkey already, as after a lost answer.
  const { passkeys } = await store.findFactors(id)
  const { publicKey } = passkey
  if (passkeys.some((kept) => kept.id === passkey.id && kept.publicKey === publicKey)) return null
  return outcome === 'taken' ? 'passkeyTaken' : 'passkeyProblem'
}

export const openSecurity: OpenPage = (needs, { forOwner, ownerForm }) => {
  const { store } = needs
  const passkeysPath = '/account/security/passkeys'

  const requirePasskey = async (visit: OwnerVisit, isOn: boolean): Promise<Answer> => {
    const outcome = await store.setPasskeyOnly(isOn, identify(visit), traceOf(visit, needs))
    if (outcome === 'unready') return showPasskeys(visit, needs, 'passkeyOnlyUnready')
    if (outcome === 'refused') return answerLoginFirst(visit, needs)
    return answerDone(visit, passkeysPath, isOn ? 'required' : 'optional')
  }

  /** A ceremony began after a confirmation; every other change needs one. */
  const change: TakeForm = async (visit, form) => {
    const action = form.find('action')
    if (action === 'add_passkey') {
      const problem = await addPasskey(visit, form, needs)
      if (problem !== null) return showPasskeys(visit, needs, problem)
      return answerAdded(visit, 'passkey', needs)
    }
    if (!isConfirmed(visit)) {
      const place = action === 'remove_codes' ? 'security/codes' : 'security/passkeys'
      return answerUnconfirmed(visit, needs, place)
    }
    const by = identify(visit)
    const trace = traceOf(visit, needs)
    switch (action) {
      case 'remove_passkey': {
        const id = form.require('passkey') as PasskeyId
        const outcome = await store.removePasskey(id, listWays(needs), by, trace)
        return answerDone(visit, passkeysPath, outcome === 'last' ? 'passkeyLast' : 'removed')
      }
      case 'remove_codes':
        await store.removeOneTimeCodes(by, trace)
        return answerDone(visit, '/account/security', 'removed')
      case 'passkey_only_on':
      case 'passkey_only_off':
        return requirePasskey(visit, action === 'passkey_only_on')
    }
    throw invalidRequest(
      'bad_action',
      'action has to be add_passkey, remove_passkey, remove_codes, passkey_only_on or passkey_only_off',
    )
  }

  const list = forOwner((visit) => showPasskeys(visit, needs))
  return [
    ...ownerForm('/account/security', (visit) => show(visit, needs), change, { isConfirmed: true }),
    { ...page, method: 'GET', path: passkeysPath, handler: list, isConfirmed: true },
  ]
}

export const openUpstreams: OpenPage = (needs, { forOwner, readForm }) => {
  const useOf = (upstream: Upstream, visit: OwnerVisit): ProofUse => ({
    purpose: 'link',
    action: '/account/upstreams',
    fields: hide('action', 'link'),
    formPath: `/account/upstreams/${upstream.settings.id}`,
    trip: { kind: 'link upstream', states: upstream.settings.id, isFresh: false },
    failed: 'upstreamFailed',
    accept: (person, ceremony) => linkPerson(person, ceremony, upstream, visit, needs),
  })

  /** The form of a directory. */
  const show = forOwner((visit) => {
    const upstream = requireUpstream(visit, needs)
    if (!isConfirmed(visit)) return answerUnconfirmed(visit, needs)
    return isLeading(upstream)
      ? answerSeeOther(visit, '/account/security')
      : showProofForm(useOf(upstream, visit), upstream, visit)
  })

  /** Whoever finds a browser logged in could otherwise open the account from elsewhere. */
  const change = forOwner(async (visit) => {
    const form = await readForm(visit)
    const { browser } = visit
    if (!isConfirmed(visit) || browser === null) return answerUnconfirmed(visit, needs, 'security')
    const [action, id] = [form.require('action'), form.require('upstream')]
    if (needs.upstreams.find(id)?.settings.link === 'operator') {
      return answerDone(visit, '/account/security', 'upstreamByOperator')
    }
    if (action === 'link') {
      const upstream = requireUpstream({ params: { id } }, needs)
      return proveUpstream(useOf(upstream, visit), upstream, form, { ...visit, browser }, needs)
    }
    if (action !== 'unlink') {
      throw invalidRequest('bad_action', 'action has to be link or unlink')
    }
    const trace = traceOf(visit, needs)
    const outcome = await needs.store.unlinkUpstream(id, listWays(needs), identify(visit), trace)
    if (outcome === 'refused') return answerLoginFirst(visit, needs)
    const done = outcome === 'last' ? 'upstreamLast' : 'upstreamUnlinked'
    return answerDone(visit, '/account/security', done)
  })

  return [
    { ...page, method: 'POST', path: '/account/upstreams', handler: change, back: 'security' },
    { ...page, method: 'GET', path: '/account/upstreams/:id', handler: show },
  ]
}
