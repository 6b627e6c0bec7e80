/** The settings of sign-up, and of the mail by which links are sent. */
import type { SettingRows } from './setting.ts'
import { oneOf, type Parse, textLike } from './values.ts'

const isSmtp = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false
  const hasBoth = (url.username === '') === (url.password === '')
  return hasBoth && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
}

const smtpUrl: Parse<string> = (given) => {
  if (typeof given === 'string' && isSmtp(given)) return { value: given }
  return { expected: 'smtps://USER:PASSWORD@HOST:PORT or smtp://USER:PASSWORD@HOST:PORT' }
}

/** Without the signs that NFKC makes an `@`: mail programs may read a second one. */
const part = String.raw`[^\s@\uff20\ufe6b<>()[\]\\,;:"\p{C}]`

/** One address, without a name or a comment: nothing that a mail program could read as two. */
export const plainAddress = new RegExp(`^${part}{1,64}@${part}{1,190}$`, 'u')

export const peopleSettings: SettingRows<{
  signUp: 'off' | 'invited' | 'open'
  smtp: string | null
  mailFrom: string | null
}> = {
  signUp: {
    environment: 'LATCHKEY_SIGN_UP',
    flag: '--sign-up <mode>',
    parse: oneOf(['off', 'invited', 'open']),
    fallbackText: 'open in the demo, else off',
    meaning:
      'Who may make an account: off (the operator alone), invited (people with an invitation) or open (everybody with an email address). Without LATCHKEY_SMTP, open is as invited.',
    when: 'People should make their own accounts.',
    secret: false,
  },
  smtp: {
    environment: 'LATCHKEY_SMTP',
    flag: null,
    parse: smtpUrl,
    fallback: null,
    fallbackText: 'no mail is sent',
    meaning:
      'The server for mails: smtps:// with TLS, or smtp:// with STARTTLS. STARTTLS is required unless the host is loopback.',
    when: 'Always where people have accounts: a forgotten password needs a mail.',
    secret: true,
  },
  mailFrom: {
    environment: 'LATCHKEY_MAIL_FROM',
    flag: '--mail-from <address>',
    parse: textLike(plainAddress, 'an email address such as login@example.com'),
    fallback: null,
    fallbackText: 'none; required with LATCHKEY_SMTP',
    meaning: 'The address that mails come from. Their sender has the name of the operator.',
    when: 'Whenever LATCHKEY_SMTP is set.',
    secret: false,
  },
}
