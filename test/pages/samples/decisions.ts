/** Examples of the consent page as people meet it: few permissions, many, more than before, strangers. */

import type { View } from '../../../src/paper/view.ts'
import { type ConsentPage, renderConsent } from '../../../src/rooms/oauth/consent/page.ts'
import { cell, csrf, journey, now } from './values.ts'

type Rows = ConsentPage['rows']

const usual: Omit<ConsentPage, 'view'> = {
  csrf,
  journey,
  requester: 'the-requester',
  change: null,
  client: {
    name: 'Photo Book Studio',
    uri: 'https://photobook.example/',
    logoPath: null,
    reason: null,
    selfRegistered: false,
    registeredAt: now - 86_400,
    policyUri: 'https://photobook.example/privacy',
    termsUri: 'https://photobook.example/terms',
    contacts: ['help@photobook.example'],
  },
  redirectHost: 'photobook.example',
  opensApplication: false,
  owner: { username: 'alice@example.com', name: 'Alice Liddell' },
  rows: [],
  about: [],
  leftOut: '',
}

const lasting = { settled: true, allowedBefore: { duration: 'forever', expiresAt: null } }
const forDay = { duration: 'day', expiresAt: now + 86_400 }
const seesPhotos = cell('photos:read', 'See your photos', { required: true })
const changesPhotos = cell('photos:write', 'Add, change and delete your photos', {
  harm: 'delete',
})
const seesContacts = cell('contacts:read', 'See the people you know')
const seesCalendar = cell('calendar:read', 'See your appointments')

const photos = { resource: 'photos', title: 'Photos', note: '1,204 items' }
const contacts = { resource: 'contacts', title: 'Contacts', note: '318 items' }
const calendar = { resource: 'calendar', title: 'Calendar' }
const orders = { resource: 'orders', title: 'Orders', note: 'at mcp.shop.example' }

const four: Rows = [
  { ...photos, read: seesPhotos, write: changesPhotos },
  { ...contacts, read: seesContacts, write: null },
  { ...calendar, read: seesCalendar, write: null },
]

const nine: Rows = [
  { ...photos, read: seesPhotos, write: changesPhotos },
  {
    ...contacts,
    read: seesContacts,
    write: cell('contacts:write', 'Add, change and delete contacts', { harm: 'delete' }),
  },
  {
    ...calendar,
    read: seesCalendar,
    write: cell('calendar:write', 'Add, change and delete appointments', { harm: 'delete' }),
  },
  {
    ...orders,
    read: cell('orders:read', 'See your orders'),
    write: cell('orders:write', 'Place orders'),
    further: [cell('orders:refund', 'Refund orders', { harm: 'spend' })],
  },
]

const more: Rows = [
  { ...photos, read: cell('photos:read', 'See your photos', lasting), write: changesPhotos },
  { ...contacts, read: cell('contacts:read', 'See the people you know', lasting), write: null },
  {
    ...calendar,
    read: cell('calendar:read', 'See your appointments', { asked: false, allowedBefore: forDay }),
    write: null,
  },
]

const aboutYou: ConsentPage['about'] = [
  {
    word: 'openid',
    title: 'Your identity',
    cell: { ...cell('openid', 'Know that it is you', { required: true }), values: null },
  },
  {
    word: 'profile',
    title: 'Profile',
    cell: {
      ...cell('profile', 'See your name and profile'),
      values: [{ label: 'Name', value: 'Alice Liddell' }],
    },
  },
  {
    word: 'email',
    title: 'Email address',
    cell: {
      ...cell('email', 'See your email address'),
      values: [{ label: 'Email', value: 'alice@example.com' }],
    },
  },
  {
    word: 'phone',
    title: 'Phone number',
    cell: {
      ...cell('phone', 'See your phone number'),
      values: [{ label: 'Phone', value: '+44 20 7946 0018' }],
    },
  },
]

/** More claims than are seen at once. */
const allAboutYou: ConsentPage['about'] = aboutYou.map((one) => {
  if (one.word !== 'profile') return one
  const values = [
    { label: 'Gender', value: 'female' },
    { label: 'Birthday', value: '1990-05-04' },
    { label: 'Name', value: 'Alice Liddell' },
    { label: 'Family name', value: 'Liddell' },
    { label: 'Language', value: 'en-GB' },
    { label: 'Time zone', value: 'Europe/London' },
  ]
  return { ...one, cell: { ...one.cell, values } }
})

const asksForOrders: Rows = [
  {
    ...orders,
    read: cell('orders:read', 'See your orders'),
    write: null,
    further: [cell('orders:refund', 'Refund orders', { harm: 'spend' })],
  },
  { ...calendar, read: seesCalendar, write: null },
]

const reason = 'We print the photos you choose.'

/** Pages with at most four permissions: question, choice and both buttons fit one screen. */
export const shortDecisions = (view: View): Readonly<Record<string, string>> => ({
  'consent-one': renderConsent({
    view,
    ...usual,
    rows: [{ ...photos, read: seesPhotos, write: null }],
  }),
  'consent-four': renderConsent({
    view,
    ...usual,
    client: { ...usual.client, reason },
    rows: four,
  }),
  'consent-more': renderConsent({
    view,
    ...usual,
    client: { ...usual.client, logoPath: '/assets/logo' },
    rows: more,
  }),
  'consent-about': renderConsent({
    view,
    ...usual,
    client: { ...usual.client, name: 'Acme Forum', uri: 'https://forum.acme.example/' },
    redirectHost: 'forum.acme.example',
    about: aboutYou,
  }),
  'consent-stranger': renderConsent({
    view,
    ...usual,
    client: { ...usual.client, name: 'Free Photo Backup', selfRegistered: true },
    redirectHost: 'backup-now.example',
    rows: [{ ...photos, read: seesPhotos, write: changesPhotos }],
    duration: 'month',
  }),
  'consent-mcp': renderConsent({
    view,
    ...usual,
    client: {
      ...usual.client,
      name: 'Quill',
      selfRegistered: true,
      documentHost: 'quill.example',
    },
    redirectHost: 'quill.example',
    rows: asksForOrders,
    duration: 'month',
  }),
})

export const longDecisions = (view: View): Readonly<Record<string, string>> => ({
  'consent-nine': renderConsent({ view, ...usual, rows: nine, about: allAboutYou }),
})
