/** Words about accounts at other services that log people in here. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

export const upstreamWords = defineWords(
  {
    logIn: ({ title }: { title: string }) => `Log in with ${title}`,
    newHeading: 'You are new here',
    newIntro: ({ title }: { title: Markup }) =>
      html`Nobody here is linked to your account at ${title} yet.`,
    haveAccount:
      'Do you have an account here already? Log in to it another way. Then link the two on its Security page.',
    makeNew: ({ label }: { label: Markup }) =>
      html`Otherwise make a new account: ${label} will log you in to it.`,
    create: 'Make a new account',
    closed: 'New accounts are made only by whoever runs this service. Ask them if you have none.',
    back: 'Log in another way',
    heading: 'Accounts at other services',
    intro: 'A linked account logs you in here, without your password here.',
    linked: ({ label, when }: { label: Markup; when: Markup }) =>
      html`Linked: ${label}, since ${when}.`,
    link: ({ title }: { title: string }) => `Link your account at ${title}`,
    unlink: ({ title }: { title: string }) => `Unlink ${title}`,
    gone: 'This service is no longer offered here.',
  },
  {
    logIn: ({ title }) => `使用 ${title} 登录`,
    newHeading: '您是新用户',
    newIntro: ({ title }) => html`您在 ${title} 的账户尚未与这里的任何账户关联。`,
    haveAccount: '您在这里已有账户吗？请先用其他方式登录，然后在“安全”页面关联。',
    makeNew: ({ label }) => html`否则可以新建账户：今后用 ${label} 登录。`,
    create: '新建账户',
    closed: '新账户只能由本服务的运营者建立。如果您没有账户，请联系他们。',
    back: '用其他方式登录',
    heading: '其他服务的账户',
    intro: '关联的账户无需这里的密码即可登录。',
    linked: ({ label, when }) => html`已关联：${label}，自 ${when} 起。`,
    link: ({ title }) => `关联您在 ${title} 的账户`,
    unlink: ({ title }) => `取消关联 ${title}`,
    gone: '这里不再提供此服务。',
  },
)
