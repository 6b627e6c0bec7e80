/** How the command line tells of what a store holds. */
import type { Counts } from '../store/transfer/backup-file.ts'

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
