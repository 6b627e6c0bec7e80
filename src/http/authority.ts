/** The authority of a URL: host and port (RFC 3986 section 3.2). */
import { httpLimits } from './limits.ts'

/** A host name or address, with or without a port. */
const authority = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/

/** Hosts that were found to be right, since most requests name the same few. */
const rightHosts = new Set<string>()

/** Whether a text is one. */
export const isAuthority = (host: string): boolean => {
  if (rightHosts.has(host)) return true
  // The URL parser is stricter than the pattern about ports and addresses, and laxer about the rest.
  if (!authority.test(host) || !URL.canParse(`http://${host}/`)) return false
  if (rightHosts.size >= httpLimits.hostsRemembered) rightHosts.clear()
  rightHosts.add(host)
  return true
}
