/** Words of the two logout pages. */
import { defineWords, message } from '../../paper/catalog.ts'

export const logoutWords = defineWords('logout', {
  title: 'Log out',
  question: 'Log out?',
  asks: message('{client} asks to log you out here.', { client: 'markup' }),
  effect:
    'Applications that you allowed until you log out lose their access now. All others keep it.',
  submit: 'Log out',
  stay: 'Stay logged in',
  doneTitle: 'Logged out',
  done: 'You are logged out',
  doneEffect: 'Nobody can use your account in this browser without logging in again.',
  telling: 'The applications that you used are told now.',
  frame: 'Logout at an application',
  goOn: message('Go on to {host}', { host: 'markup' }),
  again: 'Log in again',
})
