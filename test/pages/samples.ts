/** One filled-in example of every page, in its ordinary and its longest form. */
import type { SessionHandle } from '../../src/model/ids.ts'
import { renderAccount } from '../../src/pages/account.ts'
import { type ConsentPage, renderConsent } from '../../src/pages/consent.ts'
import { renderDelete, renderLeaving } from '../../src/pages/deletion.ts'
import { renderEmail } from '../../src/pages/email.ts'
import { renderEnded } from '../../src/pages/ended.ts'
import { renderError } from '../../src/pages/error.ts'
import { renderEvents } from '../../src/pages/events.ts'
import { renderFormPost } from '../../src/pages/form-post.ts'
import { renderHome } from '../../src/pages/home.ts'
import { renderLedger } from '../../src/pages/ledger.ts'
import { renderDeadLink, renderNewPassword, renderVerify } from '../../src/pages/link.ts'
import { renderLogin } from '../../src/pages/login.ts'
import { renderLoggedOut, renderLogout } from '../../src/pages/logout.ts'
import { renderOperator } from '../../src/pages/operator.ts'
import { renderPassword } from '../../src/pages/password.ts'
import { type ResumePage, renderResume } from '../../src/pages/pause.ts'
import { renderProfile } from '../../src/pages/profile.ts'
import { renderSessions } from '../../src/pages/sessions.ts'
import { type Brand, linkKinds, type View } from '../../src/pages/view.ts'
import {
  renderAsk,
  renderClosed,
  renderMailbox,
  renderSent,
  renderSignUp,
} from '../../src/pages/ways-in.ts'
import { renderTour } from '../../src/playground/pages/tour.ts'
import { chinese, english } from '../support/view.ts'
import { securitySamples } from './security-samples.ts'

const csrf = 'c'.repeat(43)
const journey = 'j'.repeat(300)
const now = 1_790_000_000
const owner = { username: 'alice', name: 'Alice Liddell' }
const longName = 'A'.repeat(200)

const cell = (permission: string, text: string, change: object = {}) => ({
  permission,
  text,
  asked: true,
  required: false,
  allowedBefore: null,
  settled: false,
  ...change,
})

const rows: ConsentPage['rows'] = [
  {
    resource: 'photos',
    title: 'Photos',
    read: cell('photos:read', 'See your photos', { required: true }),
    write: cell('photos:write', 'Add, change and delete your photos'),
  },
  {
    resource: 'contacts',
    title: 'Contacts',
    read: cell('contacts:read', 'See your contacts', {
      allowedBefore: { duration: 'day', expiresAt: now + 3600 },
    }),
    write: null,
  },
  {
    resource: 'calendar',
    title: 'Calendar',
    read: cell('calendar:read', 'See your calendar', {
      asked: false,
      allowedBefore: { duration: 'forever', expiresAt: null },
    }),
    write: cell('calendar:write', 'Add, change and delete events', { asked: false }),
  },
]

/** A resource elsewhere has a third column, of actions that cannot be undone. */
const rowsWithActions: ConsentPage['rows'] = [
  ...rows,
  {
    resource: 'orders',
    title: 'Orders',
    note: `at ${'sub.'.repeat(30)}example`,
    read: cell('orders:read', 'See your orders'),
    write: cell('orders:write', 'Change your orders', { isDestructive: true }),
    further: [
      cell('orders:refund', 'Refund orders', { isDestructive: true }),
      cell('orders:export', 'a'.repeat(80), { asked: false }),
    ],
  },
]

const mail = {
  at: now,
  to: `${'long.'.repeat(30)}@example.com`,
  subject: 'Choose a new password',
  text: `Somebody asked for it:\nhttp://127.0.0.1:6749/reset?link=${'l'.repeat(200)}\n\nDo nothing.`,
}

const link = {
  csrf,
  link: `lk_ln_${'l'.repeat(120)}`,
  username: longName,
  expiresAt: now + 1800,
  leastCharacters: 15,
}

const resume: Omit<ResumePage, 'view'> = {
  csrf,
  journey,
  clientName: 'Photo Printer',
  clientRegisteredBy: 'operator',
  clientUri: 'https://printer.example/',
  owner,
  pause: { at: now, by: 'owner', unusedDays: null },
  redirectHost: 'printer.example',
}

const consent: Omit<ConsentPage, 'view'> = {
  csrf,
  journey,
  requester: 'the-requester',
  change: null,
  client: {
    name: 'Photo Printer',
    uri: 'https://printer.example/',
    logoPath: null,
    reason: 'Without seeing a photo there is nothing to print.',
    selfRegistered: false,
    registeredAt: now - 86_400,
  },
  redirectHost: 'printer.example',
  opensApplication: false,
  owner,
  rows,
  about: [
    {
      word: 'openid',
      cell: { ...cell('openid', 'Knows that it is you', { required: true }), values: null },
    },
    {
      word: 'email',
      cell: {
        ...cell('email', 'Sees your email address'),
        values: [`${'long.'.repeat(30)}@example.com`],
      },
    },
    { word: 'phone', cell: { ...cell('phone', 'Sees your phone number'), values: [] } },
  ],
  beyond: { reach: ['Calendar'], see: [], change: ['Contacts'], know: ['Postal address'] },
  leftOut: `attic, ${'x'.repeat(80)}...`,
}

const today = Math.floor(now / 86_400)
const days = { first: '2026-09-21', last: '2036-09-18' }

const counted = [0, 1, 2, 5, 6, 7, 12, 29].map((ago) => ({
  day: today - ago,
  reads: (ago * 37) % 400,
  writes: ago % 3,
  checks: ago % 2,
  refused: ago === 5 ? 1 : 0,
}))

const line = {
  minute: Math.floor(now / 60),
  minutes: 1,
  resource: 'photos',
  title: 'Photos',
  action: 'read',
  allowed: true,
  network: '192.0.2.*',
  uses: 1,
  lastAt: now,
} as const

const event = {
  type: 'authorization.approved',
  at: now,
  by: { who: 'you' },
  clientName: 'Photo Printer',
  what: 'Photos (read, write), Contacts (read)',
  refused: 'Calendar (write)',
  expiresAt: null,
  unusedDays: null,
  sessions: 0,
  isUsed: false,
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

const authorization = {
  id: '0'.repeat(26),
  clientId: 'photo-printer',
  hasOthers: false,
  clientName: 'Photo Printer',
  clientRegisteredBy: 'operator',
  clientUri: 'https://printer.example/about',
  paused: null,
  clientDisabled: false,
  rows,
  about: [
    { word: 'openid', cell: cell('openid', 'Knows that it is you') },
    { word: 'email', cell: cell('email', 'Sees your email address') },
    {
      word: 'offline_access',
      cell: { ...cell('offline_access', 'Keeps its access while you are away'), isFixed: true },
    },
  ],
  duration: 'forever',
  createdAt: now - 40 * 86_400,
  expiresAt: null,
  lastDay: '',
  lastUsedAt: now - 7200,
  counted,
} as const

const clients = [
  ['photo-printer', 'Photo Printer', 'photo-printer-secret', 'authorization_code refresh_token'],
  ['gallery', 'Gallery', null, 'authorization_code refresh_token implicit'],
  ['nightly-report', 'Nightly Report', 'nightly-report-secret', 'client_credentials'],
] as const

const brand: Brand = {
  name: 'The Royal Society of Photographers',
  hasLogo: true,
  loginText: 'Members use the name on their card. Guests ask at the desk.',
  links: linkKinds.map((kind) => ({ kind, url: `https://society.example/${kind}` })),
}

const inLanguage = (view: View): Readonly<Record<string, string>> => ({
  login: renderLogin({ view, csrf, journey, clientName: 'Photo Printer' }),
  'login-plain': renderLogin({ view, csrf, journey: '', ways: ['forgot', 'signUp'] }),
  'login-problem': renderLogin({
    view,
    csrf,
    journey,
    clientName: longName,
    clientRegisteredBy: 'itself',
    username: 'alice',
    problem: 'wrong',
    waitSeconds: 4,
  }),
  'login-told': renderLogin({
    view,
    csrf,
    journey,
    clientName: longName,
    clientRegisteredBy: 'itself',
    notice: 'You were logged out by then, so nothing was changed. Log in, then do it again.',
    elsewhere: 'http://localhost:6749/login',
  }),
  consent: renderConsent({ view, ...consent }),
  'consent-unsettled': renderConsent({ view, ...consent, problem: 'unsettled' }),
  'consent-unverified': renderConsent({
    view,
    ...consent,
    client: {
      ...consent.client,
      name: longName,
      uri: `https://printer.example/${'an-address-of-its-own/'.repeat(90)}`,
      selfRegistered: true,
    },
    redirectHost: `${'sub.'.repeat(30)}example`,
  }),
  'consent-document': renderConsent({
    view,
    ...consent,
    client: {
      ...consent.client,
      selfRegistered: true,
      documentHost: `${'sub.'.repeat(30)}helper.example`,
      isLocal: true,
    },
    redirectHost: '127.0.0.1:43210',
  }),
  'consent-changed': renderConsent({
    view,
    ...consent,
    change: {
      name: ['Photo Printer', longName],
      hosts: ['printer.example', `${'sub.'.repeat(30)}example 127.0.0.1 vscode`],
      responseTypes: ['code', 'code token'],
      method: ['client_secret_basic', 'none'],
    },
    client: {
      ...consent.client,
      name: longName,
      selfRegistered: true,
      documentHost: 'helper.example',
    },
  }),
  'consent-actions': renderConsent({ view, ...consent, rows: rowsWithActions }),
  'consent-visit': renderConsent({
    view,
    ...consent,
    rows: [
      {
        resource: 'photos',
        title: 'Photos',
        note: '1 item',
        read: cell('photos:read', 'See your photos', {
          allowedBefore: { duration: 'session', expiresAt: now + 3600 },
        }),
        write: cell('photos:write', 'Add, change and delete your photos'),
      },
      {
        resource: 'contacts',
        title: 'Contacts',
        read: cell('contacts:read', 'See the people you know', { asked: false }),
        write: cell('contacts:write', 'Add, change and delete contacts', {
          allowedBefore: { duration: 'session', expiresAt: now + 3600 },
        }),
      },
    ],
    beyond: { reach: [], see: ['Contacts'], change: [], know: [] },
  }),
  'consent-settled': renderConsent({
    view,
    ...consent,
    client: { ...consent.client, logoPath: '/assets/logo' },
    rows: [
      {
        resource: 'photos',
        title: 'Photos',
        read: cell('photos:read', 'See your photos', {
          settled: true,
          allowedBefore: { duration: 'forever', expiresAt: null },
        }),
        write: cell('photos:write', 'Add, change and delete your photos'),
      },
    ],
  }),
  resume: renderResume({ view, ...resume }),
  'resume-long': renderResume({
    view,
    ...resume,
    clientName: longName,
    clientRegisteredBy: 'itself',
    pause: { at: now, by: 'service', unusedDays: 1000 },
    redirectHost: `${'sub.'.repeat(30)}example`,
  }),
  account: renderAccount({
    view,
    csrf,
    owner,
    now,
    days,
    drawnDays: 30,
    after: 'more',
    badEnd: null,
    done: { what: 'narrowed', clientName: 'Photo Printer', hasOthers: true },
    authorizations: [
      authorization,
      {
        ...authorization,
        clientName: longName,
        clientRegisteredBy: 'itself',
        clientUri: `https://${'sub.'.repeat(30)}example/`,
        clientDisabled: true,
        paused: { at: now, by: 'service', unusedDays: 90 },
        rows: rowsWithActions,
        hasOthers: true,
        duration: 'session',
        expiresAt: now + 3600,
        lastDay: days.first,
        lastUsedAt: null,
        createdAt: now - 100 * 86_400,
        counted: [],
      },
      ...['editor', 'editor-2'].map((id) => ({
        ...authorization,
        id,
        clientName: 'Editor',
        clientRegisteredBy: 'itself' as const,
        installations: { newest: 'editor', count: 1200 },
      })),
    ],
    next: 'more',
  }),
  sessions: renderSessions({
    view,
    csrf,
    owner,
    now,
    notice: 'That login has ended.',
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
    values: profileValues,
    zones: Intl.supportedValuesOf('timeZone'),
    notice: 'Your profile was saved.',
    problem: null,
  }),
  profileProblem: renderProfile({
    view: { ...view, zone: 'Asia/Shanghai' },
    csrf,
    owner,
    values: { ...profileValues, name: longName, language: 'zh', zone: 'Asia/Kolkata' },
    zones: [],
    notice: null,
    problem: { field: 'picture' },
  }),
  delete: renderDelete({ view, csrf, owner, deletionAt: now, differs: true }),
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
    problem: 'throttled',
    waitSeconds: 120,
  }),
  'link-reset': renderNewPassword({ view, ...link, purpose: 'reset', problem: null }),
  'link-invite': renderNewPassword({ view, ...link, purpose: 'invite', problem: 'common' }),
  'link-verify': renderVerify({ view, ...link, email: `${'long.'.repeat(30)}@example.com` }),
  'link-dead': renderDeadLink({ view, hasForgot: true }),
  email: renderEmail({
    view,
    csrf,
    owner,
    email: `${'long.'.repeat(30)}@example.com`,
    isVerified: false,
    canMail: true,
    problem: 'throttled',
    waitSeconds: 120,
  }),
  forgot: renderAsk({ view, csrf, way: 'forgot', problem: null, waitSeconds: null }),
  'forgot-throttled': renderAsk({ view, csrf, way: 'forgot', problem: null, waitSeconds: 120 }),
  'forgot-sent': renderSent({ view, way: 'forgot', hasMailbox: true }),
  'sign-up': renderAsk({ view, csrf, way: 'signup', problem: 'bad', waitSeconds: null }),
  'sign-up-closed': renderClosed({ view, way: 'signup', why: 'invited' }),
  'sign-up-link': renderSignUp({
    view,
    csrf,
    link: link.link,
    email: `${'long.'.repeat(30)}@example.com`,
    name: '',
    leastCharacters: 15,
    problem: 'names',
  }),
  mailbox: renderMailbox({ view, mails: [mail, mail] }),
  ledger: renderLedger({
    view,
    csrf,
    owner,
    id: '0'.repeat(26),
    clientName: 'Photo Printer',
    clientRegisteredBy: 'operator',
    clientUri: 'https://printer.example/about',
    endedAt: now,
    days: 30,
    before: 'here',
    lines: [
      line,
      { ...line, minute: line.minute - 60, minutes: 60 },
      { ...line, uses: 1234, network: '2001:db8:ffff:*' },
      { ...line, action: 'write', allowed: false, network: '' },
      { ...line, action: 'check', resource: 'print-shop', title: longName },
    ],
    next: 'more',
    nextFile: 'much more',
  }),
  'ledger-empty': renderLedger({
    view,
    csrf,
    owner,
    id: '0'.repeat(26),
    clientName: longName,
    clientRegisteredBy: 'itself',
    clientUri: null,
    endedAt: null,
    days: 30,
    before: null,
    lines: [],
    next: null,
    nextFile: null,
  }),
  ended: renderEnded({
    view,
    csrf,
    owner,
    accesses: [
      {
        id: '0'.repeat(26),
        clientName: 'Photo Printer',
        clientRegisteredBy: 'operator',
        clientUri: 'https://printer.example/about',
        could: ['See your photos', 'Add, change and delete your photos'],
        createdAt: now - 86_400,
        endedAt: now,
        lastUsedAt: now,
      },
      {
        id: '1'.repeat(26),
        clientName: longName,
        clientRegisteredBy: 'itself',
        clientUri: `https://${'sub.'.repeat(30)}example/`,
        could: [],
        createdAt: now - 86_400,
        endedAt: now,
        lastUsedAt: null,
      },
    ],
    next: 'more',
  }),
  'ended-empty': renderEnded({ view, csrf, owner, accesses: [], next: null }),
  'account-problem': renderAccount({
    view,
    csrf,
    owner,
    now,
    days,
    drawnDays: 30,
    after: '',
    badEnd: { id: authorization.id, day: '2020-01-01' },
    authorizations: [authorization],
  }),
  'account-empty': renderAccount({
    view,
    csrf,
    owner,
    now,
    days,
    drawnDays: 30,
    after: '',
    badEnd: null,
    authorizations: [],
  }),
  error: renderError({
    view,
    title: 'cannotFollow',
    happened: 'unregistered_redirect_uri',
    who: 'developer',
    advice: 'tellDeveloper',
    reference: '01k3hq9v7w0000000000000000',
  }),
  'error-details': renderError({
    view,
    title: 'cannotFollow',
    happened: 'unregistered_redirect_uri',
    who: 'developer',
    advice: 'tellDeveloper',
    reference: '01k3hq9v7w0000000000000000',
    details: {
      by: 'developer',
      received: ['https://printer.example/Callback/'],
      expected: {
        is: 'oneOf',
        values: ['https://printer.example/callback', 'https://other.example/'],
      },
      remedies: [{ say: 'sendExactly' }, { say: 'registerToo' }],
      command: {
        text: `curl -sS -X PATCH -H "Authorization: Bearer $ADMIN_TOKEN" 'https://id.example/admin/api/clients/${'a'.repeat(200)}'`,
        asOperator: true,
      },
      tokenCommand: "ADMIN_TOKEN=$(curl -sS -u CLIENT_ID 'https://id.example/token')",
    },
  }),
  'form-post': renderFormPost({
    view,
    clientName: longName,
    redirectHost: `${'sub.'.repeat(40)}example`,
    action: 'https://printer.example/callback',
    fields: { code: 'lk_ac_x', state: 'xyz', iss: 'https://id.example' },
  }),
  operator: renderOperator({ view, csrf, until: null, isRefused: true }),
  'operator-shown': renderOperator({ view, csrf, until: now, isRefused: false }),
  home: renderHome({ view, issuer: 'https://id.example' }),
  'home-demo': renderTour({
    view,
    issuer: 'http://127.0.0.1:6749',
    owners: [
      { username: 'alice', password: 'wonderland' },
      { username: 'bob', password: 'builder' },
    ],
    clients: clients.map(([id, name, secret, grants]) => ({
      id,
      name,
      secret,
      grantTypes: grants.split(' '),
      redirectUris: grants.includes('code') ? [`http://127.0.0.1:6750/${id}`] : [],
    })),
    curl: `curl -s http://127.0.0.1:6749/token -u nightly-report:nightly-report-secret -d grant_type=client_credentials -d scope=photos`,
    flows: ['code', 'pkce', 'refresh', 'metadata'],
  }),
  logout: renderLogout({ view, csrf, clientName: null, request: '' }),
  'logout-asked': renderLogout({ view, csrf, clientName: longName, request: 'client_id=x' }),
  'logged-out': renderLoggedOut({ view }),
  'logged-out-frames': renderLoggedOut({
    view,
    frames: ['about:blank'],
    returnTo: 'https://shop.example/goodbye',
  }),
  ...securitySamples(view),
  'login-passkey': renderLogin({ view, csrf, journey, passkey: { ceremony: 'x', options: {} } }),
  'login-elsewhere': renderLogin({ view, csrf, journey, elsewhere: 'http://localhost:6749/login' }),
  branded: renderLogin({ view: { ...view, brand }, csrf, journey, clientName: 'Photo Printer' }),
})

const chineseSamples = Object.entries(inLanguage(chinese)).map(
  ([name, page]) => [`zh-${name}`, page] as const,
)

/** Every page by a name; the server of the browser tests serves each under it. */
export const samples: Readonly<Record<string, string>> = {
  ...inLanguage(english),
  ...Object.fromEntries(chineseSamples),
}
