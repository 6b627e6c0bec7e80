/** Words of the second step of a login, and of proving once more to be there. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

export const secondStepWords = defineWords(
  {
    title: 'One more step',
    intro:
      'Your password is right. Your account asks for one thing more, so that nobody else gets in with it.',
    code: 'One-time code',
    codeHint: 'Six digits, from the application on your telephone.',
    codeSubmit: 'Log in',
    passkeySubmit: 'Use a passkey',
    passkeyElsewhere: ({ link }: { link: Markup }) =>
      html`Your passkey belongs to a host name, such as localhost, and not to an IP address: to use it, begin the login at ${link}.`,
    recovery: 'Use a recovery code instead',
    recoveryCode: 'Recovery code',
    recoveryHint: 'Each of them works once.',
    recoverySubmit: 'Log in with it',
    lost: 'If you have none of these, whoever runs this service can help you in.',
    back: 'Start the login again',
    wrong: 'That was not accepted. A code that was used before does not work again.',
    used: 'This code, or a later one, was used already. Wait for the next one: your application shows another every half minute.',
    confirmTitle: 'Is it you?',
    confirmIntro: ({ owner }: { owner: Markup }) =>
      html`You are logged in as ${owner}. Before anything is changed here, please show once more that it is you.`,
    confirmPassword: 'Password',
    confirmSubmit: 'Go on',
    confirmBack: 'Back to the account',
    confirmWrong: 'That was not right.',
  },
  {
    title: '还差一步',
    intro: '密码正确。您的账户还需要一项验证，这样别人即使知道密码也无法登录。',
    code: '一次性验证码',
    codeHint: '手机应用中显示的六位数字。',
    codeSubmit: '登录',
    passkeySubmit: '使用通行密钥',
    passkeyElsewhere: ({ link }) =>
      html`您的通行密钥属于域名而不属于 IP 地址：要使用它，请在 ${link} 重新开始登录。`,
    recovery: '改用恢复码',
    recoveryCode: '恢复码',
    recoveryHint: '每个代码只能使用一次。',
    recoverySubmit: '用它登录',
    lost: '如果这些都没有，请联系本服务的运营者帮您登录。',
    back: '重新登录',
    wrong: '未被接受。已经用过的代码不能再次使用。',
    used: '这个验证码或更新的验证码已经用过。请等待下一个：应用每半分钟显示一个新的验证码。',
    confirmTitle: '是您本人吗？',
    confirmIntro: ({ owner }) => html`您当前以 ${owner} 的身份登录。更改之前，请再次确认是您本人。`,
    confirmPassword: '密码',
    confirmSubmit: '继续',
    confirmBack: '返回账户',
    confirmWrong: '验证未通过。',
  },
)
