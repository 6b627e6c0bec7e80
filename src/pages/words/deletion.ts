/** Words of the pages on which an owner deletes the account, or keeps it after all. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

interface Until {
  readonly when: Markup
}

export const deletionWords = defineWords(
  {
    heading: 'Delete your account?',
    effect: 'All logins and all access of applications end at once.',
    until: ({ when }: Until) =>
      html`On ${when} everything stored about you is deleted. Until then you can log in and undo it.`,
    confirmation: ({ username }: { username: Markup }) =>
      html`To confirm, write your username: ${username}`,
    differs: 'That is not your username. Nothing was deleted.',
    delete: 'Delete my account',
    leavingHeading: 'Keep your account?',
    leaving: ({ when }: Until) => html`You deleted this account. It is gone on ${when}.`,
    leavingEffect:
      'If you keep it, your profile and your data stay. Applications have to ask you again.',
    keep: 'Keep my account',
    leave: 'Log out, and let it be deleted',
  },
  {
    heading: '要删除您的账户吗？',
    effect: '所有登录和应用的所有访问会立即终止。',
    until: ({ when }) =>
      html`到 ${when}，与您有关的全部数据都会被删除。在此之前，您可以登录并撤销删除。`,
    confirmation: ({ username }) => html`请输入您的用户名以确认：${username}`,
    differs: '这不是您的用户名，没有删除任何内容。',
    delete: '删除我的账户',
    leavingHeading: '要保留您的账户吗？',
    leaving: ({ when }) => html`您删除了此账户，它将于 ${when} 消失。`,
    leavingEffect: '如果保留，您的个人资料和数据都会留下，应用需要重新征求您的同意。',
    keep: '保留我的账户',
    leave: '退出登录，让账户被删除',
  },
)
