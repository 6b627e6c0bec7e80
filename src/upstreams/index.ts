/** The upstreams of a service. Each type opens its own. */
import type { Settings } from '../config/settings.ts'
import type { UpstreamSettings } from '../config/upstreams.ts'
import { createOutbound, type Deadline, type Outbound, setDeadline } from '../http/outbound.ts'
import type { Resolve } from '../http/reach.ts'
import { openLdap } from './ldap.ts'
import { upstreamLimits } from './limits.ts'
import { openOauth2 } from './oauth2.ts'
import { openOidc } from './oidc.ts'
import {
  mapClaims,
  type PasswordUpstream,
  type RedirectUpstream,
  UpstreamFault,
} from './upstream.ts'

interface Opened<Open> {
  readonly settings: UpstreamSettings
  readonly open: Open
}

/** An upstream with a login page of its own. */
export type LeadingUpstream = Opened<RedirectUpstream>

/** An upstream that our own form asks. */
export type AskedUpstream = Opened<PasswordUpstream>

export type Upstream = LeadingUpstream | AskedUpstream

export const isLeading = (upstream: Upstream): upstream is LeadingUpstream =>
  upstream.open.by === 'redirect'

/** Starts the time: what comes too late is not waited for. */
const startTime = (deadline: Deadline) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  deadline(upstreamLimits.answerMilliseconds, resolve)
  return <Found>(work: Promise<Found>, otherwise: Found): Promise<Found> =>
    Promise.race([work, promise.then(() => otherwise)])
}

const tooSlow = new UpstreamFault('unreachable', 'too_slow in all')

/** The same upstream, with a bound on the time of all questions for one of our answers. What a person is asked about counts with the login. */
const limitTime = (upstream: RedirectUpstream, deadline: Deadline): RedirectUpstream => ({
  ...upstream,
  begin: (trip, hints) => startTime(deadline)(upstream.begin(trip, hints), tooSlow),
  async finish(answer, trip) {
    const within = startTime(deadline)
    const person = await within(upstream.finish(answer, trip), tooSlow)
    if (person instanceof UpstreamFault) return person
    // An upstream that is too slow tells no claims.
    return { ...person, findClaims: () => within(person.findClaims(), mapClaims({})) }
  },
})

const openUpstream = (
  settings: UpstreamSettings,
  outbound: Outbound,
  deadline: Deadline,
): Upstream => {
  switch (settings.type) {
    case 'oidc':
      return { settings, open: limitTime(openOidc(settings, outbound), deadline) }
    case 'oauth2':
      return { settings, open: limitTime(openOauth2(settings, outbound), deadline) }
    case 'ldap':
      return { settings, open: openLdap(settings, deadline) }
  }
}

/** A guarded fetch of its own: a slow client site never takes the place of a login. */
export const openUpstreams = (
  { demo, fetchAllow, upstreams }: Pick<Settings, 'demo' | 'fetchAllow' | 'upstreams'>,
  {
    resolve,
    deadline = setDeadline,
  }: { readonly resolve?: Resolve | undefined; readonly deadline?: Deadline | undefined } = {},
) => {
  const rule = { loopback: demo, allowed: fetchAllow, most: upstreamLimits }
  const outbound = createOutbound({ ...rule, ...(resolve === undefined ? {} : { resolve }) })
  const open = upstreams.map((settings) => openUpstream(settings, outbound, deadline))
  return {
    /** In the order of the settings. */
    list: (): readonly Upstream[] => open,
    find: (id: string) => open.find(({ settings }) => settings.id === id) ?? null,
    /** Ends what is under way. */
    close(): void {
      outbound.close()
      for (const one of open) if (!isLeading(one)) one.open.close()
    },
  }
}

export type Upstreams = ReturnType<typeof openUpstreams>
