/** Words of the page of accesses that have ended. */
import { defineWords } from '../catalog.ts'

export const endedWords = defineWords(
  {
    toEnded: 'Accesses that have ended',
    heading: 'Accesses that have ended',
    about: ({ days }: { days: string }) =>
      `None of these reaches your things any more. Each is listed for ${days} days after its end. Its uses can be read for ${days} days. Nothing is kept of a deleted application.`,
    nothing: ({ days }: { days: string }) => `No access has ended in the last ${days} days.`,
    lookBack: 'See what was done with it',
    could: 'It could',
    between: '; ',
    ended: 'Ended',
    endedAt: 'This access ended:',
    more: 'Show more of them',
    back: 'Back to the applications with access',
  },
  {
    toEnded: '已终止的访问',
    heading: '已终止的访问',
    about: ({ days }) =>
      `以下访问都已不能再接触您的内容，终止后 ${days} 天内会列在这里。它们做过的事，从发生时起 ${days} 天内可以查看；应用一旦被删除，其记录不再保留。`,
    nothing: ({ days }) => `最近 ${days} 天没有访问终止。`,
    lookBack: '查看做过的事',
    could: '曾经可以',
    between: '；',
    ended: '终止时间',
    endedAt: '此访问已终止：',
    more: '显示更多',
    back: '返回可访问的应用',
  },
)
