/** Words about the charts of the console, and about what needs attention. */
import { allowMarkup, defineWords } from '../../../paper/catalog.ts'

export const chartWords = defineWords('charts', {
  range: 'Period',
  ranges: { hour: 'Last hour', day: 'Last day', month: 'Last 30 days' },
  tiles: {
    issued: 'Token responses',
    refusals: 'Refused requests',
    logins: 'Logins',
    refusedLogins: '{count, plural, one {# refused} other {# refused}}',
    waiting: 'People waiting to log in',
    slowest: 'Slowest hundredth',
  },
  calm: 'All is well',
  needYou: '{count, plural, one {One thing needs you} other {# things need you}}',
  theft:
    '{count, plural, =100 {At least 100 events} one {# event} other {# events}} {type} within a day: somebody may have stolen something.',
  wrongCodes:
    '{count, plural, =100 {At least 100 wrong codes} one {# wrong code} other {# wrong codes}} within an hour, after right passwords: somebody may know them.',
  guessing:
    '{count, plural, one {# refused login} other {# refused logins}} of late, far more than were let in: somebody guesses passwords, or an upstream is down.',
  oldKey:
    'The key {key} is {days, plural, one {# day} other {# days}} old. It should have been rotated.',
  mails:
    '{count, plural, one {# mail waits} other {# mails wait}}, the oldest for {minutes, plural, one {# minute} other {# minutes}}.',
  risen:
    '{count, plural, one {# refused request} other {# refused requests}} of late, and none before.',
  rising:
    '{count, plural, one {# refused request} other {# refused requests}} of late: {times, number} times the usual.',
  deafApi: allowMarkup(
    '{resource} has not taken a revocation for {seconds, plural, one {# second} other {# seconds}}.',
  ),
  missing:
    '{count, plural, one {# person is} other {# people are}} no longer in the directory of {upstream}, or disabled there. They stay enabled here: they are too many at once, or the last operator.',
  unchecked:
    'For {hours, plural, one {# hour} other {# hours}}, {upstream} has not said of all its people whether they are still there. The log says why.',
  machine:
    'The database machine {machine} cannot be reached. Requests of people on {shards, plural, one {# shard} other {# shards}} of {of, number} are refused, and everybody else goes on.',
  hashes: '{count, plural, one {# password waits} other {# passwords wait}} to be checked.',
  webhooks: 'Webhooks',
  webhookCalm: 'No event waits.',
  webhookWaits: '{count, plural, one {# event waits} other {# events wait}}',
  grants: 'Token responses and refusals',
  issued: 'Issued',
  refused: 'Refused',
  logins: 'Logins',
  succeeded: 'Succeeded',
  reasons: 'Refusals by reason',
  noReasons: 'No request was refused.',
  other: 'Other reasons',
  latency: 'Answer time',
  routes: 'Slowest hundredth by route',
  median: 'Half of all',
  hundredth: 'Slowest hundredth',
  atMost: '{time, number} ms',
  peak: 'Most: {count} ({time})',
  longer: 'more than {time, number} ms',
  numbers: 'The numbers',
  columns: {
    time: 'From (UTC)',
    issued: 'Issued',
    refused: 'Refused',
    succeeded: 'Logins',
    refusedLogins: 'Refused logins',
    median: 'Half of all within',
    slowest: '99% within',
  },
  about:
    'Sums of all nodes, written every few seconds. The last period is not over yet. Times are in UTC.',
  funnel: 'From request to token',
  steps: {
    authorize: 'Asked',
    login: 'Logged in',
    consent: 'Allowed',
    code: 'Code',
    token: 'Token',
  },
  nobody: 'Nobody was led here in this period.',
})
