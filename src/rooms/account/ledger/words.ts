/** Words about uses: the drawing on the account page, and the ledger. */
import { allowMarkup, defineWords } from '../../../paper/catalog.ts'

export const useWords = defineWords('uses', {
  drawing: 'Uses per day',
  /** `told` names each number. */
  summary: allowMarkup('In the last {days, plural, one {# day} other {# days}}: {told}.'),
  nothing: 'Not used in the last {days, plural, one {# day} other {# days}}.',
  reads: 'read {count, plural, one {# time} other {# times}}',
  writes: 'wrote {count, plural, one {# time} other {# times}}',
  checks: 'used {count, plural, one {# time} other {# times}} elsewhere',
  refused: 'refused {count, plural, one {# time} other {# times}}',
  and: ', ',
  today: 'today (UTC)',
  numbers: 'The numbers, day by day',
  columns: {
    day: 'Day (UTC)',
    reads: 'Read',
    writes: 'Wrote',
    checks: 'Elsewhere',
    refused: 'Refused',
  },
  heading: allowMarkup('What {client} did'),
  about:
    'The latest is first. Equal uses within one minute are one line; on a busy day, within one hour or the day. Lines are kept for {days, plural, one {# day} other {# days}}, with the network and no address.',
  oneHour: 'one hour',
  oneDay: 'the day (UTC)',
  download: 'Download as JSON',
  inParts:
    'A file holds {lines, plural, one {# line} other {# lines}}: those above and older ones. There are more than that.',
  nextPart: 'Go to the lines of the next file',
  empty:
    'There is nothing to show: it has done nothing in the last {days, plural, one {# day} other {# days}}.',
  older: 'Show older lines',
  caption: allowMarkup('Uses by {client}'),
  heads: { when: 'When', what: 'What', network: 'From', outcome: 'Outcome' },
  read: 'Read: {resource}',
  write: 'Write: {resource}',
  check: allowMarkup('Used at {api}, another API, which asked here whether it may'),
  times: '{count, plural, one {# time} other {# times}}',
  allowed: 'Allowed',
  notAllowed: 'Refused',
  anyNetwork: 'Other networks',
  fromElsewhere: 'only that API knows',
})
