/** Words of the lists of applications with access, and of accesses that have ended. */
import { allowMarkup, defineWords } from '../../../paper/catalog.ts'

export const accountWords = defineWords('account', {
  title: 'Applications',
  able: '{count, plural, one {# application can use your account} other {# applications can use your account}}',
  unused: '{count, plural, one {# was not used for a month.} other {# were not used for a month.}}',
  filter: 'Filter',
  filters: {
    all: 'All',
    unused: 'Not used for a month',
    destructive: 'Can delete or spend',
    ending: 'Ends soon',
    paused: 'Paused',
  },
  ended: 'Ended access',
  search: 'Search applications',
  find: 'Search',
  order: 'Order',
  orders: { used: 'By last use', name: 'By name', since: 'By age' },
  groups: {
    today: 'Used today',
    week: 'This week',
    earlier: 'Earlier',
    sleeping: 'Not used for a month',
    never: 'Not used yet',
  },
  sleeping: '{count, plural, one {# not used for a month} other {# not used for a month}}',
  more: allowMarkup('{names} and {count, number} more'),
  between: ', ',
  selectSome: 'Select',
  selected: 'Done',
  select: allowMarkup('Select {client}'),
  isDestructive: 'Hard to undo:',
  isPaused: 'Paused',
  isDisabled: 'Disabled',
  installed: '{count, plural, one {# installation} other {# installations}}',
  used: allowMarkup('Used {when}'),
  lastUse: 'Last use:',
  neverUsed: 'Never used',
  ends: allowMarkup('Ends {when}'),
  endsAtLogout: 'Ends when you log out',
  endSelected: 'End access of what is ticked?',
  ifEnded: 'At once. They keep what they have copied.',
  endNow: 'End access',
  pages: 'Pages',
  range: '{first, number} to {last, number} of {found, number}',
  previous: 'Previous',
  next: 'Next',
  nothing: 'No application has access to your account',
  welcome: allowMarkup('Welcome, {name}.'),
  willStand:
    'When you allow an application, it stands here. You see what it may do and did, and end its access with one button.',
  noMatch: 'No application matches.',
  showAll: 'Show all',
  done: {
    ended: allowMarkup('{client} no longer has access. It must ask you again.'),
    endedOne: allowMarkup('This access of {client} has ended. It still has another one.'),
    endedSeveral:
      '{count, plural, one {# application no longer has access. It must ask you again.} other {# applications no longer have access. They must ask you again.}}',
    gone: 'That access had ended before. Nothing was changed.',
    unticked: 'No application was selected. Nothing was changed.',
  },
})

/** Each begins with its verb, in small letters. A line joins them. */
export const sentenceWords = defineWords('sentence', {
  sees: 'see {things}',
  changes: 'change {things}',
  seesAndChanges: 'see and change {things}',
  destroys: 'change and delete {things}',
  seesAndDestroys: 'see, change and delete {things}',
  knows: 'know {things}',
  of: {
    openid: 'who you are',
    profile: 'your name and profile',
    email: 'your email address',
    address: 'your postal address',
    phone: 'your phone number',
  },
  comma: ', ',
})

export const endedWords = defineWords('ended', {
  heading: 'These can do nothing any more',
  title: 'Ended access',
  about:
    'An ended access stays here for {days, plural, one {# day} other {# days}}, with what it did.',
  nothing: 'No access has ended in the last {days, plural, one {# day} other {# days}}',
  willStand: 'An ended access stays here for a while, with what it did.',
  could: 'Could do: {what}',
  ended: allowMarkup('Ended {when}'),
  endedAt: 'This access ended:',
  more: 'Show more',
  again: 'Let a company allow access again',
})
