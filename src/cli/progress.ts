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

interface Output {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const width = 30

const drawBar = (fraction: number): string => {
  const full = Math.floor(fraction * width)
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}]`
}

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
    output.write(isTerminal ? `\r\u001b[K${drawBar(fraction)} ${text}` : `${text}\n`)
  }
  /** Leaves the terminal as it should be. */
  const end = (): void => {
    if (isTerminal && last !== '') output.write('\r\u001b[K')
  }
  return { tell, end }
}

export const showProgress = (output: Output) => {
  const { tell, end } = showFraction(output)
  return {
    tell: ({ doing, table, fraction }: Progress): void =>
      tell(`${doing} ${table.replaceAll('_', ' ')}`, fraction),
    end,
  }
}
