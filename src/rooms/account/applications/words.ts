/** Words of the lists of applications with access, and of accesses that have ended. */
import { allowMarkup, defineWords } from '../../../paper/catalog.ts'

export const accountWords = defineWords('account', {
  heading: 'Applications',
  able: '{count, plural, one {# application} other {# applications}} can use your account.',
  unused: '{count, plural, one {# was} other {# were}} not used for 30 days.',
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
  select: allowMarkup('Select {client}'),
  sees: 'Read {things}',
  changes: 'Write {things}',
  knows: 'Know {things}',
  comma: ', ',
  isDestructive: 'Hard to undo',
  isPaused: 'Paused',
  isDisabled: 'Disabled',
  installed: '{count, plural, one {# installation} other {# installations}}',
  used: allowMarkup('Used {when}'),
  neverUsed: 'Never used',
  ends: allowMarkup('Ends {when}'),
  endsAtLogout: 'Ends when you log out',
  noEnd: 'No end date',
  endSelected: 'End access',
  ifEnded:
    'The selected applications lose access at once. They keep what they have already copied.',
  endNow: 'End access now',
  pages: 'Pages',
  range: '{first, number} to {last, number} of {found, number}',
  previous: 'Previous',
  next: 'Next',
  nothing:
    'No application has access to your account. When you allow one, it appears here. You can end its access at any time.',
  noMatch: 'No application matches.',
  showAll: 'Show all',
  lookBack: 'Ended access',
  done: {
    ended: allowMarkup('{client} no longer has access.'),
    endedOne: allowMarkup('This access of {client} has ended. It still has another one.'),
    endedSeveral:
      '{count, plural, one {# application no longer has access.} other {# applications no longer have access.}}',
    gone: 'That access had ended before. Nothing was changed.',
    unticked: 'No application was selected. Nothing was changed.',
  },
})

export const endedWords = defineWords('ended', {
  heading: 'Ended access',
  about:
    'These applications no longer have access. Each stays here for {days, plural, one {# day} other {# days}}, with what it did.',
  nothing: 'No access has ended in the last {days, plural, one {# day} other {# days}}.',
  ended: allowMarkup('Ended {when}'),
  endedAt: 'This access ended:',
  more: 'Show more',
  again: 'Let a company allow access again',
})
