/** Words about uses: the drawing on the account page, and the ledger. */
import { defineWords } from '../catalog.ts'
import { html, type Markup } from '../markup.ts'

const plural = (count: string, one: string, many: string): string =>
  `${count} ${count === '1' ? one : many}`

export const useWords = defineWords(
  {
    unused: ({ client, days }: { client: Markup; days: string }) =>
      html`${client} has not used its access for ${days} days. Does it still need it? If not, end all access below.`,
    unusedOne: ({ client, days }: { client: Markup; days: string }) =>
      html`${client} has not used this access for ${days} days. Does it still need it? If not, end this access below.`,
    drawing: 'Uses per day',
    /** `told` names each number. */
    summary: ({ days, told }: { days: string; told: Markup }) =>
      html`In the last ${days} days: ${told}.`,
    nothing: ({ days }: { days: string }) => `Not used in the last ${days} days.`,
    reads: ({ count }: { count: string }) => `read ${plural(count, 'time', 'times')}`,
    writes: ({ count }: { count: string }) => `wrote ${plural(count, 'time', 'times')}`,
    checks: ({ count }: { count: string }) => `used ${plural(count, 'time', 'times')} elsewhere`,
    refused: ({ count }: { count: string }) => `refused ${plural(count, 'time', 'times')}`,
    and: ', ',
    today: 'today (UTC)',
    numbers: 'The numbers, day by day',
    columns: {
      day: 'Day (UTC)',
      reads: 'Read',
      writes: 'Wrote',
      checks: 'Elsewhere',
      refused: 'Refused',
    },
    toLedger: 'What it did, in detail',
    toLedgerOf: ({ client }: { client: Markup }) => html` (${client})`,
    heading: ({ client }: { client: Markup }) => html`What ${client} did`,
    about: ({ days }: { days: string }) =>
      `The latest is first. Equal uses within one minute are one line; on a busy day, within one hour or the day. Lines are kept for ${days} days, with the network and no address.`,
    oneHour: 'one hour',
    oneDay: 'the day (UTC)',
    download: 'Download as JSON',
    inParts: ({ lines }: { lines: string }) =>
      `A file holds ${lines} lines: those above and older ones. There are more than that.`,
    nextPart: 'Go to the lines of the next file',
    back: 'Back to all applications',
    empty: ({ days }: { days: string }) =>
      `There is nothing to show: it has done nothing in the last ${days} days.`,
    older: 'Show older lines',
    caption: ({ client }: { client: Markup }) => html`Uses by ${client}`,
    heads: { when: 'When', what: 'What', network: 'From', outcome: 'Outcome' },
    read: ({ resource }: { resource: string }) => html`Read: ${resource}`,
    write: ({ resource }: { resource: string }) => html`Write: ${resource}`,
    check: ({ api }: { api: Markup }) =>
      html`Used at ${api}, another API, which asked here whether it may`,
    times: ({ count }: { count: string }) => `${count} times`,
    allowed: 'Allowed',
    notAllowed: 'Refused',
    anyNetwork: 'Other networks',
    fromElsewhere: 'only that API knows',
  },
  {
    unused: ({ client, days }) =>
      html`${client} 已有 ${days} 天没有使用它的访问权限。它还需要吗？如果不需要，请在下方终止全部访问。`,
    unusedOne: ({ client, days }) =>
      html`${client} 已有 ${days} 天没有使用这项访问。它还需要吗？如果不需要，请在下方终止这项访问。`,
    drawing: '每天的使用次数',
    summary: ({ days, told }) => html`最近 ${days} 天：${told}。`,
    nothing: ({ days }) => `最近 ${days} 天没有使用。`,
    reads: ({ count }) => `读取 ${count} 次`,
    writes: ({ count }) => `写入 ${count} 次`,
    checks: ({ count }) => `在别处使用 ${count} 次`,
    refused: ({ count }) => `被拒绝 ${count} 次`,
    and: '，',
    today: '今天（UTC）',
    numbers: '每天的具体数字',
    columns: {
      day: '日期（UTC）',
      reads: '读取',
      writes: '写入',
      checks: '别处',
      refused: '拒绝',
    },
    toLedger: '查看它做过的事',
    toLedgerOf: ({ client }) => html`（${client}）`,
    heading: ({ client }) => html`${client} 做过的事`,
    about: ({ days }) =>
      `最新的排在最前。一分钟内相同的操作合为一行；操作很多的日子里，一小时或一天内的合为一行。记录保留 ${days} 天，地址只保留所在网络。`,
    oneHour: '一小时内',
    oneDay: '当天（UTC）',
    download: '下载 JSON 文件',
    inParts: ({ lines }) => `每个文件包含 ${lines} 行：以上记录及更早的记录。此外还有更多。`,
    nextPart: '转到下一个文件的记录',
    back: '返回所有应用',
    empty: ({ days }) => `没有可显示的内容：最近 ${days} 天它什么都没有做。`,
    older: '显示更早的记录',
    caption: ({ client }) => html`${client} 的使用记录`,
    heads: { when: '时间', what: '内容', network: '来源', outcome: '结果' },
    read: ({ resource }) => html`读取：${resource}`,
    write: ({ resource }) => html`写入：${resource}`,
    check: ({ api }) => html`在另一个 API（${api}）使用，该 API 曾在此查询它是否获准`,
    times: ({ count }) => `${count} 次`,
    allowed: '允许',
    notAllowed: '拒绝',
    anyNetwork: '其他网络',
    fromElsewhere: '只有该 API 知道',
  },
)
