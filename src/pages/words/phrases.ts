/** Phrases that several pages share: moments, how long, the heads of the table. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

export const phrases = defineWords(
  {
    moment: ({ day, time }: { day: string; time: string }) => `${day}, ${time} UTC`,
    momentThere: ({ day, time }: { day: string; time: string }) => `${day}, ${time}`,
    zone: ({ zone, offset }: { zone: string; offset: string }) =>
      `Times are in the zone ${zone} (${offset}).`,
    justNow: 'just now',
    duration: {
      session: 'Until I log out',
      day: 'For one day',
      month: 'For one month',
      forever: 'Until I take it back',
    },
    asOf: ({ name, when }: { name: string; when: Markup }) => html`${name}, as of ${when}`,
    unverified: 'Unverified.',
    registeredItself: ({ when }: { when: Markup | null }) =>
      html`This application registered itself${when && html` on ${when}`}. Nobody here has checked who is behind it or whether its name is true.`,
    claimedPage: ({ host }: { host: Markup }) => html`It says that its page is at ${host}.`,
    comesFrom: ({ host }: { host: Markup }) =>
      html`This application comes from ${host}. That site vouches for its name; nobody here has checked it.`,
    firstSeen: ({ when }: { when: Markup }) => html`First seen here on ${when}.`,
    itsPage: 'Its page:',
    links: { help: 'Help', privacy: 'Privacy', terms: 'Terms' },
    table: { what: 'What', read: 'Read', write: 'Write', further: 'Further actions' },
    none: 'None',
    destructive: 'hard to undo',
  },
  {
    moment: ({ day, time }) => `${day} ${time} UTC`,
    momentThere: ({ day, time }) => `${day} ${time}`,
    zone: ({ zone, offset }) => `所示时间为 ${zone} 时区（${offset}）。`,
    justNow: '刚刚',
    duration: {
      session: '到我退出登录为止',
      day: '一天',
      month: '一个月',
      forever: '到我收回为止',
    },
    asOf: ({ name, when }) => html`${name}，截至 ${when}`,
    unverified: '未经核实。',
    registeredItself: ({ when }) =>
      html`此应用${when === null ? '是自行注册的' : html`于 ${when} 自行注册`}。我们没有核实它由谁运营，也没有核实它的名称是否真实。`,
    claimedPage: ({ host }) => html`它自称的主页在 ${host}。`,
    comesFrom: ({ host }) => html`此应用来自 ${host}。该网站为它的名称负责，我们没有核实。`,
    firstSeen: ({ when }) => html`首次出现于 ${when}。`,
    itsPage: '它的主页：',
    links: { help: '帮助', privacy: '隐私政策', terms: '使用条款' },
    table: { what: '内容', read: '读取', write: '写入', further: '其他操作' },
    none: '无',
    destructive: '难以撤销',
  },
)
