/** Words of the page of backchannel requests, and of the way to it. */
import { allowMarkup, defineWords } from '../../paper/catalog.ts'

export const backchannelWords = defineWords('backchannel', {
  heading: 'Requests',
  waiting: allowMarkup(
    '{count, plural, one {# request waits} other {# requests wait}} for your decision. {link}',
  ),
  see: 'See what is asked',
  one: allowMarkup('{client} waits for you'),
  several: '{count, number} requests wait for you',
  lead: 'Approve only what you are doing right now.',
  nothing: 'Nothing waits for you',
  whatComes: 'When a till, a bank or a helper needs your word, the request stands here.',
  asks: allowMarkup('{client} asks for access'),
  message: 'Message',
  compare: 'The same words must be shown there.',
  what: allowMarkup('What may {client} do?'),
  asked: 'Asked',
  by: 'By',
  network: 'Network',
  ends: allowMarkup('Ends {when}. If you do nothing, nothing happens.'),
  effect: 'If you allow it',
  once: allowMarkup('{client} gets access once, for {time}'),
  onceForever: allowMarkup('{client} gets access once, until you end it'),
  until: allowMarkup('{client} keeps access until {when}'),
  untilTakenBack: allowMarkup('{client} keeps access until you end it'),
  seconds: '{count, plural, one {# second} other {# seconds}}',
  minutes: '{count, plural, one {# minute} other {# minutes}}',
  hours: '{count, plural, one {# hour} other {# hours}}',
  days: '{count, plural, one {# day} other {# days}}',
  allow: 'Allow',
  allowOnce: 'Approve once',
  deny: 'Deny',
  done: {
    allowed: allowMarkup('You allowed the request of {client}.'),
    denied: allowMarkup('You denied the request of {client}.'),
  },
  problems: {
    over: 'That request was decided before, or has expired. Nothing was changed.',
    changed:
      'Nothing was allowed: the application has changed since this page was shown. Read the request again.',
    paused: 'Nothing was allowed: you have paused this application. Resume it first.',
  },
})
