/** Examples of the pages about the applications of an account: present, ended, and their access log. */

import type { AuthorizationId } from '../../../src/model/ids.ts'
import type { View } from '../../../src/paper/view.ts'
import { renderAccess } from '../../../src/rooms/account/access/page.ts'
import type { AccessPage } from '../../../src/rooms/account/access/shown.ts'
import { renderEnded } from '../../../src/rooms/account/applications/ended.ts'
import type { ApplicationRow } from '../../../src/rooms/account/applications/list.ts'
import { renderAccount } from '../../../src/rooms/account/applications/page.ts'
import type { Branch } from '../../../src/rooms/account/branches.ts'
import { renderLedger } from '../../../src/rooms/account/ledger/page.ts'
import { cell, csrf, longName, now, owner, rows, rowsWithActions } from './values.ts'

const today = Math.floor(now / 86_400)

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
  title: 'photos',
  action: 'read',
  allowed: true,
  network: '192.0.2.*',
  uses: 1,
  lastAt: now,
} as const

const names = [
  'Photo Book Studio',
  'Quill',
  'Acme Forum',
  'Photo Printer',
  'Tide Calendar',
  'Ledgerly',
  'Nightfox Reader',
  'House App',
  '中文相册',
  'ألبوم الصور',
]

const branch = {
  id: '1'.repeat(26) as AuthorizationId,
  clientName: 'Helper',
  clientRegisteredBy: 'operator' as const,
  parentClientName: 'Photo Printer',
  clientDisabled: false,
  paused: null,
  lastUsedAt: now - 60,
  below: [],
}

/** Those who act for an application, one for the other. */
const branches: readonly Branch[] = [
  { ...branch, below: [{ ...branch, clientName: longName, parentClientName: 'Helper' }] },
  {
    ...branch,
    clientName: 'Archivist',
    paused: { at: now, by: 'owner', unusedDays: null },
    clientDisabled: true,
    lastUsedAt: null,
  },
]

const application: ApplicationRow = {
  id: '0'.repeat(26),
  clientName: 'Photo Printer',
  clientRegisteredBy: 'operator',
  logoPath: null,
  what: 'See, change and delete photos, see contacts and calendar, know your email address',
  isDestructive: false,
  isPaused: false,
  clientDisabled: false,
  installations: 1,
  branches: [],
  duration: 'forever',
  expiresAt: null,
  createdAt: now - 40 * 86_400,
  lastUsedAt: now - 7200,
}

/** Used ever longer ago; the last ones never. */
const thirty = Array.from({ length: 30 }, (_, i): ApplicationRow => {
  const base = names[i % names.length] ?? ''
  return {
    ...application,
    id: String(i).padStart(26, '0'),
    clientName: i < names.length ? base : `${base} ${Math.floor(i / names.length) + 1}`,
    what: i % 3 === 0 ? application.what : 'See photos',
    isDestructive: i % 3 === 0,
    isPaused: i === 4,
    installations: i === 5 ? 12 : 1,
    duration: i % 9 === 8 ? 'session' : 'forever',
    expiresAt: i % 4 === 1 ? now + (i + 1) * 86_400 : null,
    lastUsedAt: i > 26 ? null : now - i * i * i * 600,
    createdAt: i === 27 ? now : application.createdAt,
  }
})

const counts = { all: 30, unused: 9, destructive: 10, ending: 1, paused: 1 }
const whole = { q: '', show: 'all', order: 'used', page: 1 } as const

const access: Omit<AccessPage, 'view' | 'csrf' | 'owner'> = {
  id: '0'.repeat(26),
  clientId: 'photo-printer',
  clientName: 'Photo Printer',
  approvedName: 'Photo Printer',
  parentId: null,
  parentClientName: null,
  clientRegisteredBy: 'operator',
  clientUri: 'https://printer.example/about',
  clientDisabled: false,
  logoPath: null,
  registration: {
    createdAt: now - 400 * 86_400,
    policyUri: 'https://printer.example/privacy',
    termsUri: 'https://printer.example/terms',
  },
  paused: null,
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
  lastUsedAt: now - 7200,
  lastDay: '',
  days: { first: '2026-09-21', last: '2036-09-18' },
  badEnd: null,
  others: [],
  installations: 1,
  branches: [],
  now,
  drawnDays: 30,
  counted,
  uses: [
    { ...line, uses: 24 },
    { ...line, action: 'write', target: '01k3', item: 'Lake, evening' },
    { ...line, minute: line.minute - 1500, target: 'IMG_0412' },
    { ...line, minute: line.minute - 1500, action: 'write', allowed: false, network: '' },
    { ...line, minute: line.minute - 9000, action: 'check', resource: 'shop', title: 'Print Shop' },
  ],
}

const other = { id: '1'.repeat(26), createdAt: now - 86_400, lastUsedAt: null }

const samplesIn = (view: View): Readonly<Record<string, string>> => ({
  account: renderAccount({
    view,
    csrf,
    owner,
    now,
    place: whole,
    applications: thirty,
    counts,
    found: 30,
    first: 1,
    pages: 1,
  }),
  'account-few': renderAccount({
    view,
    csrf,
    owner,
    now,
    place: whole,
    applications: thirty.slice(0, 3),
    counts: { all: 3, unused: 0, destructive: 1, ending: 1, paused: 0 },
    found: 3,
    first: 1,
    pages: 1,
    done: { what: 'ended', clientName: 'Photo Printer', count: 0 },
  }),
  'account-page': renderAccount({
    view,
    csrf,
    owner,
    now,
    place: { q: 'a', show: 'unused', order: 'name', page: 2 },
    applications: [
      {
        ...application,
        clientName: longName,
        isDestructive: true,
        isPaused: true,
        clientDisabled: true,
        installations: 1200,
        what: 'a'.repeat(300),
        expiresAt: now + 7200,
        lastUsedAt: now - 300 * 86_400,
      },
      { ...application, branches },
    ],
    counts: { all: 1240, unused: 140, destructive: 80, ending: 2, paused: 0 },
    found: 140,
    first: 51,
    pages: 3,
    done: { what: 'endedSeveral', clientName: null, count: 4 },
  }),
  'account-none': renderAccount({
    view,
    csrf,
    owner,
    now,
    place: { ...whole, q: 'zebra' },
    applications: [],
    counts,
    found: 0,
    first: 1,
    pages: 1,
    done: { what: 'ended', clientName: longName, count: 0 },
  }),
  'account-empty': renderAccount({
    view,
    csrf,
    owner,
    now,
    place: whole,
    applications: [],
    counts: { all: 0, unused: 0, destructive: 0, ending: 0, paused: 0 },
    found: 0,
    first: 1,
    pages: 1,
  }),
  access: renderAccess({ view, csrf, owner, ...access }),
  'access-until': renderAccess({
    view,
    csrf,
    owner,
    ...access,
    branches,
    expiresAt: now + 30 * 86_400,
    lastDay: '2026-10-21',
    done: { what: 'until', lost: [], before: 'forever' },
  }),
  'access-several': renderAccess({
    view,
    csrf,
    owner,
    ...access,
    clientName: longName,
    clientRegisteredBy: 'itself',
    clientUri: `https://${'sub.'.repeat(30)}example/`,
    clientDisabled: true,
    paused: { at: now, by: 'service', unusedDays: 90 },
    rows: rowsWithActions,
    duration: 'session',
    expiresAt: now + 3600,
    lastUsedAt: null,
    counted: [],
    uses: [],
    others: [other, { ...other, id: '2'.repeat(26), lastUsedAt: now - 60 }],
    installations: 3,
    branches,
  }),
  'access-bad-end': renderAccess({
    view,
    csrf,
    owner,
    ...access,
    expiresAt: now + 30 * 86_400,
    lastDay: '2026-10-21',
    badEnd: '2020-01-01',
  }),
  'access-saved': renderAccess({
    view,
    csrf,
    owner,
    ...access,
    parentId: other.id as AuthorizationId,
    clientName: 'Helper',
    parentClientName: longName,
    branches,
    done: {
      what: 'narrowed',
      lost: ['Add, change and delete your photos', 'See your contacts'],
      before: '',
    },
  }),
  ledger: renderLedger({
    view,
    csrf,
    owner,
    id: '0'.repeat(26),
    clientName: 'Photo Printer',
    clientRegisteredBy: 'operator',
    clientUri: 'https://printer.example/about',
    endedAt: now,
    now,
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
    now,
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
    now,
    accesses: [
      {
        id: '0'.repeat(26),
        clientName: 'Helper',
        parentClientName: 'Photo Printer',
        clientRegisteredBy: 'operator',
        logoPath: null,
        could: 'see, change and delete photos',
        endedAt: now - 60,
      },
      {
        id: '1'.repeat(26),
        clientName: longName,
        parentClientName: null,
        clientRegisteredBy: 'itself',
        logoPath: null,
        could: '',
        endedAt: now - 20 * 86_400,
      },
    ],
    next: 'more',
  }),
  'ended-empty': renderEnded({ view, csrf, owner, now, accesses: [], next: null }),
})

/** Without a chosen zone, times are in UTC. The foot of the page says so. */
export const applicationsSamples = (view: View): Readonly<Record<string, string>> =>
  samplesIn({ ...view, zone: view.zone ?? 'UTC' })
