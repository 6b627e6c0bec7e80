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
    narrow: 'Keep only what is ticked',
    narrowOf: ({ client }: { client: Markup }) => html` for ${client}`,
    end: 'End all access',
    endOf: ({ client }: { client: Markup }) => html` of ${client}`,
    nothing:
      'No application may reach your things. When you allow one, it will be listed here, and you can take that back at any time.',
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
    narrow: '只保留勾选的权限',
    narrowOf: ({ client }) => html`（${client}）`,
    end: '终止全部访问',
    endOf: ({ client }) => html`（${client}）`,
    nothing: '目前没有应用可以访问您的内容。您允许某个应用后，它会列在这里，您可以随时收回权限。',
    more: '显示更多应用',
  },
)
