/** Words of the lists of applications with access, and of accesses that have ended. */
import { defineWords, message } from '../../../paper/catalog.ts'

export const accountWords = defineWords('account', {
  heading: 'Applications',
  able: message(
    '{count, plural, one {# application} other {# applications}} can use your account.',
    { count: 'number' },
  ),
  unused: message('{count, plural, one {# was} other {# were}} not used for 30 days.', {
    count: 'number',
  }),
  tabs: { label: 'Lists', living: 'With access', ended: 'Ended' },
  search: 'Search',
  show: 'Show',
  filters: {
    all: 'All',
    unused: 'Not used for 30 days',
    ending: 'Ends within 7 days',
    changing: 'Can do more than read',
  },
  order: 'Order',
  orders: { used: 'Last used', name: 'Name', since: 'Newest' },
  apply: 'Apply',
  select: message('Select {client}', { client: 'markup' }),
  sees: message('Read {things}', { things: 'text' }),
  changes: message('Write {things}', { things: 'text' }),
  knows: message('Know {things}', { things: 'text' }),
  comma: ', ',
  isDestructive: 'Hard to undo',
  isPaused: 'Paused',
  isDisabled: 'Disabled',
  installed: message('{count, plural, one {# installation} other {# installations}}', {
    count: 'number',
  }),
  used: message('Used {when}', { when: 'markup' }),
  neverUsed: 'Never used',
  ends: message('Ends {when}', { when: 'markup' }),
  endsAtLogout: 'Ends when you log out',
  noEnd: 'No end date',
  endSelected: 'End access',
  ifEnded:
    'The selected applications lose access at once. They keep what they have already copied.',
  endNow: 'End access now',
  pages: 'Pages',
  range: message('{first, number} to {last, number} of {found, number}', {
    first: 'number',
    last: 'number',
    found: 'number',
  }),
  previous: 'Previous',
  next: 'Next',
  nothing:
    'No application has access to your account. When you allow one, it appears here. You can end its access at any time.',
  noMatch: 'No application matches.',
  showAll: 'Show all',
  lookBack: 'Ended access',
  done: {
    ended: message('{client} no longer has access.', { client: 'markup' }),
    endedOne: message('This access of {client} has ended. It still has another one.', {
      client: 'markup',
    }),
    endedSeveral: message(
      '{count, plural, one {# application no longer has access.} other {# applications no longer have access.}}',
      { count: 'number' },
    ),
    gone: 'That access had ended before. Nothing was changed.',
    unticked: 'No application was selected. Nothing was changed.',
  },
})

export const endedWords = defineWords('ended', {
  heading: 'Ended access',
  about: message(
    'These applications no longer have access. Each stays here for {days, plural, one {# day} other {# days}}, with what it did.',
    { days: 'number' },
  ),
  nothing: message('No access has ended in the last {days, plural, one {# day} other {# days}}.', {
    days: 'number',
  }),
  ended: message('Ended {when}', { when: 'markup' }),
  endedAt: 'This access ended:',
  more: 'Show more',
})
