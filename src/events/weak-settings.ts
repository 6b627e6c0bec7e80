/** Warns at the start of weak settings, and of options without effect. */
import type { Settings } from '../config/settings.ts'
import { isAlmostAll, isGuessable } from '../config/weak.ts'
import type { Tell } from '../model/notice.ts'
import { warnOfUnnamedProxy } from './untrusted-proxy.ts'

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
