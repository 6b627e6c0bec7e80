/** The upstreams of a service. Each type opens its own. */
import type { Settings } from '../config/settings.ts'
import { upstreamLimits } from '../config/upstream-limits.ts'
import type { UpstreamSettings } from '../config/upstreams.ts'
import { createOutbound, type OutboundOptions } from '../http/outbound.ts'
import { openOidc } from './oidc.ts'
import type { OpenUpstream, UpstreamParts } from './upstream.ts'

const types: {
  readonly [Type in UpstreamSettings['type']]: (
    settings: Extract<UpstreamSettings, { type: Type }>,
    parts: UpstreamParts,
  ) => OpenUpstream
} = { oidc: openOidc }

/** An upstream of the settings, ready for logins. */
export interface Upstream {
  readonly settings: UpstreamSettings
  readonly open: OpenUpstream
}

export interface Upstreams {
  /** In the order of the settings. */
  list(): readonly Upstream[]
  find(id: string): Upstream | null
  /** Ends what is under way. */
  close(): void
}

/** @param options of the guarded fetch: a slow client site never takes the place of a login */
export const openUpstreams = (
  { demo, fetchAllow, upstreams }: Pick<Settings, 'demo' | 'fetchAllow' | 'upstreams'>,
  options: Pick<OutboundOptions, 'resolve' | 'deadline'> = {},
): Upstreams => {
  const rule = { loopback: demo, allowed: fetchAllow, most: upstreamLimits }
  const outbound = createOutbound({ ...rule, ...options })
  const open = upstreams.map((settings) => ({
    settings,
    open: types[settings.type](settings, { outbound }),
  }))
  return {
    list: () => open,
    find: (id) => open.find(({ settings }) => settings.id === id) ?? null,
    close: outbound.close,
  }
}
