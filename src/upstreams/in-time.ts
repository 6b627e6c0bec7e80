/** Bounds the time of all questions for one of our answers. */
import { upstreamLimits as limits } from '../config/upstream-limits.ts'
import type { Deadline } from '../http/outbound.ts'
import { type RedirectUpstream, type UpstreamClaims, UpstreamFault } from './upstream.ts'

/** The claims of somebody whose upstream was too slow to tell them. */
const untold: UpstreamClaims = {
  username: '',
  name: '',
  email: '',
  emailVerified: false,
  picture: '',
}

/** Starts the time: what comes too late is not waited for. */
const startTime = (deadline: Deadline) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  deadline(limits.answerMilliseconds, resolve)
  return <Found>(work: Promise<Found>, otherwise: Found): Promise<Found> =>
    Promise.race([work, promise.then(() => otherwise)])
}

const tooSlow = new UpstreamFault('unreachable', 'too_slow in all')

/** The same upstream, bounded. What a person is asked about counts with the login. */
export const inTime = (upstream: RedirectUpstream, deadline: Deadline): RedirectUpstream => ({
  ...upstream,
  begin: (trip, hints) => startTime(deadline)(upstream.begin(trip, hints), tooSlow),
  async finish(answer, trip) {
    const within = startTime(deadline)
    const person = await within(upstream.finish(answer, trip), tooSlow)
    if (person instanceof UpstreamFault) return person
    return { ...person, findClaims: () => within(person.findClaims(), untold) }
  },
})
