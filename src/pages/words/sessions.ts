/** Words of the page of login sessions. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

export const sessionWords = defineWords(
  {
    heading: 'Where you are logged in',
    about:
      'Each line is a browser that can use your account. End what you do not know, and choose another password if it was not you.',
    programOn: ({ program, system }: { program: string; system: string }) =>
      `${program} on ${system}`,
    someOn: ({ system }: { system: string }) => `A browser on ${system}`,
    unknown: 'An unknown browser',
    thisOne: 'This browser',
    since: 'Logged in',
    sinceAgo: ({ when, ago }: { when: Markup; ago: string }) => html`${when} (${ago})`,
    until: 'Until, at the latest',
    network: 'From',
    unknownNetwork: 'an unknown network',
    end: 'End this',
    endOf: ({ name }: { name: string }) => `: ${name}`,
    endOthers: 'End all others',
    effect:
      'Applications that you allowed only until you log out lose their access with the session, at once.',
    more: 'Show earlier ones',
    done: {
      ended: 'That login has ended.',
      others: 'All other logins have ended.',
      gone: 'That login had ended before.',
    },
  },
  {
    heading: '您的登录位置',
    about:
      '每一项都是一个可以使用您账户的浏览器。请终止您不认识的登录；如果不是您本人，请同时更换密码。',
    programOn: ({ program, system }) => `${system} 上的 ${program}`,
    someOn: ({ system }) => `${system} 上的浏览器`,
    unknown: '未知浏览器',
    thisOne: '当前浏览器',
    since: '登录时间',
    sinceAgo: ({ when, ago }) => html`${when}（${ago}）`,
    until: '最迟结束于',
    network: '来源网络',
    unknownNetwork: '未知网络',
    end: '终止此登录',
    endOf: ({ name }) => `：${name}`,
    endOthers: '终止所有其他登录',
    effect: '您只允许到退出登录为止的应用，会随该登录立即失去访问权限。',
    more: '显示更早的登录',
    done: {
      ended: '该登录已终止。',
      others: '所有其他登录均已终止。',
      gone: '该登录此前已经终止。',
    },
  },
)
