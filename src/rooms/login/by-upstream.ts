/** After an upstream has logged somebody in, or not: the session, the second step, or the page for newcomers. */

import type { Answer } from '../../http/answer.ts'
import { needsSecondFactor, type UpstreamAccount } from '../../model/factor.ts'
import type { OwnerId } from '../../model/ids.ts'
import type { Owner } from '../../model/owner.ts'
import { beginCeremony, type NewUpstreamOwner, type UpstreamLogin } from '../../owners/ceremony.ts'
import { parseOwner } from '../../owners/registration.ts'
import { openSecondFactor } from '../../owners/second-factor.ts'
import { canConfirmAlone } from '../../owners/ways-in.ts'
import { hide, renderWaitingFields } from '../../paper/fields.ts'
import { html } from '../../paper/markup.ts'
import { renderNewcomer } from '../../paper/upstreams.ts'
import { pageUrl } from '../../paper/view.ts'
import type { Ceremony } from '../../store/contract/factor.ts'
import { traceOf } from '../../store/trace.ts'
import type { AskedUpstream, Upstream } from '../../upstreams/index.ts'
import { type MappedRights, noRights } from '../../upstreams/mapped.ts'
import { mapClaims, type UpstreamClaims, type UpstreamPerson } from '../../upstreams/upstream.ts'
import { answerTyped, type DirectoryUse, getTyped, showDirectoryForm } from '../directory-try.ts'
import { describeUpstream, linkFor } from '../upstream-trip.ts'
import { answerSeeOther, showPage } from '../visit.ts'
import { type Entrance, type LoginNeeds, type LoginVisit, readHintedName } from './entrance.ts'
import { applyRights, shortenRights } from './rights.ts'

/** A longer one is not carried to the second step. */
const carriedPictureCharacters = 400

/** Whether the people of this upstream may make accounts. */
export const maySignUp = (
  upstream: Upstream,
  { settings }: Pick<LoginNeeds, 'settings'>,
): boolean =>
  upstream.settings.link !== 'operator' && (settings.signUp === 'open' || upstream.settings.signUp)

/**
 * The username ends with random digits, unless the operator keeps those of the upstream. So nobody learns by a name
 * there whether somebody has that name here.
 */
const makeUsername = (suggested: string, { random }: Pick<LoginNeeds, 'random'>): string => {
  const [a = 0, b = 0, c = 0] = random(3)
  const digits = String(((a << 16) | (b << 8) | c) % 1_000_000).padStart(6, '0')
  return `${suggested || 'user'}-${digits}`
}

/**
 * An address that nobody proved is left out. Otherwise somebody could make an account with the
 * address of another person, whom a link for a new password would then lead into it.
 *
 * @param settings whether the operator trusts what this upstream says of addresses, and keeps its usernames
 */
export const makeUpstreamOwner = (
  { username, isWhole = false, name, email, emailVerified, picture }: NewUpstreamOwner,
  settings: Pick<Upstream['settings'], 'trustEmail' | 'username'>,
  needs: LoginNeeds,
): Promise<Owner> => {
  // An application may show it to others.
  const told = picture.startsWith('https:') ? { picture } : {}
  const isProven = settings.trustEmail && emailVerified
  const proven = isProven ? { email, email_verified: true } : { email: '' }
  const isKept = settings.username === 'keep' && isWhole
  const named = isKept ? username : makeUsername(username, needs)
  const person = { username: named, name, ...proven }
  return parseOwner({ ...person, claims: told, password: null }, needs)
}

/** In the place of the owner whom the store finds. */
const nobody = '' as OwnerId

/**
 * The page for somebody whom an upstream knows and nobody here. Whoever has an account links it, and anybody else
 * makes a new one. An email address opens an account only where the operator said so.
 */
const meetNewcomer = (
  person: NewUpstreamOwner,
  upstream: Upstream,
  visit: LoginVisit,
  needs: LoginNeeds,
): Answer => {
  const { view, csrf, journey, next, stranger, at } = visit
  const { text } = beginCeremony('new upstream owner', person, stranger, at, needs)
  const fields = html`${renderWaitingFields(journey, next)}${hide('ceremony', text)}`
  const newcomer = renderNewcomer({
    view,
    csrf,
    upstream: describeUpstream(upstream, view.language),
    label: person.email || person.username,
    form: maySignUp(upstream, needs) ? fields : null,
    back: pageUrl(view, '/login', { journey, next }),
  })
  return showPage(visit, newcomer)
}

/** An address that both sides have proven leads to its owner, if the operator said so. */
const findByAddress = async (
  { account }: UpstreamPerson,
  claims: UpstreamClaims,
  { settings }: Upstream,
  visit: LoginVisit,
  needs: LoginNeeds,
): Promise<Owner | null> => {
  const { email, emailVerified } = claims
  const isProven = settings.link === 'verified_email' && settings.trustEmail && emailVerified
  if (!isProven || email === '') return null
  const link = linkFor(nobody, account, claims, visit.at)
  return needs.store.linkByAddress(link, email, traceOf(visit, needs))
}

const shorten = (
  mapped: MappedRights,
  step: 'newcomer' | 'second',
  { upstream }: UpstreamAccount,
  { requestId }: LoginVisit,
  { tell }: LoginNeeds,
): MappedRights => {
  const short = shortenRights(mapped, step)
  const left = mapped.groups.length - short.groups.length
  const message = 'groups of an upstream are left out: they are too long for this login'
  if (left > 0) tell({ level: 'warn', message, upstream, groups: left, requestId })
  return short
}

type AdmitPerson = ReturnType<typeof openAdmission>

export const openAdmission = (
  needs: LoginNeeds,
  { answerEntered, showLogin, startSession }: Entrance,
) => {
  const { begin } = openSecondFactor(needs, startSession)
  const { store, faces } = needs

  const enter = async (
    owner: Owner,
    login: UpstreamLogin,
    { isFresh, picture }: Pick<UpstreamPerson, 'isFresh' | 'picture'>,
    ceremony: Ceremony,
    visit: LoginVisit,
  ): Promise<Answer> => {
    const { stranger, at, journey, next } = visit
    const { account, methods, isStrong, authTime, mapped = noRights } = login
    if (!isStrong && needsSecondFactor(await store.findFactors(owner.id))) {
      const short = picture.length <= carriedPictureCharacters ? { picture } : {}
      const carried = {
        ...login,
        ...short,
        mapped: shorten(mapped, 'second', account, visit, needs),
      }
      const second = begin(owner, stranger, at, carried)
      return answerSeeOther(visit, '/login/second', { ceremony: second, journey, next })
    }
    const isConfirmed = isFresh || authTime !== null || !(await canConfirmAlone(owner, needs))
    const entry = {
      login: { upstream: account, ceremony, isStrong },
      methods,
      authTime,
      isConfirmed,
    }
    const started = await startSession(owner, entry, visit)
    if (started.outcome === 'accepted') {
      const { session, cookies } = started
      const isSet = await applyRights(owner, mapped, account.upstream, session, visit, needs)
      if (!isSet) return showLogin(visit, { problem: 'begin' })
      faces.want(owner, account, picture)
      return answerEntered(visit, cookies)
    }
    return showLogin(visit, { problem: started.outcome === 'finished' ? 'finished' : 'begin' })
  }

  /** @param ceremony of this login: it counts once */
  return async (
    person: UpstreamPerson,
    ceremony: Ceremony,
    upstream: Upstream,
    visit: LoginVisit,
  ): Promise<Answer> => {
    const { account, methods, isStrong, authTime, mapped, findClaims } = person
    const login = { account, methods, isStrong, authTime, mapped }
    const known = await store.findUpstreamOwner(account)
    const claims = known === null ? await findClaims() : null
    const owner = known ?? (claims && (await findByAddress(person, claims, upstream, visit, needs)))
    if (owner === null) {
      const waiting = { mapped: shorten(mapped, 'newcomer', account, visit, needs) }
      const newcomer = { ...login, ...(claims ?? mapClaims({})), ...waiting }
      return meetNewcomer(newcomer, upstream, visit, needs)
    }
    return enter(owner, login, person, ceremony, visit)
  }
}

/** The button of the login page leads to the form, and the form to a login. */
export const openDirectoryLogin = (needs: LoginNeeds, admitPerson: AdmitPerson) => {
  const useOf = (upstream: AskedUpstream, visit: LoginVisit): DirectoryUse => {
    const { view, journey, next, resumed } = visit
    return {
      purpose: 'logIn',
      upstream,
      action: `/login/with/${upstream.settings.id}`,
      fields: renderWaitingFields(journey, next),
      username: readHintedName(resumed),
      back: pageUrl(view, '/login', { journey, next, switch: '1' }),
      accept: (person, ceremony) => admitPerson(person, ceremony, upstream, visit),
    }
  }
  return {
    show: (upstream: AskedUpstream, visit: LoginVisit): Answer =>
      showDirectoryForm(useOf(upstream, visit), visit),
    take(upstream: AskedUpstream, visit: LoginVisit): Promise<Answer> | Answer {
      const { given, journey, next } = visit
      const typed = getTyped(given)
      const use = useOf(upstream, visit)
      return typed === null
        ? answerSeeOther(visit, use.action, { journey, next })
        : answerTyped(typed, use, visit, needs)
    },
  }
}
