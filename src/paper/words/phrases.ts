/** Phrases that several pages share: moments, how long, the heads of the table. */
import { defineWords, message } from '../catalog.ts'

export const phrases = defineWords('phrases', {
  moment: message('{day}, {time} UTC', { day: 'text', time: 'text' }),
  momentThere: message('{day}, {time}', { day: 'text', time: 'text' }),
  zone: message('Times are in the zone {zone} ({offset}).', { zone: 'text', offset: 'text' }),
  zoneOfReader: message('Times are in {zone}.', { zone: 'text' }),
  skip: 'Skip to content',
  justNow: 'just now',
  duration: {
    session: 'Until I log out',
    day: '1 day',
    month: '1 month',
    forever: 'No end date',
  },
  asOf: message('{name}, as of {when}', { name: 'text', when: 'markup' }),
  unverified: 'Nobody has checked this application.',
  registeredItself: 'It registered itself. Its name may be false.',
  registeredItselfOn: message('It registered itself on {when}. Its name may be false.', {
    when: 'markup',
  }),
  claimedPage: message('It says that its page is at {host}.', { host: 'markup' }),
  comesFrom: message('Its name comes from {host}.', { host: 'markup' }),
  itsPage: 'Its page:',
  links: { help: 'Help', privacy: 'Privacy', terms: 'Terms' },
  destructive: 'Hard to undo',
})
