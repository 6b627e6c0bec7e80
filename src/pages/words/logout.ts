/** Words of the two logout pages. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

export const logoutWords = defineWords(
  {
    title: 'Log out',
    question: 'Log out?',
    asks: ({ client }: { client: Markup }) => html`${client} asks to log you out here.`,
    effect:
      'Applications that you allowed until you log out lose their access now. All others keep it.',
    submit: 'Log out',
    stay: 'Stay logged in',
    doneTitle: 'Logged out',
    done: 'You are logged out',
    doneEffect: 'Nobody can use your account in this browser without logging in again.',
    telling: 'The applications that you used are told now.',
    frame: 'Logout at an application',
    goOn: ({ host }: { host: Markup }) => html`Go on to ${host}`,
    again: 'Log in again',
  },
  {
    title: '退出登录',
    question: '要退出登录吗？',
    asks: ({ client }) => html`${client} 请求让您在这里退出登录。`,
    effect: '您只允许到退出登录为止的应用将立即失去访问权限，其他应用保留权限。',
    submit: '退出登录',
    stay: '保持登录',
    doneTitle: '已退出登录',
    done: '您已退出登录',
    doneEffect: '在此浏览器中，不重新登录就无法使用您的账户。',
    telling: '正在通知您用过的应用。',
    frame: '在应用中退出登录',
    goOn: ({ host }) => html`前往 ${host}`,
    again: '重新登录',
  },
)
