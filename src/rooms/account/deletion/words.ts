/** Words of the pages on which an owner deletes the account, or keeps it after all. */
import { allowMarkup, defineWords } from '../../../paper/catalog.ts'

export const deletionWords = defineWords('deletion', {
  heading: 'Delete your account?',
  effect: 'All logins and all access of applications end at once.',
  until: allowMarkup(
    'On {when} your account and its data are deleted. Until then you can log in and undo it.',
  ),
  stays:
    'A record of events stays for {days, plural, one {# day} other {# days}}. It has no names, no addresses and no networks: it knows you by an ID.',
  confirmation: allowMarkup('To confirm, write your username: {username}'),
  differs: 'That is not your username. Nothing was deleted.',
  delete: 'Delete my account',
  leavingHeading: 'Keep your account?',
  leaving: allowMarkup('You deleted this account. It is gone on {when}.'),
  leavingEffect:
    'If you keep it, your profile and your data stay. Applications have to ask you again.',
  keep: 'Keep my account',
  leave: 'Log out, and let it be deleted',
})
