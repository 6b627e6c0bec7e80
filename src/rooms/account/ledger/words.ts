/** Words about uses: the drawing on the account page, and the ledger. */
import { defineWords, message } from '../../../paper/catalog.ts'

export const useWords = defineWords('uses', {
  drawing: 'Uses per day',
  /** `told` names each number. */
  summary: message('In the last {days, plural, one {# day} other {# days}}: {told}.', {
    days: 'number',
    told: 'markup',
  }),
  nothing: message('Not used in the last {days, plural, one {# day} other {# days}}.', {
    days: 'number',
  }),
  reads: message('read {count, plural, one {# time} other {# times}}', { count: 'number' }),
  writes: message('wrote {count, plural, one {# time} other {# times}}', { count: 'number' }),
  checks: message('used {count, plural, one {# time} other {# times}} elsewhere', {
    count: 'number',
  }),
  refused: message('refused {count, plural, one {# time} other {# times}}', { count: 'number' }),
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
  heading: message('What {client} did', { client: 'markup' }),
  about: message(
    'The latest is first. Equal uses within one minute are one line; on a busy day, within one hour or the day. Lines are kept for {days, plural, one {# day} other {# days}}, with the network and no address.',
    { days: 'number' },
  ),
  oneHour: 'one hour',
  oneDay: 'the day (UTC)',
  download: 'Download as JSON',
  inParts: message(
    'A file holds {lines, plural, one {# line} other {# lines}}: those above and older ones. There are more than that.',
    { lines: 'number' },
  ),
  nextPart: 'Go to the lines of the next file',
  empty: message(
    'There is nothing to show: it has done nothing in the last {days, plural, one {# day} other {# days}}.',
    { days: 'number' },
  ),
  older: 'Show older lines',
  caption: message('Uses by {client}', { client: 'markup' }),
  heads: { when: 'When', what: 'What', network: 'From', outcome: 'Outcome' },
  read: message('Read: {resource}', { resource: 'text' }),
  write: message('Write: {resource}', { resource: 'text' }),
  check: message('Used at {api}, another API, which asked here whether it may', { api: 'markup' }),
  times: message('{count, plural, one {# time} other {# times}}', { count: 'number' }),
  allowed: 'Allowed',
  notAllowed: 'Refused',
  anyNetwork: 'Other networks',
  fromElsewhere: 'only that API knows',
})
