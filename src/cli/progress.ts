/** How the command line tells of rows: their counts, and the progress of a long work. */

import type { Counts } from '../store/transfer/backup-file.ts'
import type { Progress } from '../store/transfer/copy.ts'

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

export interface ShownProgress {
  readonly tell: (progress: Progress) => void
  /** Leaves the terminal as it should be. */
  readonly end: () => void
}

interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const width = 30

const bar = (fraction: number): string => {
  const full = Math.floor(fraction * width)
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}]`
}

const wordsOf = ({ doing, table }: Progress): string => `${doing} ${table.replaceAll('_', ' ')}`

/** Shows how much is done: `fraction` is from 0 to 1. */
export const showFraction = (output: Output) => {
  const isTerminal = output.isTTY === true
  let last = ''
  const tell = (words: string, fraction: number): void => {
    const text = `${String(Math.floor(fraction * 100)).padStart(3)} %  ${words}`
    // A terminal shows every percent, a log one line for each thing that is done and each tenth.
    const said = isTerminal ? text : `${words} ${Math.floor(fraction * 10)}`
    if (said === last) return
    last = said
    output.write(isTerminal ? `\r\u001b[K${bar(fraction)} ${text}` : `${text}\n`)
  }
  const end = (): void => {
    if (isTerminal && last !== '') output.write('\r\u001b[K')
  }
  return { tell, end }
}

export const showProgress = (output: Output): ShownProgress => {
  const { tell, end } = showFraction(output)
  return { tell: (progress) => tell(wordsOf(progress), progress.fraction), end }
}
