/** Words of the consent page. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

export const consentWords = defineWords(
  {
    title: 'Allow access?',
    heading: ({ client }: { client: Markup }) => html`${client} asks for access to your things`,
    headingAbout: ({ client }: { client: Markup }) => html`${client} asks who you are`,
    loggedInAs: ({ owner }: { owner: Markup }) => html`You are logged in as ${owner}.`,
    otherAccount: 'Use another account',
    registered: ({ when }: { when: Markup }) =>
      html`The operator of this service registered it on ${when}.`,
    anyProgram:
      'Any program on your computer can claim to be this application. Allow it only if you have just started it yourself.',
    question: ({ client }: { client: Markup }) =>
      html`What may ${client} do? Untick what you do not want.`,
    notAsked: 'Not asked for',
    required: 'required',
    isNew: 'new',
    allowedBefore: 'allowed before',
    allowedForVisit: 'allowed before, until you log out',
    allowedUntil: ({ when }: { when: Markup }) => html`allowed before, until ${when}`,
    reason: ({ client, reason }: { client: Markup; reason: Markup }) =>
      html`Why it needs what is required, in the words of ${client}: ${reason}`,
    difference: ({ client }: { client: Markup }) =>
      html`${client} asks for more than you allowed before. What you allowed until you take it back goes along; decide about the rest.`,
    differenceOpen: ({ client }: { client: Markup }) =>
      html`${client} asks for more than you allowed before. Decide about all of it: what stays ticked is allowed for as long as you choose below.`,
    unsettled: ({ client }: { client: Markup }) =>
      html`Please decide once more: nothing has been allowed yet. While this page was open, an earlier permission of ${client} was taken back or given an end. So you decide about it again.`,
    changed: ({ client }: { client: Markup }) =>
      html`Please decide once more: nothing has been allowed yet. ${client} changed while this page was open.`,
    hasChanged: ({ client }: { client: Markup }) =>
      html`${client} has changed since you allowed it something, so you are asked again.`,
    items: ({ count }: { count: number }) => (count === 1 ? '1 item' : `${count} items`),
    elsewhere: ({ host }: { host: string }) => `at ${host}`,
    writeBringsRead: 'Writing includes reading, where both are asked for.',
    cannot: 'It will not be able to:',
    comma: ', ',
    seePassword: 'see your password',
    see: ({ things }: { things: string }) => `see anything in: ${things}`,
    change: ({ things }: { things: string }) => `change anything in: ${things}`,
    know: ({ things }: { things: string }) => `know about you: ${things}`,
    leftOut: ({ client, names }: { client: Markup; names: Markup }) =>
      html`${client} also asked for ${names}. It does not get that.`,
    reach: ({ things }: { things: string }) => `reach anything else: ${things}`,
    howLong: 'For how long?',
    promise: ({ account }: { account: Markup }) =>
      html`Of this request it gets only what stays ticked. You can take this back at any time on your ${account}.`,
    accountPage: 'account page',
    whereTo: ({ host }: { host: Markup }) =>
      html`Whatever you choose, you will be sent to ${host}.`,
    toApplication: ({ scheme }: { scheme: Markup }) =>
      html`Whatever you choose, this device will open its application for ${scheme} links.`,
    allow: 'Allow',
    deny: 'Deny',
  },
  {
    title: '允许访问？',
    heading: ({ client }) => html`${client} 请求访问您的内容`,
    headingAbout: ({ client }) => html`${client} 想知道您是谁`,
    loggedInAs: ({ owner }) => html`您当前以 ${owner} 的身份登录。`,
    otherAccount: '使用其他账户',
    registered: ({ when }) => html`本服务的运营者于 ${when} 注册了它。`,
    anyProgram: '您电脑上的任何程序都可以冒充此应用。只有在您刚刚自己启动了它时，才允许访问。',
    question: ({ client }) => html`${client} 可以做什么？不想允许的，请取消勾选。`,
    notAsked: '未请求',
    required: '必需',
    isNew: '新请求',
    allowedBefore: '之前已允许',
    allowedForVisit: '之前已允许，直到您退出登录',
    allowedUntil: ({ when }) => html`之前已允许，有效期至 ${when}`,
    reason: ({ client, reason }) => html`${client} 对必需权限的说明：${reason}`,
    difference: ({ client }) =>
      html`${client} 请求的权限比您之前允许的更多。您允许到收回为止的权限继续有效；请决定其余部分。`,
    differenceOpen: ({ client }) =>
      html`${client} 请求的权限比您之前允许的更多。请全部重新决定：保持勾选的权限，将按您在下面选择的时间有效。`,
    unsettled: ({ client }) =>
      html`请重新决定：您这次还没有允许任何权限。此页面打开期间，之前允许 ${client} 的某项权限已被收回，或者设定了结束日期，因此不再自动保留。`,
    changed: ({ client }) =>
      html`请重新决定：您这次还没有允许任何权限。此页面打开期间，${client} 发生了变化。`,
    hasChanged: ({ client }) => html`您上次允许之后，${client} 发生了变化，因此再次征求您的同意。`,
    items: ({ count }) => `${count} 项`,
    elsewhere: ({ host }) => `位于 ${host}`,
    writeBringsRead: '如果同时请求了读取和写入，允许写入也就允许读取。',
    cannot: '它不能：',
    comma: '、',
    seePassword: '看到您的密码',
    see: ({ things }) => `查看以下内容：${things}`,
    change: ({ things }) => `更改以下内容：${things}`,
    know: ({ things }) => `了解您的以下信息：${things}`,
    leftOut: ({ client, names }) => html`${client} 还请求了 ${names}。它不会获得这些权限。`,
    reach: ({ things }) => `访问其他任何内容：${things}`,
    howLong: '允许多久？',
    promise: ({ account }) =>
      html`在它这次请求的权限中，它只能做保持勾选的事；您可以随时在${account}收回权限。`,
    accountPage: '账户页面',
    whereTo: ({ host }) => html`无论您如何选择，之后都会转到 ${host}。`,
    toApplication: ({ scheme }) => html`无论您如何选择，此设备都会打开处理 ${scheme} 链接的应用。`,
    allow: '允许',
    deny: '拒绝',
  },
)
