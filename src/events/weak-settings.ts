/** Warns at the start of weak settings, and of options without effect. */
import { isIP } from 'node:net'
import type { Settings } from '../config/settings.ts'
import type { Tell } from '../model/notice.ts'
import { warnOfUnnamedProxy } from './untrusted-proxy.ts'

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

export const warnOfWeakSettings = (
  settings: Pick<Settings, 'issuer' | 'trustedProxies' | 'fetchAllow' | 'secret' | 'gone'>,
  tell: Tell,
): void => {
  warnOfUnnamedProxy(settings, tell)
  const { trustedProxies, fetchAllow, secret } = settings
  const warn = (message: string): void => tell({ level: 'warn', message })
  for (const said of settings.gone) warn(`${said}; the option has no effect`)
  if (trustedProxies.some(isAlmostAll)) {
    warn(
      'LATCHKEY_TRUSTED_PROXIES trusts almost every address, so everybody chooses the address that limits count',
    )
  }
  if (fetchAllow.some(isAlmostAll)) {
    warn('LATCHKEY_FETCH_ALLOW has almost every address, so a wrong URL reaches any machine')
  }
  if (secret !== null && isGuessable(secret)) {
    warn(
      'LATCHKEY_SECRET has few different characters, so it may be guessed: openssl rand -base64 32 makes a good one',
    )
  }
}
