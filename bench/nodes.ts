/** Two nodes on one PostgreSQL, beside one alone: each node on a core of its own, load from both cores in both cases. */
import type { Postgres } from '../test/store/postgres.ts'
import type { Generator } from './generator.ts'
import { startGenerator } from './generator.ts'
import type { Operation } from './load/job.ts'
import { connections, Supplies } from './material.ts'
import type { Options } from './options.ts'
import { comeToRest, cpuSeconds } from './resources.ts'
import { median, type NodesRow, type NodesSample } from './results.ts'
import { lingerMilliseconds } from './server-slice.ts'
import { latchkey } from './subjects/latchkey.ts'
import { type Running, start } from './subjects/subject.ts'
import { warmUp } from './warm.ts'

/** One of each kind: no statement, one durable write, reads. */
const scaled: readonly Operation[] = ['token', 'refresh', 'introspect', 'read']

type Two<Value> = readonly [Value, Value]

const cpuOf = (nodes: Two<Running>): number | null => {
  const each = nodes.map(({ pid }) => cpuSeconds(pid))
  return each.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0)
}

/** What the two nodes do for load that asks `asked`, one for each generator. */
const measureSlice = async (
  operation: Operation,
  seconds: number,
  asked: Two<Running>,
  nodes: Two<Running>,
  generators: Two<Generator>,
  supplies: Supplies,
): Promise<NodesSample> => {
  const material = await supplies.get(operation, seconds)
  const before = cpuOf(nodes)
  const outcomes = await Promise.all(
    generators.map((generator, i) =>
      generator.run({
        work: operation,
        target: (i === 0 ? asked[0] : asked[1]).target,
        seconds,
        connections: connections / 2,
        most: null,
        rate: null,
        awake: false,
        material: material.filter((_, at) => at % 2 === i),
        keep: 1000,
      }),
    ),
  )
  await Promise.all(
    nodes.map(({ pid, subject }) => comeToRest(pid, lingerMilliseconds(subject, operation))),
  )
  const after = cpuOf(nodes)
  const [first] = outcomes
  const isRight = outcomes.every((outcome) => outcome.wrong === 0)
  if (first !== undefined) {
    supplies.took(operation, { ...first, kept: outcomes.flatMap(({ kept }) => kept) })
  }
  const done = outcomes.reduce((sum, outcome) => sum + outcome.done, 0)
  return {
    // However fast, what is wrong counts as nothing.
    perSecond: isRight ? done / Math.max(...outcomes.map((outcome) => outcome.seconds), 0.001) : 0,
    cpuMicroseconds:
      before === null || after === null ? null : ((after - before) * 1e6) / Math.max(done, 1),
  }
}

const summary = (samples: readonly NodesSample[]): NodesSample => {
  const told = samples.flatMap(({ cpuMicroseconds: us }) => (us === null ? [] : [us]))
  return {
    perSecond: Math.round(median(samples.map(({ perSecond }) => perSecond))),
    cpuMicroseconds: told.length === 0 ? null : median(told),
  }
}

/** All rounds of one operation, one node and two nodes in turns, after both are warm. */
const measureOperation = async (
  operation: Operation,
  { rounds, seconds }: Options,
  nodes: Two<Running>,
  generators: Two<Generator>,
  supplies: Supplies,
): Promise<NodesRow> => {
  const alone: NodesSample[] = []
  const both: NodesSample[] = []
  const slice = (asked: Two<Running>) =>
    measureSlice(operation, seconds, asked, nodes, generators, supplies)
  const first: Two<Running> = [nodes[0], nodes[0]]
  for (const asked of [first, nodes]) await warmUp(async () => (await slice(asked)).perSecond)
  for (let round = 0; round < rounds; round++) {
    alone.push(await slice(first))
    both.push(await slice(nodes))
  }
  return { operation, one: summary(alone), two: summary(both), slices: { one: alone, two: both } }
}

/**
 * A store on SQLite belongs to one process, so this is for PostgreSQL alone.
 *
 * @param rows filled in one by one
 */
export const measureNodes = async (
  postgres: Postgres,
  folder: string,
  options: Options,
  rows: NodesRow[],
  say: (line: string) => void,
): Promise<void> => {
  const asked = scaled.filter((operation) => options.only.includes(operation))
  if (asked.length === 0) return
  const store = await postgres.newDatabase()
  const about = { name: 'Latchkey, two nodes', about: '', store, stored: 0 }
  const generators: Two<Generator> = [startGenerator('load'), startGenerator('load beside')]
  const started: Running[] = []
  try {
    const first = await start(latchkey({ ...about, place: 'server' }, folder))
    started.push(first)
    // Tokens hold for one issuer.
    const issuer = `http://127.0.0.1:${first.target.port}`
    const second = await start(latchkey({ ...about, place: 'server beside', issuer }, folder))
    started.push(second)
    const supplies = new Supplies(first, generators[0])
    for (const operation of asked) {
      say(`measuring ${operation} on one node and on two`)
      rows.push(await measureOperation(operation, options, [first, second], generators, supplies))
    }
  } finally {
    for (const running of started) await running.stop('SIGKILL')
    for (const generator of generators) await generator.close()
  }
}
