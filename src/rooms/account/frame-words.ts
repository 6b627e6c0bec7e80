/** Words around every account page: who is logged in, the way out, and the way among the pages. */
import { defineWords, message } from '../../paper/catalog.ts'

export const accountFrameWords = defineWords('account-frame', {
  loggedInAs: message('You are logged in as {owner}.', { owner: 'markup' }),
  logOut: 'Log out',
  menu: 'Menu',
  navigation: 'Account',
  parts: {
    applications: 'Applications',
    security: 'Security',
    sessions: 'Sessions',
    events: 'Activity',
    profile: 'Profile',
  },
})
