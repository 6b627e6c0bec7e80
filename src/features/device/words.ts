/** Words of the pages for devices. */
import { allowMarkup, defineWords } from '../../paper/catalog.ts'

export const deviceWords = defineWords('device', {
  title: 'Connect a device',
  heading: 'Enter the code on your screen',
  shows: 'Your TV, console or terminal shows eight letters.',
  label: 'Code',
  hint: 'Letters only. Dashes, spaces and capitals make no difference.',
  next: 'Continue',
  warning: 'Did somebody send you a code? Do not enter it: it would let them in.',
  problems: {
    empty: 'Type the code first.',
    wrong: 'No device shows this code now. Check it, or let the device show a new code.',
    throttled:
      'Too many wrong codes. Wait {seconds, plural, one {# second} other {# seconds}}, then try again.',
  },
  question: 'Does your device show this code?',
  asks: allowMarkup('{client}, asked {when}'),
  sameNetwork: allowMarkup('It is on the same network as you: {network}'),
  otherNetwork: allowMarkup('It is on another network than you: {network}'),
  sent: 'Did somebody send you this code, or read it out to you?',
  sentEffect: 'Then it is not your device. They could get into your account.',
  afterwards: 'Next, you choose what it may do.',
  continue: 'It is mine',
  deny: 'Not mine',
  approvedTitle: 'Your device goes on',
  approved: allowMarkup('{client} now has the access that you chose. You can close this page.'),
  account: 'See what it does',
  deniedTitle: 'You denied access',
  denied: allowMarkup('{client} gets no access. The device will say so. You can close this page.'),
  impossibleTitle: 'This device gets no access',
  impossible: allowMarkup(
    '{client} asks for what you cannot give here, such as another account or another kind of login. You can close this page.',
  ),
  overTitle: 'This code is over',
  over: 'The code was used or denied, or it has expired. Let the device show a new code.',
  another: 'Type another code',
})
