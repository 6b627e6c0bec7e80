/** Words of the page of recent events: what happened to an account, in plain words. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

interface OfClient {
  readonly client: Markup
}

interface WithPermissions extends OfClient {
  /** Such as `Photos (read, write)`; '' for none. */
  readonly what: string
}

interface WithRefused extends OfClient {
  readonly refused: string
}

export const eventWords = defineWords(
  {
    heading: 'What happened to your account',
    about: 'The latest is first. If something was not you, choose another password.',
    nothing: 'There is nothing to show yet.',
    from: ({ network }: { network: Markup }) => html`from ${network}`,
    by: {
      you: 'by you',
      operator: 'by whoever runs this service',
      client: ({ client }: OfClient) => html`by ${client}`,
    },
    older: 'Show earlier ones',
    goneClient: 'an application that is gone',
    untilTakenBack: 'you take it back',
    othersEnded: ({ sessions }: { sessions: string }) =>
      html`All other logins were ended, ${sessions} of them.`,
    pausedUnused: ({ client, days }: OfClient & { readonly days: string }) =>
      html`${client} was paused, because it was not used for ${days} days.`,
    usedCode:
      'A one-time code that had been used, or one from before it, came again for another login. If you did not log in twice within a minute or so, somebody may know your password and have seen that code.',
    separator: ', ',
    permissions: ({ title, actions }: { title: string; actions: string }) =>
      `${title} (${actions})`,
    actions: { read: 'read', write: 'write' },
    factors: {
      passkey: 'a passkey',
      'one-time codes': 'one-time codes',
      'one-time code': 'a one-time code',
      'recovery codes': 'recovery codes',
      'recovery code': 'a recovery code',
      'passkey only': 'a passkey, beside the password',
      all: 'everything but the password',
    },
    refusals: {
      approved: ({ client, what, refused }: WithPermissions & WithRefused) =>
        html`${client} was allowed access: ${what}. Not allowed: ${refused}.`,
      narrowed: ({ client, what, refused }: WithPermissions & WithRefused) =>
        html`An earlier access of ${client} lost what you did not allow again: ${refused}. What is left: ${what}.`,
      ended: ({ client, refused }: WithRefused) =>
        html`An earlier access of ${client} ended, because you did not allow again all that it had: ${refused}.`,
    },
    happened: {
      'owner.created': 'Your account was made.',
      'owner.changed': 'Your account was changed by whoever runs this service.',
      'owner.deleted': 'Your account was deleted.',
      'owner.profile_changed': 'You changed your profile.',
      'owner.deletion_requested':
        'You deleted your account. All logins and all access ended. It can be undone for some time.',
      'owner.deletion_undone': 'You kept your account after all.',
      'owner.password_changed': 'Your password was changed. All other logins ended.',
      'owner.email_verified': 'Your email address was confirmed.',
      'link.issued': 'A link to your account was made, such as one to choose a new password.',
      'mail.sent': 'A mail about your account was sent to your email address.',
      'mail.failed': 'A mail about your account could not be delivered.',
      'mail.held_back': 'A mail about your account was not sent, because there were too many.',
      'login.succeeded': 'You logged in.',
      'login.failed': 'Somebody tried your name with a wrong password.',
      'login.second_factor_failed': ({ factor }: { factor: string }) =>
        html`Somebody knew your password, but not what is asked beside it: ${factor}.`,
      'recovery_code.used': 'A recovery code was used. It does not count again.',
      'passkey.counter_regressed':
        'A passkey was refused, because there may be a copy of it. Remove it if you do not trust it.',
      'factor.added': ({ factor }: { factor: string }) =>
        html`This now counts when you log in: ${factor}.`,
      'factor.removed': ({ factor }: { factor: string }) =>
        html`This no longer counts when you log in: ${factor}.`,
      'upstream.linked': 'An account at another service was linked. It logs you in here now.',
      'upstream.unlinked': 'An account at another service no longer logs you in here.',
      'session.ended': 'A login ended.',
      'logout.delivered': ({ client }: OfClient) => html`${client} was told of your logout.`,
      'logout.failed': ({ client }: OfClient) =>
        html`${client} could not be told of your logout. You may still be logged in there.`,
      'client.changed_itself': ({ client }: OfClient) =>
        html`${client} changed itself. You are asked again before it gets access anew.`,
      'authorization.approved': ({ client, what }: WithPermissions) =>
        html`${client} was allowed access: ${what}.`,
      'authorization.narrowed': ({ client, what }: WithPermissions) =>
        html`The access of ${client} was narrowed. What is left: ${what}.`,
      'authorization.end_changed': ({ client, end }: OfClient & { readonly end: Markup }) =>
        html`The access of ${client} now lasts until ${end}.`,
      'authorization.ended': ({ client }: OfClient) => html`The access of ${client} ended.`,
      'authorization.paused': ({ client }: OfClient) => html`${client} was paused.`,
      'authorization.resumed': ({ client }: OfClient) => html`${client} was resumed.`,
      'code.replayed': ({ client }: OfClient) =>
        html`A code for ${client} came twice. Its access was ended, to be safe.`,
      'code.burned': ({ client }: OfClient) =>
        html`A code for ${client} came with a wrong proof and was thrown away.`,
      'refresh_token.repeated': ({ client }: OfClient) =>
        html`${client} renewed its access twice in a row, the second time from another network. That happens when a connection changes. If yours did not, take back its access.`,
      'refresh_token.reused': ({ client }: OfClient) =>
        html`An old key of ${client} came back, as after a theft. That device has to ask you again.`,
      'token.revoked': ({ client }: OfClient) => html`${client} gave a key back.`,
      'family.revoked': ({ client }: OfClient) => html`${client} gave its keys on one device back.`,
    },
  },
  {
    heading: '您账户的近期活动',
    about: '最新的排在最前。如果其中有不是您本人的操作，请更换密码。',
    nothing: '目前还没有内容。',
    from: ({ network }) => html`来自 ${network}`,
    by: {
      you: '由您本人操作',
      operator: '由服务运营者操作',
      client: ({ client }) => html`由 ${client} 操作`,
    },
    older: '显示更早的活动',
    goneClient: '一个已不存在的应用',
    untilTakenBack: '您收回为止',
    othersEnded: ({ sessions }) => html`所有其他登录均已终止，共 ${sessions} 个。`,
    pausedUnused: ({ client, days }) => html`${client} 已被暂停，因为它已有 ${days} 天未被使用。`,
    usedCode:
      '一个已经用过的一次性验证码，或比它更早的验证码，又被用于另一次登录。如果您没有在一分钟左右的时间内登录两次，那么可能有人知道您的密码，并看到了这个验证码。',
    separator: '、',
    permissions: ({ title, actions }) => `${title}（${actions}）`,
    actions: { read: '读取', write: '写入' },
    factors: {
      passkey: '通行密钥',
      'one-time codes': '一次性验证码',
      'one-time code': '一次性验证码',
      'recovery codes': '恢复码',
      'recovery code': '恢复码',
      'passkey only': '通行密钥（配合密码）',
      all: '密码以外的全部方式',
    },
    refusals: {
      approved: ({ client, what, refused }) =>
        html`${client} 获得了访问权限：${what}。未允许：${refused}。`,
      narrowed: ({ client, what, refused }) =>
        html`${client} 之前的一项访问失去了您未再允许的权限：${refused}。剩余：${what}。`,
      ended: ({ client, refused }) =>
        html`${client} 之前的一项访问已终止，因为您未再允许它的全部权限：${refused}。`,
    },
    happened: {
      'owner.created': '您的账户已创建。',
      'owner.changed': '服务运营者更改了您的账户。',
      'owner.deleted': '您的账户已删除。',
      'owner.profile_changed': '您更改了个人资料。',
      'owner.deletion_requested': '您删除了账户，所有登录和访问均已终止。在一段时间内可以撤销。',
      'owner.deletion_undone': '您撤销了删除，账户已保留。',
      'owner.password_changed': '您的密码已更换，所有其他登录均已终止。',
      'owner.email_verified': '您的电子邮件地址已确认。',
      'link.issued': '已生成一个指向您账户的链接，例如用于选择新密码。',
      'mail.sent': '一封有关您账户的邮件已发送到您的电子邮件地址。',
      'mail.failed': '一封有关您账户的邮件未能送达。',
      'mail.held_back': '一封有关您账户的邮件未发送，因为邮件过多。',
      'login.succeeded': '您登录了。',
      'login.failed': '有人用您的名字和错误的密码尝试登录。',
      'login.second_factor_failed': ({ factor }) =>
        html`有人知道您的密码，但没有通过另一项验证：${factor}。`,
      'recovery_code.used': '使用了一个恢复码，它不能再次使用。',
      'passkey.counter_regressed':
        '一个通行密钥被拒绝，因为它可能被复制过。如果您不再信任它，请将其移除。',
      'factor.added': ({ factor }) => html`登录时开始使用：${factor}。`,
      'factor.removed': ({ factor }) => html`登录时不再使用：${factor}。`,
      'upstream.linked': '已关联其他服务的账户，今后可用它登录。',
      'upstream.unlinked': '其他服务的账户不再能登录这里。',
      'session.ended': '一个登录已终止。',
      'logout.delivered': ({ client }) => html`${client} 已收到您退出登录的通知。`,
      'logout.failed': ({ client }) =>
        html`无法通知 ${client} 您已退出登录。您在那里可能仍处于登录状态。`,
      'client.changed_itself': ({ client }) =>
        html`${client}更改了自己的信息。它再次获取访问之前，会重新征求您的同意。`,
      'authorization.approved': ({ client, what }) => html`${client} 获得了访问权限：${what}。`,
      'authorization.narrowed': ({ client, what }) =>
        html`${client} 的访问权限已缩小，剩余：${what}。`,
      'authorization.end_changed': ({ client, end }) =>
        html`${client} 的访问权限现在持续到 ${end}。`,
      'authorization.ended': ({ client }) => html`${client} 的访问已终止。`,
      'authorization.paused': ({ client }) => html`${client} 已被暂停。`,
      'authorization.resumed': ({ client }) => html`${client} 已恢复。`,
      'code.replayed': ({ client }) =>
        html`发给 ${client} 的一个授权码出现了两次，为安全起见，由它获得的权限已终止。`,
      'code.burned': ({ client }) => html`发给 ${client} 的一个授权码附带了错误的证明，已作废。`,
      'refresh_token.repeated': ({ client }) =>
        html`${client} 连续两次续期访问，第二次来自另一个网络。网络切换时会出现这种情况。如果您的网络没有变化，请收回它的访问权限。`,
      'refresh_token.reused': ({ client }) =>
        html`${client} 的一个旧密钥再次出现，可能已被盗用。该设备需要重新征求您的同意。`,
      'token.revoked': ({ client }) => html`${client} 交还了一个密钥。`,
      'family.revoked': ({ client }) => html`${client} 交还了它在一台设备上的密钥。`,
    },
  },
)
