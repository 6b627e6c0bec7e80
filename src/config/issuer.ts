/** The issuer: the URL under which everybody knows the service (RFC 8414 section 2). */
import { isIP } from 'node:net'
import type { Parsed } from './values.ts'

/** Whether a host, as a URL spells it, or an address is this very machine. */
export const isLoopback = (host: string): boolean =>
  ['localhost', '[::1]', '::1'].includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host)

/** Whether a URL has TLS, or is of this machine. */
export const isSafe = (url: URL | null): url is URL =>
  url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))

/** Whether an issuer is reached on this machine only and without TLS, as a demo is. */
export const isLoopbackHttp = (issuer: string): boolean => {
  const url = new URL(issuer)
  return url.protocol === 'http:' && isLoopback(url.hostname)
}

/** The default issuer: the address that the service listens on. */
export const makeIssuer = (host: string, port: number): string =>
  new URL(`http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`).origin

/**
 * Takes an issuer in its one canonical spelling only, since clients compare it character by
 * character (RFC 8414 section 3.3). Plain http is for this machine alone.
 */
export const parseIssuer = (given: unknown): Parsed<string> => {
  const form = 'a URL such as https://auth.example.com'
  if (typeof given !== 'string' || !URL.canParse(given)) return { expected: form }
  const url = new URL(given)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { expected: form }
  if (url.username !== '' || url.password !== '') return { expected: `${form}, without a user` }
  if (/[?#]/.test(given)) return { expected: `${form}, without query or fragment` }
  if (given.endsWith('/')) return { expected: `${form}, without a slash at the end` }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return { expected: 'an https URL, since its host is not a loopback address' }
  }
  // Port 0 stands for a port not yet known, see `getIssuer`.
  if (url.port === '0') return { expected: `${form}, with the port that clients use` }
  const canonical = url.href.replace(/\/$/, '')
  return canonical === given ? { value: given } : { expected: `written as ${canonical}` }
}

/** The same for the URL at which clients show certificates. Only TLS carries one. */
export const parseMtlsUrl = (given: unknown): Parsed<string> => {
  const parsed = parseIssuer(given)
  if ('value' in parsed && !parsed.value.startsWith('https:')) return { expected: 'an https URL' }
  return parsed
}
