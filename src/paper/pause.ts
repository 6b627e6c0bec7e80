/** A pause in words. */
import type { Pause } from '../model/authorization.ts'
import type { Language } from '../model/language.ts'
import { allowMarkup, defineWords } from './catalog.ts'
import { html, type Markup } from './markup.ts'
import { sayMoment } from './time.ts'

export const pauseWords = defineWords('pause', {
  title: 'Resume?',
  heading: {
    owner: allowMarkup('You paused {client}'),
    operator: allowMarkup('The operator paused {client}'),
    service: allowMarkup('{client} is paused'),
  },
  since: allowMarkup('It can do nothing in your name since {when}.'),
  stays: 'Its permissions stay, and their end comes as before.',
  paused: {
    owner: allowMarkup('You paused {client} on {when}.'),
    operator: allowMarkup('The operator of this service paused {client} on {when}.'),
    service: allowMarkup('{client} was paused on {when}.'),
  },
  unused: 'The reason: it was not used for {days, plural, one {# day} other {# days}}.',
  effect: allowMarkup(
    'While it is paused, {client} can do nothing. It keeps its permissions, and their end comes as before.',
  ),
  otherwise: allowMarkup('If you leave it paused, you go back to {host}, and nothing changes.'),
  otherwiseDenied: 'If you leave it paused, the device gets no access.',
  resume: 'Resume',
  resumeNow: 'Resume and go on',
  notNow: 'Leave it paused',
  pause: 'Pause',
  covers: allowMarkup('To pause or resume concerns every access of {client}.'),
})

/** The doer, the time, the reason and the effect of a pause. */
export const tellPause = (
  { at, by, unusedDays }: Pause,
  client: Markup,
  language: Language,
): Markup => {
  const { paused, unused, effect } = pauseWords(language)
  const why = unusedDays === null ? null : unused({ days: unusedDays })
  return html`${paused[by]({ client, when: sayMoment(at, language) })} ${why} ${effect({ client })}`
}
