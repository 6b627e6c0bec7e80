/** Words of the page of accesses that have ended. */
import { defineWords } from '../catalog.ts'

export const endedWords = defineWords(
  {
    toEnded: 'Accesses that have ended',
    heading: 'Accesses that have ended',
    about: ({ days }: { days: string }) =>
      `None of these reaches your things any more. What was done with them can be read for ${days} days after their end; of an application that was deleted nothing is kept.`,
    nothing: ({ days }: { days: string }) => `No access has ended in the last ${days} days.`,
    ended: 'Ended',
    endedAt: 'This access ended:',
    more: 'Show more of them',
    back: 'Back to the applications with access',
  },
  {
    toEnded: '已终止的访问',
    heading: '已终止的访问',
    about: ({ days }) =>
      `以下访问都已不能再接触您的内容。终止后 ${days} 天内，您仍可查看它们做过的事；应用一旦被删除，其记录不再保留。`,
    nothing: ({ days }) => `最近 ${days} 天没有访问终止。`,
    ended: '终止时间',
    endedAt: '此访问已终止：',
    more: '显示更多',
    back: '返回可访问的应用',
  },
)
