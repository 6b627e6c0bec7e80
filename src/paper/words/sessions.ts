/** Words of the page of login sessions. */
import { allowMarkup, defineWords } from '../catalog.ts'

export const sessionWords = defineWords('sessions', {
  heading: 'Sessions',
  about: 'These browsers are logged in. Log out what you do not know, then change your password.',
  programOn: '{program} on {system}',
  someOn: 'A browser on {system}',
  unknown: 'An unknown browser',
  thisOne: 'This browser',
  methods: {
    password: 'Password',
    passwordAndCode: 'Password and code',
    passwordAndPasskey: 'Password and passkey',
    passkey: 'Passkey',
  },
  network: allowMarkup('network {network}'),
  networkText: 'network {network}',
  sameNetwork: allowMarkup('{network}, as this browser'),
  unknownNetwork: 'unknown network',
  active: 'Active within the last hour',
  activeAgo: 'Active {ago}',
  since: allowMarkup('since {since}'),
  end: 'Log out',
  endOf: ' {name}',
  endOthers: 'Log out all others',
  effect:
    'All other browsers are logged out at once. Access that lasts until you log out ends with them.',
  more: 'Show earlier ones',
  done: {
    ended: 'That login has ended.',
    others: 'All other logins have ended.',
    gone: 'That login had ended before.',
  },
})

/** Names of the browser and its system; null if not known. */
interface BrowserSaid {
  readonly program: string | null
  readonly system: string | null
}

/** Such as `Firefox on Linux`. */
export const formatBrowser = (
  { program, system }: BrowserSaid,
  words: ReturnType<typeof sessionWords>,
): string => {
  if (program !== null) return system === null ? program : words.programOn({ program, system })
  return system === null ? words.unknown : words.someOn({ system })
}
