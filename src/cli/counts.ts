/** How the command line tells of what a store holds. */
import type { Counts } from '../store/transfer/backup-format.ts'

const number = (count: number): string => count.toLocaleString('en')

/** One line for each table that has rows. */
export const renderCounts = (counts: Counts): string => {
  const lines = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([table, count]) => [table.replaceAll('_', ' '), number(count)] as const)
  const left = Math.max(0, ...lines.map(([table]) => table.length))
  const right = Math.max(0, ...lines.map(([, count]) => count.length))
  return lines
    .map(([table, count]) => `  ${table.padEnd(left)}  ${count.padStart(right)}`)
    .join('\n')
}

export const countOf = (count: number, one: string, many: string): string =>
  `${number(count)} ${count === 1 ? one : many}`

/** Unix seconds as people read them. */
export const renderTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC')

/** Paragraphs with an empty line between them; null where one does not apply. */
export const paragraphs = (...texts: readonly (string | null)[]): string =>
  texts.filter((text) => text !== null && text !== '').join('\n\n')
