/** Words of the page from which owners download their data. */
import { defineWords } from '../../../paper/catalog.ts'

export const downloadWords = defineWords('download', {
  heading: 'Download my data',
  about: 'One file holds everything that is stored about you. Programs can read it (JSON).',
  holds: 'It holds:',
  parts: {
    account: 'your account and profile',
    ways: 'your passkeys and linked logins',
    sessions: 'the browsers in which you are logged in',
    applications: 'the access of your applications, and what they did',
    items: 'the things that you keep here',
    events: 'what happened to your account',
  },
  without: 'Passwords, codes and other secrets are not in it.',
  careful: 'Keep the file where nobody else can read it.',
  download: 'Download',
})
