/** Words of the page on which an owner chooses another password. */
import { defineWords } from '../catalog.ts'

export const passwordWords = defineWords(
  {
    heading: 'Choose another password',
    effect:
      'All other logins end, and applications send you through a login here again. What you allowed them stays.',
    old: 'Your current password',
    next: 'The new password',
    again: 'The new password once more',
    rule: ({ least, most }: { least: number; most: number }) =>
      `At least ${least} characters; at most ${most} letters of the Latin alphabet, fewer of other scripts. Several words with spaces between them are good. Passwords that many people choose, and your own name, are refused.`,
    submit: 'Change the password',
    problem: {
      wrong: 'Nothing was changed: your current password was wrong.',
      length: 'Nothing was changed: the new password is too short or too long.',
      common:
        'Nothing was changed: the new password is one that many people choose, or a simple row of characters.',
      names:
        'Nothing was changed: the new password is made of your name, your email address or the name of this service.',
      differ: 'Nothing was changed: the two new passwords are not the same.',
      same: 'Nothing was changed: the new password is the current one.',
      throttled: 'Nothing was changed: there were too many wrong tries.',
    },
    done: { changed: 'The password has been changed. All other logins have ended.' },
  },
  {
    heading: '更换密码',
    effect: '所有其他登录都会终止，各应用会要求您在这里重新登录。您给它们的授权保持不变。',
    old: '当前密码',
    next: '新密码',
    again: '再次输入新密码',
    rule: ({ least, most }) =>
      `至少 ${least} 个字符；最多 ${most} 个拉丁字母，其他文字则更少。用空格隔开的几个词就很好。许多人都在用的密码以及您自己的名字会被拒绝。`,
    submit: '更换密码',
    problem: {
      wrong: '未作任何更改：当前密码不正确。',
      length: '未作任何更改：新密码过短或过长。',
      common: '未作任何更改：许多人都在用这个新密码，或者它只是一串简单的字符。',
      names: '未作任何更改：新密码由您的名字、电子邮件地址或本服务的名称组成。',
      differ: '未作任何更改：两次输入的新密码不一致。',
      same: '未作任何更改：新密码与当前密码相同。',
      throttled: '未作任何更改：错误尝试次数过多。',
    },
    done: { changed: '密码已更换，所有其他登录均已终止。' },
  },
)
