/** Words of the account page. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

export const accountWords = defineWords(
  {
    heading: 'Applications with access',
    lastUsed: 'Last used',
    never: 'never',
    since: 'Allowed since',
    until: 'Until',
    untilLogout: 'you log out',
    untilLogoutOr: ({ when }: { when: Markup }) => html`you log out, at the latest ${when}`,
    untilTakenBack: 'you take it back',
    used: ({ when, ago }: { when: Markup; ago: string }) => html`${when} (${ago})`,
    may: ({ client }: { client: Markup }) => html`What ${client} may do`,
    notAllowed: 'Not allowed',
    narrow: 'Keep only what is switched on',
    narrowOf: ({ client }: { client: Markup }) => html` for ${client}`,
    end: 'End all access',
    endOne: 'End this access',
    endEvery: 'End every access',
    installations: ({ client, count }: { client: Markup; count: string }) =>
      html`${count} installations of ${client} have access, each with its own permissions.`,
    endInstallations: ({ count }: { count: string }) => `End the access of all ${count}`,
    hasOthers: ({ client }: { client: Markup }) =>
      html`${client} has another access, on a card of its own.`,
    endOf: ({ client }: { client: Markup }) => html` of ${client}`,
    disabled: ({ client }: { client: Markup }) =>
      html`The operator of this service has disabled ${client}: it can do nothing at the moment. If it is enabled again, what is allowed here holds again.`,
    nothing:
      'No application may reach your things. When you allow one, it will be listed here, and you can take that back at any time.',
    changeEnd: 'Change the end',
    newEnd: ({ client }: { client: Markup }) => html`How long ${client} keeps its access`,
    lastDay: 'Last day (UTC)',
    setEnd: 'Set the end',
    badEnd: ({ today }: { today: string }) =>
      `Nothing was changed: choose a day from today on, within ten years. Days begin and end by UTC, where today is ${today}.`,
    gone: 'That access had ended before. Nothing was changed.',
    done: {
      narrowed: ({ client }: { client: Markup }) =>
        html`Saved. ${client} keeps only what is switched on.`,
      ended: ({ client }: { client: Markup }) => html`The access of ${client} has ended.`,
      until: ({ client }: { client: Markup }) => html`The new end for ${client} is set.`,
      paused: ({ client }: { client: Markup }) => html`${client} is paused.`,
      resumed: ({ client }: { client: Markup }) => html`${client} is resumed.`,
    },
    doneToOne: {
      narrowed: ({ client }: { client: Markup }) =>
        html`Saved. This access of ${client} keeps only what is switched on. Its other access is as it was.`,
      ended: ({ client }: { client: Markup }) =>
        html`This access of ${client} has ended. It still has another one.`,
      until: ({ client }: { client: Markup }) =>
        html`The new end of this access of ${client} is set. Its other access is as it was.`,
      paused: ({ client }: { client: Markup }) => html`Every access of ${client} is paused.`,
      resumed: ({ client }: { client: Markup }) => html`Every access of ${client} is resumed.`,
    },
    more: 'Show more applications',
  },
  {
    heading: '可访问的应用',
    lastUsed: '最近使用',
    never: '从未',
    since: '允许时间',
    until: '有效期至',
    untilLogout: '您退出登录',
    untilLogoutOr: ({ when }) => html`您退出登录，最迟 ${when}`,
    untilTakenBack: '您收回为止',
    used: ({ when, ago }) => html`${when}（${ago}）`,
    may: ({ client }) => html`${client} 可以做的事`,
    notAllowed: '不允许',
    narrow: '只保留已开启的权限',
    narrowOf: ({ client }) => html`（${client}）`,
    end: '终止全部访问',
    endOne: '终止这项访问',
    endEvery: '终止每一项访问',
    installations: ({ client, count }) =>
      html`${client} 有 ${count} 个安装可以访问，各有自己的权限。`,
    endInstallations: ({ count }) => `终止全部 ${count} 个安装的访问`,
    hasOthers: ({ client }) => html`${client} 还有另一项访问，单独列出。`,
    endOf: ({ client }) => html`（${client}）`,
    disabled: ({ client }) =>
      html`本服务的运营者已停用 ${client}，它目前什么都不能做。如果重新启用，这里允许的权限会再次有效。`,
    nothing: '目前没有应用可以访问您的内容。您允许某个应用后，它会列在这里，您可以随时收回权限。',
    changeEnd: '更改有效期',
    newEnd: ({ client }) => html`${client} 保留访问权限的时间`,
    lastDay: '最后一天（UTC）',
    setEnd: '设定有效期',
    badEnd: ({ today }) =>
      `未作任何更改：请选择从今天起十年内的日期。日期按 UTC 计算，UTC 的今天是 ${today}。`,
    gone: '该访问此前已经终止，未作任何更改。',
    done: {
      narrowed: ({ client }) => html`已保存。${client} 只保留已开启的权限。`,
      ended: ({ client }) => html`${client} 的访问已终止。`,
      until: ({ client }) => html`${client} 的新有效期已设定。`,
      paused: ({ client }) => html`${client} 已暂停。`,
      resumed: ({ client }) => html`${client} 已恢复。`,
    },
    doneToOne: {
      narrowed: ({ client }) =>
        html`已保存。${client} 的这项访问只保留已开启的权限，另一项访问不变。`,
      ended: ({ client }) => html`${client} 的这项访问已终止，它还有另一项访问。`,
      until: ({ client }) => html`${client} 的这项访问的新有效期已设定，另一项访问不变。`,
      paused: ({ client }) => html`${client} 的每一项访问都已暂停。`,
      resumed: ({ client }) => html`${client} 的每一项访问都已恢复。`,
    },
    more: '显示更多应用',
  },
)
