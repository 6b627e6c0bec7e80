/** Words about login sessions, on pages and in mails. */
import { allowMarkup, defineWords } from '../catalog.ts'

export const sessionWords = defineWords('sessions', {
  title: 'Logged in',
  heading: '{count, plural, =1 {Only this browser is logged in} other {# browsers are logged in}}',
  many: 'More than {count, number} browsers are logged in',
  all: 'All {count, number} browsers',
  rest: 'All browsers',
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
  networkText: 'network {network}',
  sameNetwork: allowMarkup('{network} as here'),
  unknownNetwork: 'unknown network',
  comma: ', ',
  active: 'active within the last hour',
  activeAgo: 'active {ago}',
  since: allowMarkup('logged in {since}'),
  notMe: 'Not me',
  end: 'Log out',
  endOf: ' {name}',
  endOthers: 'Log out the other {count, number}',
  endAll: 'Log out all others',
  effect: 'They are logged out at once, and this one stays. Access until they log out ends.',
  confirm: 'Log out {count, plural, one {# browser} other {# browsers}}',
  more: 'Show earlier ones',
  done: {
    ended: 'That browser is logged out.',
    others: 'All other browsers are logged out.',
    gone: 'That browser was logged out before.',
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
