/** Words of the pages about trusted issuers: one of the account, and those of the console. */
import { allowMarkup, defineWords } from '../../paper/catalog.ts'

export const issuerWords = defineWords('issuers', {
  heading: 'Allowed by others',
  about:
    'These companies opened access for applications, and you can end it. Access that ended stays ended until you allow it again.',
  nothing: 'No company has opened access for an application.',
  allows: allowMarkup('{client}, allowed by {title}'),
  has: 'Has access',
  ended: 'Ended: the company cannot open it again.',
  look: 'Show access',
  allowAgain: 'Allow again',
  of: allowMarkup(' ({client}, {title})'),
  back: 'Applications',
  done: {
    allowed: 'The company may open this access again.',
    nothing: 'Nothing was changed: this access has not ended.',
  },
})

export const consoleIssuersWords = defineWords('console-issuers', {
  heading: 'Trusted issuers',
  about: 'JWTs of these issuers open access for users, without asking them.',
  none: 'There are no trusted issuers.',
  create: 'Trust an issuer',
  createNow: 'Trust this issuer',
  edit: 'Change',
  changeHeading: allowMarkup('Change {name}'),
  save: 'Save',
  issuer: 'iss of its assertions',
  keys: 'Keys',
  owner: 'How it names users',
  grants: 'Kinds of assertions',
  scope: 'May open',
  clients: 'Only for',
  anyClient: 'Any client with the grant type',
  delete: 'Delete',
  deleteEffect: 'It is trusted no more, and all access that it opened ends.',
  deleteNow: 'Delete now',
  allow: 'Allow again',
  allowHeading: 'Allow again what was ended',
  username: 'Username',
  client: 'Client ID',
  done: {
    created: 'The issuer is trusted now.',
    changed: 'The issuer was changed.',
    deleted: 'The issuer was deleted, and all access that it opened has ended.',
    allowed: 'The issuer may open this access again.',
  },
})
