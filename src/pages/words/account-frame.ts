/** Words around every account page: who is logged in, the way out, and the way among the pages. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

export const accountFrameWords = defineWords(
  {
    title: 'Your account',
    loggedInAs: ({ owner }: { owner: Markup }) => html`You are logged in as ${owner}.`,
    logOut: 'Log out',
    navigation: 'Account',
    parts: {
      applications: 'Applications',
      sessions: 'Sessions',
      email: 'Email',
      password: 'Password',
      security: 'Logging in',
      profile: 'Profile',
      events: 'Recent events',
    },
  },
  {
    title: '您的账户',
    loggedInAs: ({ owner }) => html`您当前以 ${owner} 的身份登录。`,
    logOut: '退出登录',
    navigation: '账户',
    parts: {
      applications: '应用',
      sessions: '登录会话',
      email: '电子邮件',
      password: '密码',
      security: '登录方式',
      profile: '个人资料',
      events: '近期活动',
    },
  },
)
