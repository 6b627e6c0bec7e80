/** Words of the playground: a television without a browser. */
import { defineWords } from '../../src/paper/catalog.ts'

export const deviceStepWords = defineWords('playground.device', {
  'ask-device': {
    title: 'Ask for two codes',
    text: 'The television sends its client_id and a scope. It keeps the device_code, and shows the user_code or a QR code on its screen.',
  },
  'poll-early': {
    title: 'Ask whether somebody has decided',
    text: 'Nobody has yet, so the answer is authorization_pending. A second poll within five seconds is told to slow down.',
  },
  'enter-code': {
    title: 'Type the code',
    text: 'The owner scans the code with a telephone, or types it. The page fills it in and still asks. Log in as alice, password wonderland, compare the code, and allow. Then come back here.',
  },
  poll: {
    title: 'Ask again',
    text: 'The television gets its tokens, once alice has allowed it.',
  },
  'sent-code': {
    title: 'Send the code to somebody',
    text: 'An attacker starts a television, and sends you the code with a good story.',
    meaning:
      'The page says who asks, where and since when, and that nobody should go on with a code from somebody else. No approval of before spares the page.',
  },
  'guessed-code': {
    title: 'Guess a code',
    text: 'A program posts a code without the page.',
    meaning:
      'Without the form of the page nothing is looked up. With it, five wrong codes of a browser are free, and fifty of an address. Then each guess waits.',
  },
  'foreign-poll': {
    title: 'Poll with another client',
    text: 'Gallery has stolen the device_code.',
    meaning: 'A device code is of one client. The television does not even notice.',
  },
  'second-poll': {
    title: 'Redeem the code twice',
    text: 'The television asks once more after it has its tokens.',
    meaning: 'A code earns tokens once, on all nodes. The tokens of the first time stay.',
  },
})
