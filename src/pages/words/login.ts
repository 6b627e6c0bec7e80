/** Words of the login page. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

export const loginWords = defineWords(
  {
    title: 'Log in',
    forClient: ({ client }: { client: Markup }) =>
      html`${client} would like to reach some of your things. Log in to decide what it may do. It never sees your password.`,
    forAccount:
      'Log in to see the applications that may reach your things, and to end their access.',
    username: 'Username',
    password: 'Password',
    submit: 'Log in',
    forgot: 'Forgot your password?',
    signUp: 'Create an account',
    wrong: 'The username or the password is wrong.',
    throttled: 'There were too many wrong tries.',
    passkeySubmit: 'Log in with a passkey',
    passkey: 'The passkey was not accepted. Try again, or log in with your password.',
    passkeyElsewhere: ({ link }: { link: Markup }) =>
      html`A passkey belongs to a host name, such as localhost, and not to an IP address: to log in with one, go on at ${link}.`,
    upstreamDown:
      'The other service does not answer just now. Try again later, or log in another way.',
    upstreamWrong:
      'The other service gave an answer that cannot be trusted, so nobody was logged in. Try again, or log in another way.',
    upstreamRefused:
      'The login at the other service was not finished. Try again, or log in another way.',
    upstreamStale:
      'The other service did not ask you to log in anew, which is needed here. Log out there, then try again.',
    begin: 'That took too long, or something changed meanwhile. Please log in again.',
    finished:
      'This login was finished already, but the answer may not have reached you. Please log in again.',
    done: {
      nothing: 'You were logged out by then, so nothing was changed. Log in, then do it again.',
      passwordChosen:
        'The new password is saved, and all earlier logins have ended. Log in with it.',
      emailConfirmed: 'The email address is confirmed.',
      deleted: 'Your account will be deleted. Log in to undo it.',
    },
    waitSeconds: ({ seconds }: { seconds: number }) =>
      `Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    waitMinutes: ({ minutes }: { minutes: number }) => `Try again in ${minutes} minutes.`,
  },
  {
    title: '登录',
    forClient: ({ client }) =>
      html`${client} 想访问您的部分内容。请登录，由您决定它可以做什么。它不会看到您的密码。`,
    forAccount: '登录后，您可以查看哪些应用能访问您的内容，并随时收回权限。',
    username: '用户名',
    password: '密码',
    submit: '登录',
    forgot: '忘记密码？',
    signUp: '创建账户',
    wrong: '用户名或密码不正确。',
    throttled: '错误尝试次数过多。',
    passkeySubmit: '使用通行密钥登录',
    passkey: '通行密钥未被接受。请重试，或使用密码登录。',
    passkeyElsewhere: ({ link }) =>
      html`通行密钥属于域名而不属于 IP 地址：要用通行密钥登录，请前往 ${link}。`,
    upstreamDown: '对方服务暂时没有响应。请稍后重试，或用其他方式登录。',
    upstreamWrong: '对方服务的回应不可信，因此没有登录。请重试，或用其他方式登录。',
    upstreamRefused: '在对方服务的登录没有完成。请重试，或用其他方式登录。',
    upstreamStale: '对方服务没有要求您重新登录，而这里需要重新登录。请先在那里退出，然后重试。',
    begin: '操作超时，或期间发生了变化。请重新登录。',
    finished: '这次登录已经完成，但结果可能没有送达您的浏览器。请重新登录。',
    done: {
      nothing: '提交时您的登录已经结束，因此没有作任何更改。请登录后重新操作。',
      passwordChosen: '新密码已保存，之前的所有登录均已终止。请用新密码登录。',
      emailConfirmed: '电子邮件地址已确认。',
      deleted: '您的账户将被删除。登录后可以撤销。',
    },
    waitSeconds: ({ seconds }) => `请在 ${seconds} 秒后重试。`,
    waitMinutes: ({ minutes }) => `请在 ${minutes} 分钟后重试。`,
  },
)
