/** The settings of client registration (RFC 7591): who may register, and how many clients. */
import type { SettingRows } from './setting.ts'
import { oneOf, textLike, wholeNumber } from './values.ts'

export const registrationSettings: SettingRows<{
  registration: 'token' | 'open' | 'off'
  registrationsPerNetwork: number
  registrationsInTotal: number
  registrationToken: string | null
}> = {
  registration: {
    environment: 'LATCHKEY_REGISTRATION',
    flag: '--registration <mode>',
    parse: oneOf(['token', 'open', 'off']),
    fallbackText: 'open in the demo, else token',
    meaning:
      'Who may register a client at /register: token (holders of the initial access token), open (anybody) or off. With off, client ID metadata documents are refused, too.',
    when: 'Strangers should register clients (open), or nobody should (off).',
    secret: false,
  },
  registrationsPerNetwork: {
    environment: 'LATCHKEY_REGISTRATIONS_PER_NETWORK',
    flag: '--registrations-per-network <number>',
    parse: wholeNumber(1, 1_000_000),
    fallback: 60,
    fallbackText: '60',
    meaning:
      'How many clients one network (IPv4 /24, IPv6 /64) may register in an hour, if registration is open. A /56 may register twice as many, a /48 four times. Not applied in the demo.',
    when: 'Registration is open, and many developers share one network, or too many strangers register.',
    secret: false,
  },
  registrationsInTotal: {
    environment: 'LATCHKEY_REGISTRATIONS_IN_TOTAL',
    flag: '--registrations-in-total <number>',
    parse: wholeNumber(1, 100_000_000),
    fallback: 100_000,
    fallbackText: '100000',
    meaning: 'How many clients may exist that registered themselves without a token.',
    when: 'Registration is open, and the database has room for more, or for fewer.',
    secret: false,
  },
  registrationToken: {
    environment: 'LATCHKEY_REGISTRATION_TOKEN',
    flag: null,
    parse: textLike(
      /^[A-Za-z0-9._~+/-]{16,512}=*$/,
      'at least 16 letters, digits or any of ._~+/-, as a bearer token is written',
    ),
    fallback: null,
    fallbackText: 'nobody may',
    meaning: 'The initial access token. Its holders may register clients, without a quota.',
    when: 'A program of yours registers clients.',
    secret: true,
  },
}
