/** Words of the account page for the email address. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

export const emailWords = defineWords(
  {
    heading: 'Your email address',
    none: 'Your account has no email address. Without one, nobody can send you a link if you forget your password.',
    is: ({ email, isVerified }: { email: Markup; isVerified: boolean }) =>
      isVerified ? html`${email}, confirmed.` : html`${email}, not confirmed yet.`,
    verify: 'Send a link to confirm it',
    next: 'New email address',
    effect:
      'We send a link to the new address. It counts once you open that link. The address until now gets a notice.',
    change: 'Send link',
    off: 'This service sends no mail. Ask whoever runs it to change the address.',
    problem: {
      bad: 'That is not an email address.',
      same: 'That is your email address already.',
      throttled: 'There were too many requests.',
    },
    done: {
      sent: 'A link is on its way. It works once, for 24 hours.',
    },
  },
  {
    heading: '您的电子邮件地址',
    none: '您的账户没有电子邮件地址。没有它，忘记密码时无人能向您发送链接。',
    is: ({ email, isVerified }) =>
      isVerified ? html`${email}，已确认。` : html`${email}，尚未确认。`,
    verify: '发送确认链接',
    next: '新的电子邮件地址',
    effect: '我们会向新地址发送链接。您打开该链接后，新地址即生效。原地址会收到通知。',
    change: '发送链接',
    off: '本服务不发送邮件。请联系服务运营者更改地址。',
    problem: {
      bad: '这不是电子邮件地址。',
      same: '这已经是您的电子邮件地址。',
      throttled: '请求次数过多。',
    },
    done: {
      sent: '链接已在发送途中。它只能使用一次，24 小时内有效。',
    },
  },
)
