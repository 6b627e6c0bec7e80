/** Words of the pages behind links: a new password, an invitation, an email address, a dead link. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

interface For {
  readonly owner: Markup
}

export const linkWords = defineWords(
  {
    reset: {
      title: 'Choose a new password',
      about: ({ owner }: For) => html`For the account ${owner}. All of its logins end.`,
      submit: 'Save password',
    },
    invite: {
      title: 'Accept the invitation',
      about: ({ owner }: For) => html`Choose a password for the account ${owner}.`,
      submit: 'Save password and log in',
    },
    username: 'Username',
    password: 'New password',
    until: ({ end }: { end: Markup }) => html`This link works once, until ${end}.`,
    onceOnly: 'The link that led you here works once.',
    verify: {
      title: 'Confirm your email address',
      about: ({ email, owner }: For & { readonly email: Markup }) =>
        html`${email} becomes the confirmed email address of the account ${owner}.`,
      submit: 'Confirm the address',
    },
    gone: {
      title: 'This link does not work',
      about:
        'It was used, it is too old, or the password or email address of the account changed meanwhile.',
      whatNext: 'If you still need it, ask for a new link.',
      logIn: 'Log in',
      forgot: 'Reset your password',
    },
  },
  {
    reset: {
      title: '选择新密码',
      about: ({ owner }) => html`用于账户 ${owner}。该账户的所有登录都会终止。`,
      submit: '保存密码',
    },
    invite: {
      title: '接受邀请',
      about: ({ owner }) => html`为账户 ${owner} 选择密码。`,
      submit: '保存密码并登录',
    },
    username: '用户名',
    password: '新密码',
    until: ({ end }) => html`此链接只能使用一次，有效期至 ${end}。`,
    onceOnly: '带您来此的链接只能使用一次。',
    verify: {
      title: '确认您的电子邮件地址',
      about: ({ email, owner }) => html`${email} 将成为账户 ${owner} 的已确认电子邮件地址。`,
      submit: '确认此地址',
    },
    gone: {
      title: '此链接无法使用',
      about: '它已被使用或已过期，或者账户的密码或电子邮件地址在此期间已更改。',
      whatNext: '如果仍然需要，请重新申请链接。',
      logIn: '登录',
      forgot: '重置密码',
    },
  },
)
