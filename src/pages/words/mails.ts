/** Words of the mails. A mail holds no text that a stranger typed, but for names of accounts. */
import { defineWords } from '../catalog.ts'

interface At {
  /** The name of the service. */
  readonly service: string
}

interface Of extends At {
  readonly username: string
}

export const mailWords = defineWords(
  {
    reset: {
      subject: ({ service }: At) => `Choose a new password for ${service}`,
      why: ({ service, username }: Of) =>
        `Somebody asked for a new password for the account ${username} at ${service}.`,
      action: 'Choose a new password',
      otherwise: 'If it was not you, do nothing. Your password stays as it is.',
    },
    signup: {
      subject: ({ service }: At) => `Create your account at ${service}`,
      why: ({ service }: At) =>
        `Somebody asked for an account at ${service} with this email address.`,
      action: 'Create the account',
      otherwise: 'If it was not you, do nothing. No account is made.',
    },
    known: {
      subject: ({ service }: At) => `You have an account at ${service}`,
      why: ({ service, username }: Of) =>
        `Somebody asked for an account at ${service} with this email address. You have one already: ${username}.`,
      action: 'Log in',
      otherwise: 'If you forgot the password, choose a new one from the login page.',
    },
    verify: {
      subject: ({ service }: At) => `Confirm your email address for ${service}`,
      why: ({ service, username }: Of) =>
        `This becomes the email address of the account ${username} at ${service} once you confirm it.`,
      action: 'Confirm the address',
      otherwise: 'If it was not you, do nothing. The address is not used.',
    },
    moving: {
      subject: ({ service }: At) => `Your email address at ${service} may change`,
      why: ({ service, username }: Of) =>
        `Somebody logged in as ${username} at ${service} and asked for another email address. It counts once the new address is confirmed.`,
      action: 'Choose another password',
      otherwise: 'If it was you, do nothing. If not, choose another password now: that stops it.',
    },
    once: ({ end }: { end: string }) => `The link works once, until ${end}.`,
  },
  {
    reset: {
      subject: ({ service }) => `为 ${service} 选择新密码`,
      why: ({ service, username }) => `有人为 ${service} 的账户 ${username} 申请了新密码。`,
      action: '选择新密码',
      otherwise: '如果不是您本人，请忽略此邮件。您的密码保持不变。',
    },
    signup: {
      subject: ({ service }) => `创建您在 ${service} 的账户`,
      why: ({ service }) => `有人用此电子邮件地址在 ${service} 申请账户。`,
      action: '创建账户',
      otherwise: '如果不是您本人，请忽略此邮件。不会创建账户。',
    },
    known: {
      subject: ({ service }) => `您在 ${service} 已有账户`,
      why: ({ service, username }) =>
        `有人用此电子邮件地址在 ${service} 申请账户。您已有账户：${username}。`,
      action: '登录',
      otherwise: '如果忘记了密码，请在登录页面选择新密码。',
    },
    verify: {
      subject: ({ service }) => `确认您在 ${service} 的电子邮件地址`,
      why: ({ service, username }) =>
        `您确认后，此地址将成为 ${service} 的账户 ${username} 的电子邮件地址。`,
      action: '确认此地址',
      otherwise: '如果不是您本人，请忽略此邮件。此地址不会被使用。',
    },
    moving: {
      subject: ({ service }) => `您在 ${service} 的电子邮件地址可能会更改`,
      why: ({ service, username }) =>
        `有人以 ${username} 的身份登录 ${service}，并申请更换电子邮件地址。新地址确认后才会生效。`,
      action: '更换密码',
      otherwise: '如果是您本人，请忽略此邮件。如果不是，请立即更换密码，这样即可阻止更改。',
    },
    once: ({ end }) => `此链接只能使用一次，有效期至 ${end}。`,
  },
)
