/** Phrases that several pages share: moments, how long, the heads of the table. */
import { allowMarkup, defineWords } from '../catalog.ts'

export const phrases = defineWords('phrases', {
  moment: '{day}, {time} UTC',
  momentThere: '{day}, {time}',
  zone: 'Times are in the zone {zone} ({offset}).',
  zoneOfReader: 'Times are in {zone}.',
  skip: 'Skip to content',
  justNow: 'just now',
  duration: {
    session: 'Until I log out',
    day: '1 day',
    month: '1 month',
    forever: 'No end date',
  },
  asOf: allowMarkup('{name}, as of {when}'),
  actsAs: {
    operator: 'Act as you at the command line, as operator: see and change everything',
    auditor: 'Act as you at the command line, as auditor: see everything',
  },
  actsFor: allowMarkup('{client} for {parent}'),
  unverified: 'Nobody has checked this application.',
  registeredItself: 'It registered itself. Its name may be false.',
  registeredItselfOn: allowMarkup('It registered itself on {when}. Its name may be false.'),
  claimedPage: allowMarkup('It says that its page is at {host}.'),
  comesFrom: allowMarkup('Its name comes from {host}.'),
  itsPage: 'Its page:',
  allowedBy: 'Allowed by {title}',
  links: { help: 'Help', privacy: 'Privacy', terms: 'Terms' },
  harm: { delete: 'Can delete', spend: 'Can spend', other: 'Hard to undo' },
})
