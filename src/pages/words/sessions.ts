/** Words of the page of login sessions. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

export const sessionWords = defineWords(
  {
    heading: 'Sessions',
    about:
      'You are logged in on these browsers. Log out what you do not know, then choose another password.',
    programOn: ({ program, system }: { program: string; system: string }) =>
      `${program} on ${system}`,
    someOn: ({ system }: { system: string }) => `A browser on ${system}`,
    unknown: 'An unknown browser',
    thisOne: 'This browser',
    methods: {
      password: 'Password',
      passwordAndCode: 'Password and code',
      passwordAndPasskey: 'Password and passkey',
      passkey: 'Passkey',
    },
    network: ({ network }: { network: Markup }) => html`network ${network}`,
    sameNetwork: ({ network }: { network: Markup }) => html`${network}, as this browser`,
    unknownNetwork: 'unknown network',
    active: 'Active within the last hour',
    activeAgo: ({ ago }: { ago: string }) => `Active ${ago}`,
    between: ({ since, until }: { since: Markup; until: Markup }) =>
      html`logged in since ${since}, until ${until} at the latest`,
    end: 'Log out',
    endOf: ({ name }: { name: string }) => ` ${name}`,
    endOthers: 'Log out all others',
    effect: 'Access that ends when you log out ends with its session, at once.',
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
    methods: {
      password: '密码',
      passwordAndCode: '密码和验证码',
      passwordAndPasskey: '密码和通行密钥',
      passkey: '通行密钥',
    },
    network: ({ network }) => html`网络 ${network}`,
    sameNetwork: ({ network }) => html`${network}，与当前浏览器相同`,
    unknownNetwork: '未知网络',
    active: '最近一小时内活动过',
    activeAgo: ({ ago }) => `${ago}活动过`,
    between: ({ since, until }) => html`登录于 ${since}，最迟到 ${until} 为止`,
    end: '退出登录',
    endOf: ({ name }) => `：${name}`,
    endOthers: '退出所有其他登录',
    effect: '您只允许到退出登录为止的应用，会随该登录立即失去访问权限。',
    more: '显示更早的登录',
    done: {
      ended: '该登录已终止。',
      others: '所有其他登录均已终止。',
      gone: '该登录此前已经终止。',
    },
  },
)
