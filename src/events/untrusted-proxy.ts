/** Warns of a proxy that is not trusted, or not understood: behind it, everybody counts as one address. */
import type { BlockList } from 'node:net'
import type { Settings } from '../config/settings.ts'
import { forwardingHeaders, isTrusted, networkOf, plainAddress } from '../http/address.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Tell } from '../model/notice.ts'

/** Of a hop in `X-Forwarded-For` that is no address, the log shows the shape of so much. */
const unreadableHopCharacters = 40

const consequence =
  'behind a proxy that LATCHKEY_TRUSTED_PROXIES does not name, everybody counts as one address'

/** TLS ends before this service, which speaks plain HTTP. */
export const warnOfUnnamedProxy = (
  { issuer, trustedProxies }: Pick<Settings, 'issuer' | 'trustedProxies'>,
  tell: Tell,
): void => {
  if (!issuer.startsWith('https:') || trustedProxies.length > 0) return
  const message = `the issuer is https, but LATCHKEY_TRUSTED_PROXIES is empty: ${consequence}`
  tell({ level: 'warn', message })
}

/** Looks at each request, and warns of the first that a proxy seems to have sent. */
export const watchForProxy = (
  proxies: BlockList,
  tell: Tell,
): ((request: HttpRequest, peer: string) => void) => {
  let hasWarned = false
  return (request, peer) => {
    if (hasWarned) return
    const header = forwardingHeaders.find((name) => request.headers.get(name) !== null)
    if (header === undefined || isTrusted(proxies, plainAddress(peer))) return
    hasWarned = true
    const message = `a forwarded header of an untrusted peer was ignored: ${consequence}`
    tell({ level: 'warn', message, header, network: networkOf(plainAddress(peer)) })
  }
}

/**
 * The shape of a text that must not be logged. `a` stands for a letter, `9` for a digit, `?` for
 * anything else but the marks of an address. It has no blank and no control character.
 */
const shapeOf = (text: string): string =>
  text
    .slice(0, unreadableHopCharacters)
    .replace(/[^A-Za-z0-9.:[\]_-]/g, '?')
    .replace(/[A-Za-z]/g, 'a')
    .replace(/[0-9]/g, '9')

/** Warns once of a trusted proxy whose `X-Forwarded-For` names no address. */
export const warnOfUnreadableHop = (tell: Tell): ((hop: string, proxy: string) => void) => {
  let hasWarned = false
  return (hop, proxy) => {
    if (hasWarned) return
    hasWarned = true
    const message =
      'a proxy that LATCHKEY_TRUSTED_PROXIES names sent an X-Forwarded-For without a readable address: everybody behind it counts as one address'
    tell({ level: 'warn', message, shape: shapeOf(hop), network: networkOf(proxy) })
  }
}
