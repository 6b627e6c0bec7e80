/** Words of the consent page. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

export const consentWords = defineWords(
  {
    title: 'Allow access?',
    heading: ({ client }: { client: Markup }) => html`${client} asks for access to your things`,
    loggedInAs: ({ owner }: { owner: Markup }) => html`You are logged in as ${owner}.`,
    otherAccount: 'Use another account',
    unverified: 'Unverified.',
    selfRegistered: ({ when }: { when: Markup }) =>
      html`This application registered itself on ${when}. Nobody here has checked who is behind it or whether its name is true.`,
    claimedPage: ({ uri }: { uri: Markup }) => html`It says that its page is ${uri}.`,
    about: 'About this application:',
    question: ({ client }: { client: Markup }) =>
      html`What may ${client} do? Untick what you do not want.`,
    notAsked: 'Not asked for',
    required: 'required',
    allowedBefore: 'allowed before',
    howLong: 'For how long?',
    promise: ({ account }: { account: Markup }) =>
      html`It can do only what stays ticked, it never sees your password, and you can take this back at any time on your ${account}.`,
    accountPage: 'account page',
    whereTo: ({ host }: { host: Markup }) =>
      html`Whatever you choose, you will be sent to ${host}.`,
    allow: 'Allow',
    deny: 'Deny',
  },
  {
    title: '允许访问？',
    heading: ({ client }) => html`${client} 请求访问您的内容`,
    loggedInAs: ({ owner }) => html`您当前以 ${owner} 的身份登录。`,
    otherAccount: '使用其他账户',
    unverified: '未经核实。',
    selfRegistered: ({ when }) =>
      html`此应用于 ${when} 自行注册。我们没有核实它由谁运营，也没有核实它的名称是否真实。`,
    claimedPage: ({ uri }) => html`它自称的主页是 ${uri}。`,
    about: '关于此应用：',
    question: ({ client }) => html`${client} 可以做什么？不想允许的，请取消勾选。`,
    notAsked: '未请求',
    required: '必需',
    allowedBefore: '之前已允许',
    howLong: '允许多久？',
    promise: ({ account }) =>
      html`它只能做勾选的事，永远看不到您的密码；您可以随时在${account}收回权限。`,
    accountPage: '账户页面',
    whereTo: ({ host }) => html`无论您如何选择，之后都会转到 ${host}。`,
    allow: '允许',
    deny: '拒绝',
  },
)
