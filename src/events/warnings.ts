/** Warns of weak settings, of options without effect, and of a proxy that is not trusted or not understood. */
import { type BlockList, isIP } from 'node:net'
import type { Settings } from '../config/settings.ts'
import { forwardingHeaders, getNetwork, isTrusted, unwrapAddress } from '../http/address.ts'
import type { HttpRequest } from '../http/request.ts'
import type { Tell } from '../model/notice.ts'

/** Different characters of a root secret that nobody made up. */
const secretCharacters = 12

/** How many bits of an address a range leaves open. @param range checked by the settings */
export const freeBits = (range: string): number => {
  const [address = '', prefix] = range.split('/')
  const bits = isIP(address) === 6 ? 128 : 32
  return bits - Number(prefix ?? bits)
}

/** Whether a range is wider than any private one: 10.0.0.0/8 and fc00::/7 are the widest. */
export const isAlmostAll = (range: string): boolean =>
  freeBits(range) > (range.includes(':') ? 121 : 24)

/** Whether a secret has few different characters. */
export const isGuessable = (secret: string): boolean => new Set(secret).size < secretCharacters

/** Of a hop in `X-Forwarded-For` that is no address, the log shows the shape of so much. */
const unreadableHopCharacters = 40

const consequence =
  'behind a proxy that LATCHKEY_TRUSTED_PROXIES does not name, everybody counts as one address'

/** Warns of what the service refuses for now (decision 0117). @param until unix seconds; 0: nothing */
export const warnOfUnsure = (until: number, tell: Tell): void => {
  if (until === 0) return
  const time = new Date((until + 1) * 1000).toISOString()
  const message = `assertions and proofs that were made before ${time} are refused: after a crash or a restore, nobody knows whether they were used`
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
    if (header === undefined || isTrusted(proxies, unwrapAddress(peer))) return
    hasWarned = true
    const message = `a forwarded header of an untrusted peer was ignored: ${consequence}`
    tell({ level: 'warn', message, header, network: getNetwork(unwrapAddress(peer)) })
  }
}

/**
 * The shape of a text that must not be logged. `a` stands for a letter, `9` for a digit, `?` for
 * anything else but the marks of an address. The shape has no blank and no control character.
 */
const redactText = (text: string): string =>
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
    tell({ level: 'warn', message, shape: redactText(hop), network: getNetwork(proxy) })
  }
}

export const warnOfWeakSettings = (
  settings: Pick<Settings, 'issuer' | 'trustedProxies' | 'fetchAllow' | 'secret' | 'gone'>,
  tell: Tell,
): void => {
  const { issuer, trustedProxies, fetchAllow, secret, gone } = settings
  // TLS ends before this service, which speaks plain HTTP.
  const isUnnamed = issuer.startsWith('https:') && trustedProxies.length === 0
  const messages = [
    isUnnamed && `the issuer is https, but LATCHKEY_TRUSTED_PROXIES is empty: ${consequence}`,
    ...gone.map((said) => `${said}; the option has no effect`),
    trustedProxies.some(isAlmostAll) &&
      'LATCHKEY_TRUSTED_PROXIES trusts almost every address, so everybody chooses the address that limits count',
    fetchAllow.some(isAlmostAll) &&
      'LATCHKEY_FETCH_ALLOW has almost every address, so a wrong URL reaches any machine',
    secret !== null &&
      isGuessable(secret) &&
      'LATCHKEY_SECRET has few different characters, so it may be guessed: openssl rand -base64 32 makes a good one',
  ]
  for (const message of messages) if (message !== false) tell({ level: 'warn', message })
}
