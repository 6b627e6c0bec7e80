/** Examples of an account's other pages: sessions, profile, log, password, email, deletion. */
import type { SessionHandle } from '../../../src/model/ids.ts'
import type { View } from '../../../src/paper/view.ts'
import { renderDelete, renderLeaving } from '../../../src/rooms/account/deletion/page.ts'
import { renderDownload } from '../../../src/rooms/account/download/page.ts'
import { renderEmail } from '../../../src/rooms/account/email/page.ts'
import { renderEvents } from '../../../src/rooms/account/events/page.ts'
import { renderPassword } from '../../../src/rooms/account/password/page.ts'
import { renderProfile } from '../../../src/rooms/account/profile/page.ts'
import { renderSessions } from '../../../src/rooms/account/sessions/page.ts'
import { languages } from '../../support/view.ts'
import { csrf, longName, now, owner } from './values.ts'

export const event = {
  type: 'authorization.approved',
  at: now,
  by: { who: 'you' },
  clientName: 'Photo Printer',
  parentName: null,
  what: 'Photos (read, write), Contacts (read)',
  refused: 'Calendar (write)',
  expiresAt: null,
  askedAt: null,
  unusedDays: null,
  sessions: 0,
  isUsed: false,
  isNewBrowser: false,
  change: null,
  factor: '',
  network: '',
} as const

const session = {
  handle: '0'.repeat(26) as SessionHandle,
  program: 'Firefox',
  system: 'Linux',
  network: '192.0.2.*',
  startedAt: now - 7200,
  expiresAt: now + 7200,
  seenAt: now - 90,
  methods: ['pwd', 'otp', 'mfa'],
  isThis: false,
  isHere: true,
} as const

const profileValues = {
  name: 'Alice Liddell',
  given_name: 'Alice',
  family_name: 'Liddell',
  nickname: '',
  picture: 'https://alice.example.com/portrait.jpg',
  profile: '',
  website: '',
  gender: '',
  birthdate: '1990-05-04',
  phone_number: '',
  street_address: '6 Deanery Lane',
  postal_code: '',
  locality: 'Oxford',
  region: '',
  country: '',
  language: '',
  zone: 'Europe/London',
}

export const accountSamples = (view: View): Readonly<Record<string, string>> => ({
  sessions: renderSessions({
    view,
    csrf,
    owner,
    notice: 'That browser is logged out.',
    sessions: [
      { ...session, isThis: true },
      { ...session, program: null, system: null, network: '', isThis: false },
      {
        ...session,
        methods: ['pop', 'user', 'mfa'],
        seenAt: now - 9000,
        program: 'a'.repeat(30),
        system: null,
        network: '2001:db8:ffff:*',
      },
    ],
    next: 'more',
  }),
  profile: renderProfile({
    view,
    csrf,
    owner,
    email: 'alice@example.com',
    isVerified: true,
    values: profileValues,
    languages,
    zones: Intl.supportedValuesOf('timeZone'),
    notice: 'Your profile was saved.',
    problem: null,
  }),
  profileProblem: renderProfile({
    view: { ...view, zone: 'Asia/Shanghai' },
    csrf,
    owner,
    email: '',
    isVerified: false,
    values: { ...profileValues, name: longName, language: 'zh', zone: 'Asia/Kolkata' },
    languages,
    zones: [],
    notice: null,
    problem: { field: 'picture' },
  }),
  download: renderDownload({ view, csrf, owner }),
  delete: renderDelete({ view, csrf, owner, deletionAt: now, eventDays: 400, differs: true }),
  leaving: renderLeaving({ view, csrf, owner, deletionAt: now }),
  events: renderEvents({
    view,
    csrf,
    owner,
    events: [
      event,
      {
        ...event,
        type: 'authorization.ended',
        clientName: longName,
        by: { who: 'client', name: longName },
      },
      { ...event, by: { who: 'operator' } },
      { ...event, type: 'authorization.delegated', clientName: 'Helper', parentName: longName },
      { ...event, type: 'login.failed', network: '2001:db8:ffff:*' },
      { ...event, type: 'authorization.end_changed', clientName: null, expiresAt: now },
    ],
    next: 'more',
  }),
  'events-empty': renderEvents({ view, csrf, owner, events: [], next: null }),
  password: renderPassword({
    view,
    csrf,
    owner,
    leastCharacters: 15,
    problem: null,
    waitSeconds: null,
  }),
  'password-problem': renderPassword({
    view,
    csrf,
    leastCharacters: 15,
    owner,
    problem: { is: 'throttled', typed: '' },
    waitSeconds: 120,
  }),
  email: renderEmail({
    view,
    csrf,
    owner,
    email: `${'long.'.repeat(30)}@example.com`,
    isVerified: false,
    typed: 'alice@example',
    canMail: true,
    problem: 'throttled',
    waitSeconds: 120,
  }),
})
