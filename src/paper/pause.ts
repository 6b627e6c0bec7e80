/** A pause in words. */
import type { Pause } from '../model/authorization.ts'
import type { Language } from '../model/language.ts'
import { defineWords, message } from './catalog.ts'
import { html, type Markup } from './markup.ts'
import { moment } from './time.ts'

export const pauseWords = defineWords('pause', {
  title: 'Resume?',
  heading: message('Resume {client}?', { client: 'markup' }),
  paused: {
    owner: message('You paused {client} on {when}.', { client: 'markup', when: 'markup' }),
    operator: message('The operator of this service paused {client} on {when}.', {
      client: 'markup',
      when: 'markup',
    }),
    service: message('{client} was paused on {when}.', { client: 'markup', when: 'markup' }),
  },
  unused: message('The reason: it was not used for {days, plural, one {# day} other {# days}}.', {
    days: 'number',
  }),
  effect: message(
    'While it is paused, {client} can do nothing. It keeps its permissions, and their end comes as before.',
    { client: 'markup' },
  ),
  ifResumed: message(
    'If you resume {client}, it can use the permissions that you gave it before.',
    { client: 'markup' },
  ),
  otherwise: message('If not, you will be sent to {host}, and nothing changes.', {
    host: 'markup',
  }),
  resume: 'Resume',
  notNow: 'Not now',
  pause: 'Pause',
  covers: message('To pause or resume concerns every access of {client}.', { client: 'markup' }),
})

/** The doer, the time, the reason and the effect of a pause. */
export const tellPause = (
  { at, by, unusedDays }: Pause,
  client: Markup,
  language: Language,
): Markup => {
  const { paused, unused, effect } = pauseWords(language)
  const why = unusedDays === null ? null : unused({ days: unusedDays })
  return html`${paused[by]({ client, when: moment(at, language) })} ${why} ${effect({ client })}`
}
