/** The settings of accounts, of the mail by which links are sent, and of client registration (RFC 7591). */
import { parseOneOf, parseTextLike, parseWholeNumber, type SettingRows } from './values.ts'

const isSmtp = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false
  const hasBoth = (url.username === '') === (url.password === '')
  return hasBoth && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
}

/** Without the signs that NFKC makes an `@`: mail programs may read a second one. */
const part = String.raw`[^\s@\uff20\ufe6b<>()[\]\\,;:"\p{C}]`

/** One address, without a name or a comment: nothing that a mail program could read as two. */
export const plainAddress = new RegExp(`^${part}{1,64}@${part}{1,190}$`, 'u')

/** A contact of `security.txt`: `mailto:` with one address, or `https:` (RFC 9116 section 2.5.3). */
const isContact = (text: string): boolean => {
  if (text.length > 300 || !/^[\x21-\x7e]+$/.test(text)) return false
  const [, address] = /^mailto:([^?]+)$/.exec(text) ?? []
  if (address !== undefined) return plainAddress.test(address)
  const url = URL.parse(text)
  return url?.protocol === 'https:' && url.username === '' && url.password === ''
}

export const peopleSettings = {
  securityContact: {
    takes: '<url>',
    parse: parseTextLike(
      { test: isContact },
      'mailto:ADDRESS or https://..., such as mailto:security@example.com',
    ),
    fallback: null,
    fallbackText: 'none',
    meaning:
      'Where to report a weakness of your service. Set, it is published at /.well-known/security.txt (RFC 9116).',
    when: 'Finders of a weakness should reach you.',
  },
  registration: {
    takes: '<mode>',
    parse: parseOneOf(['token', 'open', 'off']),
    fallbackText: 'open in the demo, else token',
    meaning:
      'Who may register a client at /register: token (holders of the initial access token), open (anybody) or off. With off, client ID metadata documents are refused, too.',
    when: 'Strangers should register clients (open), or nobody should (off).',
  },
  registrationsPerNetwork: {
    takes: '<number>',
    parse: parseWholeNumber(1, 1_000_000),
    fallback: 60,
    meaning:
      'How many clients one network (IPv4 /24, IPv6 /64) may register in an hour, if registration is open. A /56 may register twice as many, a /48 four times. Not applied in the demo.',
    when: 'Registration is open, and many developers share one network, or too many strangers register.',
  },
  registrationsInTotal: {
    takes: '<number>',
    parse: parseWholeNumber(1, 100_000_000),
    fallback: 100_000,
    meaning: 'How many clients may exist that registered themselves without a token.',
    when: 'Registration is open, and the database has room for more, or for fewer.',
  },
  registrationToken: {
    parse: parseTextLike(
      /^[A-Za-z0-9._~+/-]{16,512}=*$/,
      'at least 16 letters, digits or any of ._~+/-, as a bearer token is written',
    ),
    fallback: null,
    fallbackText: 'nobody may',
    meaning: 'The initial access token. Its holders may register clients, without a quota.',
    when: 'A program of yours registers clients.',
    secret: true,
  },
  signUp: {
    takes: '<mode>',
    parse: parseOneOf(['off', 'invited', 'open']),
    fallbackText: 'open in the demo, else off',
    meaning:
      'Who may make an account: off (the operator alone), invited (people with an invitation) or open (everybody with an email address). Without LATCHKEY_SMTP, open is as invited.',
    when: 'People should make their own accounts.',
  },
  smtp: {
    parse: parseTextLike(
      { test: isSmtp },
      'smtps://USER:PASSWORD@HOST:PORT or smtp://USER:PASSWORD@HOST:PORT',
    ),
    fallback: null,
    fallbackText: 'no mail is sent',
    meaning:
      'The server for mails: smtps:// with TLS, or smtp:// with STARTTLS. STARTTLS is required unless the host is loopback.',
    when: 'Always where people have accounts: a forgotten password needs a mail.',
    secret: true,
  },
  /** Set wherever `smtp` is. */
  mailFrom: {
    takes: '<address>',
    parse: parseTextLike(plainAddress, 'an email address such as login@example.com'),
    fallback: null,
    fallbackText: 'none; required with LATCHKEY_SMTP',
    meaning: 'The address that mails come from. Their sender has the name of the operator.',
    when: 'Whenever LATCHKEY_SMTP is set.',
  },
} as const satisfies SettingRows
