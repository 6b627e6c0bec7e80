/** The host names under which the service answers (RFC 9110 section 7.4). */
import { isLoopback } from '../config/issuer.ts'
import type { Settings } from '../config/settings.ts'
import { authorityOf, type HttpRequest, hostNameIn } from '../http/request.ts'

/**
 * Whether a request names this service. A name of somebody else may lead here by DNS rebinding:
 * then a page of theirs would be of one origin with ours. Nobody can rebind a loopback name.
 */
export const knownHosts = ({
  issuer,
  hosts,
}: Pick<Settings, 'issuer' | 'hosts'>): ((request: Pick<HttpRequest, 'url'>) => boolean) => {
  const own = new URL(issuer).hostname
  const known = new Set([own, ...hosts])
  /** The latest that was known: nearly all requests name the same. */
  let latest: string | null = null
  return (request) => {
    const authority = authorityOf(request)
    if (authority === latest) return true
    const name = hostNameIn(authority)
    const isKnown = known.has(name) || (isLoopback(own) && isLoopback(name))
    if (isKnown) latest = authority
    return isKnown
  }
}
