/** Values that several examples show. */
import type { ConsentPage } from '../../../src/rooms/oauth/consent/page.ts'

export const csrf = 'c'.repeat(43)
export const journey = 'j'.repeat(300)
export const now = 1_790_000_000
export const owner = { username: 'alice', name: 'Alice Liddell' }
export const longName = 'A'.repeat(200)

export const cell = (permission: string, text: string, change: object = {}) => ({
  permission,
  text,
  asked: true,
  required: false,
  allowedBefore: null,
  settled: false,
  ...change,
})

export const rows: ConsentPage['rows'] = [
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
export const rowsWithActions: ConsentPage['rows'] = [
  ...rows,
  {
    resource: 'orders',
    title: 'Orders',
    note: `at ${'sub.'.repeat(30)}example`,
    read: cell('orders:read', 'See your orders'),
    write: cell('orders:write', 'Change your orders', { harm: 'other' }),
    further: [
      cell('orders:refund', 'Refund orders', { harm: 'other' }),
      cell('orders:export', 'a'.repeat(80), { asked: false }),
    ],
  },
]
