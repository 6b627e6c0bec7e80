/** One try to log in by a directory: counted like a password, with counters of its own. */
import { makeSecret } from '../crypto/digest.ts'
import type { Answer } from '../http/answer.ts'
import type { Random } from '../model/ids.ts'
import { type Guesser, makeLookCounters, makeNameCounters } from '../owners/counters.ts'
import { openKnownBrowsers } from '../owners/known-browser.ts'
import { ownerLimits } from '../owners/limits.ts'
import { tellFailed } from '../owners/password-login.ts'
import { makeTry } from '../owners/tries.ts'
import { type DirectoryPage, renderDirectoryForm } from '../paper/directory.ts'
import { loginRefused } from '../paper/login.ts'
import type { Parameters } from '../protocol/parameters.ts'
import type { ServiceParts } from '../registries.ts'
import type { Ceremony } from '../store/contract/factor.ts'
import type { BegunWait } from '../store/contract/owner.ts'
import { traceOf } from '../store/trace.ts'
import type { AskedUpstream } from '../upstreams/index.ts'
import { UpstreamFault, type UpstreamPerson } from '../upstreams/upstream.ts'
import { tryOrWait } from './throttled.ts'
import { describeUpstream, tellUpstreamFault, upstreamProblems } from './upstream-trip.ts'
import { showPage, type Visit } from './visit.ts'

/** What a directory is asked for: a login, a link, or a confirmation. */
export interface DirectoryUse
  extends Pick<DirectoryPage, 'purpose' | 'action' | 'fields' | 'username' | 'back'> {
  readonly upstream: AskedUpstream
  readonly accept: (person: UpstreamPerson, ceremony: Ceremony) => Promise<Answer>
}

type DirectoryShown = Partial<Pick<DirectoryPage, 'username' | 'problem' | 'waitSeconds'>>

export const showDirectoryForm = (
  use: DirectoryUse,
  visit: Visit,
  said: DirectoryShown = {},
): Answer => {
  const { view, csrf } = visit
  const { problem = null, waitSeconds = null } = said
  const upstream = describeUpstream(use.upstream, view.language)
  const page = renderDirectoryForm({ ...use, ...said, view, csrf, upstream, problem, waitSeconds })
  const refused = problem && directoryRefused[problem]
  return showPage(visit, page, { ...refused, waitSeconds })
}

type Typed = NonNullable<ReturnType<typeof getTyped>>

/** Null for a form without these fields, such as that of a button. An empty field counts as absent. */
export const getTyped = (form: Parameters) => {
  const [username, password] = [form.find('username'), form.find('password')]
  if (username === null && password === null) return null
  return { username: username ?? '', password: password ?? '' }
}

const directoryRefused = {
  ...loginRefused,
  wrong: { reason: 'wrong_directory_password', status: 403 },
} as const

type TryNeeds = Pick<
  ServiceParts,
  'settings' | 'keyring' | 'store' | 'tries' | 'clock' | 'random' | 'tell'
>

/** Of a try that was right: each counts for itself. */
const makeTryCeremony = (at: number, { random }: { readonly random: Random }): Ceremony => ({
  id: makeSecret('', random),
  expiresAt: at + ownerLimits.ceremonySeconds,
})

/**
 * Null for a wrong name or password alike. A directory that is down counts nothing.
 *
 * @throws Refusal `too_many_requests` with `Retry-After`
 */
const tryDirectory = async (
  { username, password }: Typed,
  { open, settings: { id } }: AskedUpstream,
  visit: Visit,
  needs: TryNeeds,
): Promise<UpstreamPerson | UpstreamFault | null> => {
  const { store, settings } = needs
  const trace = traceOf(visit, needs)
  const known = await openKnownBrowsers(needs).ownersOf(visit)
  const looks = makeLookCounters(known, id)

  /**
   * A browser counts apart only for the account that its owner has linked. So the directory tells the
   * account of the name first. Strangers are counted before anything is asked, and so is who has
   * looked for too many names.
   */
  const findGuesser = async (): Promise<Guesser> => {
    const stranger: Guesser = { is: 'stranger', address: visit.address }
    if (known.length === 0) return stranger
    const looked = await store.admitAttempt(looks, traceOf(visit, needs))
    if (looked.outcome === 'wait') return stranger
    const account = await open.find(username)
    if (account === null || account instanceof UpstreamFault) return stranger
    for (const guesser of known) {
      const links = await store.listUpstreamLinks(guesser.ownerId)
      const isTheirs = links.some(
        ({ upstream, issuer, subject }) =>
          upstream === id && issuer === account.issuer && subject === account.subject,
      )
      if (isTheirs) return guesser
    }
    return stranger
  }

  const guesser = await findGuesser()
  const { counted, cleared, givenBack } = makeNameCounters(guesser, id, username, settings.limits)
  const checked = async (
    begun: readonly BegunWait[],
  ): Promise<UpstreamPerson | UpstreamFault | null> => {
    const person = await open.check(username, password)
    if (person === null) {
      await tellFailed(null, { address: visit.address, upstream: id }, begun, trace, needs)
    } else if (person instanceof UpstreamFault) {
      await store.clearAttempts([], [...counted, ...looks], trace)
    } else {
      await store.clearAttempts([...cleared, ...looks], givenBack, trace)
    }
    return person
  }
  return makeTry(counted, checked, trace, needs)
}

/** Tries a typed name and password. A wrong one is asked for again. */
export const answerTyped = (
  typed: Typed,
  use: DirectoryUse,
  visit: Visit,
  needs: TryNeeds,
): Promise<Answer> => {
  const again = (said: DirectoryShown): Answer =>
    showDirectoryForm(use, visit, { username: typed.username, ...said })
  const attempt = async (): Promise<Answer> => {
    const person = await tryDirectory(typed, use.upstream, visit, needs)
    if (person === null) return again({ problem: 'wrong' })
    if (person instanceof UpstreamFault) {
      tellUpstreamFault(person, use.upstream, visit, needs)
      return again({ problem: upstreamProblems[person.kind] })
    }
    return use.accept(person, makeTryCeremony(visit.at, needs))
  }
  return tryOrWait(attempt, (waitSeconds) => again({ problem: 'throttled', waitSeconds }))
}
