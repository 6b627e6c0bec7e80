/** What may be asked of the benchmark on its command line. */
import { parseArgs } from 'node:util'
import { type KeyOperation, keyOperations, type Operation, operations } from './load/job.ts'
import { longestSlice } from './material.ts'
import { leastFamilies } from './stored.ts'
import { listOf, nameOf, numberOf, numbersOf } from './usage.ts'

export interface Options {
  readonly only: readonly (Operation | KeyOperation)[]
  readonly seconds: number
  readonly rounds: number
  readonly peers: 'all' | 'none'
  readonly nodes: 1 | 2
  readonly stores: readonly ('sqlite' | 'postgres')[]
  /** Families stored before, for each database that is measured. */
  readonly stored: readonly number[]
  /** The name of the files in `bench/results/`. */
  readonly out: string
  /** A commit to compare with; null without one. */
  readonly against: string | null
  /** Whether the tables go into bench/results/tables.md too. */
  readonly document: boolean
}

const measurable = [...operations, ...keyOperations]

export const usage = `npm run bench -- [options]

  --only token,refresh    of: ${measurable.join(', ')} (default: all)
  --seconds 0.6           each slice, at most ${longestSlice}; every server has one in each round
  --rounds 3
  --peers none            without other people's servers (default: all)
  --store sqlite,postgres PostgreSQL only where one is found (default: both)
  --stored 10k,5m         families stored before, at least ${leastFamilies / 1000}k, one database for each (default: these)
  --nodes 1               without two nodes on one PostgreSQL (default: 2)
  --against COMMIT        also Latchkey at that commit, in turns with this one (on SQLite with the first of --stored)
  --out latest            writes bench/results/NAME.json and NAME.svg
  --document              also writes the tables into bench/results/tables.md
`

/** @throws what a usage fault is, with a sentence */
export const parseOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: measurable.join(',') },
      seconds: { type: 'string', default: '0.6' },
      rounds: { type: 'string', default: '3' },
      peers: { type: 'string', default: 'all' },
      store: { type: 'string', default: 'sqlite,postgres' },
      stored: { type: 'string', default: '10k,5m' },
      nodes: { type: 'string', default: '2' },
      against: { type: 'string' },
      out: { type: 'string', default: 'latest' },
      document: { type: 'boolean', default: false },
    },
  })
  return {
    only: listOf('only', values.only, measurable),
    seconds: numberOf('seconds', values.seconds, 0.1),
    rounds: Math.ceil(numberOf('rounds', values.rounds, 1)),
    peers: listOf('peers', values.peers, ['all', 'none'])[0] ?? 'all',
    stores: listOf('store', values.store, ['sqlite', 'postgres']),
    stored: numbersOf('stored', values.stored, leastFamilies),
    nodes: listOf('nodes', values.nodes, ['1', '2'])[0] === '1' ? 1 : 2,
    against: values.against ?? null,
    out: nameOf('out', values.out),
    document: values.document,
  }
}
