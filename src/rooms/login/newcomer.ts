/** A newcomer makes an account. An upstream has logged the person in, and nobody is linked to that yet. */
import { openCeremony } from '../../owners/ceremony.ts'
import { startSession } from '../../owners/session.ts'
import { maySignUp, ownerFromUpstream } from '../../owners/upstream-owner.ts'
import { traceOf } from '../../store/trace.ts'
import { linkFor, requireUpstream } from '../upstream-trip.ts'
import { answerEntered, forLogin } from './entered.ts'
import { showLogin } from './login-page.ts'

/** `POST /login/with/{id}/new` */
export const createFromUpstream = forLogin(async (visit, parts) => {
  const upstream = requireUpstream(visit, parts)
  const { given, stranger, at } = visit
  const text = given.find('ceremony') ?? ''
  const opened = await openCeremony('new upstream owner', text, stranger, at, parts)
  const isOfThis = opened?.states.account.upstream === upstream.settings.id
  if (opened === null || !isOfThis || !maySignUp(upstream, parts)) {
    return showLogin(visit, { problem: 'begin' }, parts)
  }
  const { states, ceremony } = opened
  const { account, methods, isStrong, authTime } = states
  const owner = await ownerFromUpstream(states, upstream.settings.trustEmail, parts)
  const link = linkFor(owner.id, account, states, at)
  const trace = traceOf(visit, parts)
  const outcome = await parts.store.createLinkedOwner(owner, link, ceremony, trace)
  if (outcome === 'address_taken') return showLogin(visit, { problem: 'addressTaken' }, parts)
  if (outcome !== 'created') return showLogin(visit, { problem: 'finished' }, parts)
  const first = { id: `${ceremony.id}.login`, expiresAt: ceremony.expiresAt }
  const entry = {
    login: { upstream: account, ceremony: first, isStrong },
    methods,
    authTime,
    isNewAccount: true,
  }
  const started = await startSession(owner, entry, visit, parts)
  return started.outcome === 'accepted'
    ? answerEntered(visit, started.cookies, parts)
    : showLogin(visit, { problem: 'begin' }, parts)
})
