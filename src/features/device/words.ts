/** Words of the pages for devices. */
import { allowMarkup, defineWords } from '../../paper/catalog.ts'

export const deviceWords = defineWords('device', {
  title: 'Connect a device',
  heading: 'Which code does your device show?',
  label: 'Code',
  hint: 'Eight letters, such as WDJB-MJHT',
  next: 'Next',
  warning:
    'Type a code only if a device in front of you shows it. If somebody sent you the code, close this page.',
  problems: {
    empty: 'Type the code first.',
    wrong: 'No device shows this code now. Check it, or let the device show a new code.',
    throttled:
      'Too many wrong codes. Wait {seconds, plural, one {# second} other {# seconds}}, then try again.',
  },
  question: allowMarkup('Does your device show {code}?'),
  asks: allowMarkup('{client} asks for access on a device without a browser.'),
  code: 'Code',
  asked: 'Asked at',
  network: 'From the network',
  sent: 'Did somebody send you this code, or read it out to you? Deny: that person would get your access.',
  afterwards: allowMarkup(
    'If you continue, you see the wishes of {client}, and decide about each, and for how long.',
  ),
  continue: 'Continue',
  deny: 'Deny',
  approvedTitle: 'Your device goes on',
  approved: allowMarkup('{client} now has access on your device. You can close this page.'),
  account: 'See or end access in your account',
  deniedTitle: 'You denied access',
  denied: allowMarkup('{client} gets no access. The device will say so. You can close this page.'),
  impossibleTitle: 'This device gets no access',
  impossible: allowMarkup(
    '{client} asks for what you cannot give here, such as another account or another kind of login. The device will say that access was denied. You can close this page.',
  ),
  overTitle: 'This code is over',
  over: 'The code was used or denied, or it has expired. Let the device show a new code.',
  another: 'Type another code',
})
