/** What may be asked of the benchmark on its command line. */
import { parseArgs } from 'node:util'
import { type Operation, operations } from './load/job.ts'

export interface Options {
  readonly only: readonly Operation[]
  readonly seconds: number
  readonly rounds: number
  readonly peers: 'all' | 'none'
  readonly nodes: 1 | 2
  readonly stores: readonly ('sqlite' | 'postgres')[]
  /** Families stored before, for each database that is measured. */
  readonly stored: readonly number[]
  /** The name of the files in `bench/results/`. */
  readonly out: string
  /** Whether the tables go into docs/performance.md too. */
  readonly document: boolean
}

export const usage = `npm run bench -- [options]

  --only token,refresh    of: ${operations.join(', ')} (default: all)
  --seconds 1.5           each slice; every server has one in each round
  --rounds 3
  --peers none            without other people's servers (default: all)
  --store sqlite,postgres PostgreSQL only where one is found (default: both)
  --stored 10k,1m,5m      families stored before, one database for each (default: these)
  --nodes 1               without two nodes on one PostgreSQL (default: 2)
  --out latest            writes bench/results/NAME.json and NAME.svg
  --document              also writes the tables into docs/performance.md
`

class UsageFault extends Error {}

const listOf = <Known extends string>(
  name: string,
  text: string,
  known: readonly Known[],
): readonly Known[] =>
  text.split(',').map((word) => {
    const found = known.find((one) => one === word)
    if (found === undefined) {
      throw new UsageFault(`--${name}: expected any of ${known.join(', ')}, got ${word}`)
    }
    return found
  })

const numberOf = (name: string, text: string): number => {
  const found = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text)
  const value =
    Number(found?.[1]) * { '': 1, k: 1e3, m: 1e6 }[(found?.[2] ?? '').toLowerCase() as '']
  if (!(value > 0)) throw new UsageFault(`--${name}: expected a number above 0, got ${text}`)
  return value
}

/** @throws UsageFault, or what `parseArgs` throws */
export const parseOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: operations.join(',') },
      seconds: { type: 'string', default: '1.5' },
      rounds: { type: 'string', default: '3' },
      peers: { type: 'string', default: 'all' },
      store: { type: 'string', default: 'sqlite,postgres' },
      stored: { type: 'string', default: '10k,1m,5m' },
      nodes: { type: 'string', default: '2' },
      out: { type: 'string', default: 'latest' },
      document: { type: 'boolean', default: false },
    },
  })
  return {
    only: listOf('only', values.only, operations),
    seconds: numberOf('seconds', values.seconds),
    rounds: Math.ceil(numberOf('rounds', values.rounds)),
    peers: listOf('peers', values.peers, ['all', 'none'])[0] ?? 'all',
    stores: listOf('store', values.store, ['sqlite', 'postgres']),
    stored: values.stored.split(',').map((one) => numberOf('stored', one)),
    nodes: listOf('nodes', values.nodes, ['1', '2'])[0] === '1' ? 1 : 2,
    out: values.out,
    document: values.document,
  }
}
