/** Examples of the ways in: links of mails, the forgotten password, the sign-up, the mailbox of the demo. */

import type { View } from '../../../src/paper/view.ts'
import {
  renderDeadLink,
  renderNewPassword,
  renderTaken,
  renderVerify,
} from '../../../src/rooms/ways/link.ts'
import {
  renderAsk,
  renderClosed,
  renderMade,
  renderMailbox,
  renderSent,
  renderSignUp,
} from '../../../src/rooms/ways/page.ts'
import { sampleOwner } from '../../store/sample.ts'
import { csrf, longName, now } from './values.ts'

const mail = {
  at: now,
  to: `${'long.'.repeat(30)}@example.com`,
  subject: 'Choose a new password',
  text: `Somebody asked for it:\nhttp://127.0.0.1:6749/reset?link=${'l'.repeat(200)}\n\nDo nothing.`,
}

const opened = {
  link: { id: 'l', expiresAt: now + 1800 },
  email: `${'long.'.repeat(30)}@example.com`,
  owner: sampleOwner({ username: longName }),
  waits: false,
}
const link = { csrf, link: `lk_ln_${'l'.repeat(120)}`, opened }

export const waysInSamples = (view: View): Readonly<Record<string, string>> => ({
  'link-reset': renderNewPassword({ view, ...link }, 'reset', 15, null),
  'link-invite': renderNewPassword({ view, ...link }, 'invite', 15, 'common'),
  'link-verify': renderVerify({ view, ...link }),
  'link-taken': renderTaken(view, `${'long.'.repeat(30)}@example.com`),
  'link-dead': renderDeadLink(view, 'forgot'),
  'link-dead-sign-up': renderDeadLink(view, 'signup'),
  'link-dead-alone': renderDeadLink(view, null),
  forgot: renderAsk({
    view,
    csrf,
    journey: '',
    way: 'forgot',
    problem: null,
    waitSeconds: null,
  }),
  'forgot-throttled': renderAsk({
    view,
    csrf,
    journey: '',
    way: 'forgot',
    problem: null,
    waitSeconds: 120,
  }),
  'forgot-sent': renderSent({
    view,
    csrf,
    way: 'forgot',
    typed: `${'long.'.repeat(30)}@example.com`,
    sent: 'sealed',
    journey: 'sealed',
    clientName: 'Photo Printer',
    hasMailbox: true,
  }),
  'sign-up': renderAsk({
    view,
    csrf,
    journey: '',
    way: 'signup',
    problem: 'bad',
    waitSeconds: null,
  }),
  'sign-up-made': renderMade(view),
  'sign-up-closed': renderClosed({ view, journey: '', way: 'signup' }, 'invited'),
  'sign-up-link': renderSignUp({ view, ...link }, '', 15, 'names'),
  mailbox: renderMailbox(view, [mail, mail]),
})
