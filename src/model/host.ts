/** Host names of URLs. */

/** A host without the brackets that a URL puts around an IPv6 address (RFC 3986 section 3.2.2). */
export const bareHost = (host: string): string => host.replace(/^\[(.*)\]$/, '$1')
