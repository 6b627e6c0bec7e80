/**
 * A store over many machines beside one on plain PostgreSQL, on the same cores:
 * `node bin/latchkey.js run bench/citus/main.ts [postgres://COORDINATOR/DATABASE]`, or by LATCHKEY_TEST_CITUS.
 * Each round measures both, in turns. A ratio is the median of the ratios of the rounds.
 */
import { drawRandom as random } from '../../src/crypto/digest.ts'
import { speakCitus } from '../../src/store/engines/citus/dialect.ts'
import { type Dialect, plain } from '../../src/store/engines/postgres/dialect.ts'
import { openPostgres } from '../../src/store/engines/postgres/postgres.ts'
import { createSqlStore } from '../../src/store/sql/sql-store.ts'
import { shardKeys } from '../../test/store/moments.ts'
import { median } from '../results.ts'
import { refuse } from '../usage.ts'
import { makeDatabases } from './databases.ts'
import { explainWork, record } from './statements.ts'
import { type Operation, openWork, operations, type Work } from './work.ts'

const rounds = 5
const sliceMilliseconds = 700
const inFlight = [64, 256] as const
const lookMilliseconds = 5000

/** Both read each time, so that engines are compared and no cache. */
const noCache = { invalidate() {}, invalidateAll() {} }

const url = process.argv[2] ?? process.env.LATCHKEY_TEST_CITUS
if (url === undefined) refuse('expected the URL of a coordinator, or LATCHKEY_TEST_CITUS')
const databases = await makeDatabases(url ?? '')

const tell = (told: object): void => {
  process.stdout.write(`${JSON.stringify(told)}\n`)
}

const open = async (name: 'citus' | 'plain', dialect: Dialect) => {
  const database = await openPostgres({ url: databases[name], random }, noCache, dialect)
  const store = createSqlStore(database)
  // Ids of samples have no times.
  await store.noteTime(0)
  // As in a service: without a look at its machines from time to time, all goes by the coordinator.
  const looks = setInterval(() => store.noteTime(0).catch(() => {}), lookMilliseconds)
  const close = async (): Promise<void> => {
    clearInterval(looks)
    await store.close()
  }
  return { name, close, work: await openWork(store) }
}

interface Slice {
  readonly rate: number
  /** Microseconds of processor time for each call; null where they are not told. */
  readonly cpu: {
    readonly node: number
    readonly coordinator: number
    readonly workers: number
  } | null
}

const measure = async (work: Work, atOnce: number): Promise<Slice> => {
  const [begun, worked, before] = [performance.now(), process.cpuUsage(), databases.measure()]
  let done = 0
  const goOn = async (): Promise<void> => {
    while (performance.now() - begun < sliceMilliseconds) {
      await work()
      done++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, goOn))
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(worked)
  const after = databases.measure()
  const each = (from: number, to: number) => ((to - from) * 1e6) / done
  const cpu =
    before === null || after === null
      ? null
      : {
          node: (user + system) / done,
          coordinator: each(before.coordinator, after.coordinator),
          workers: each(before.workers, after.workers),
        }
  return { rate: done / seconds, cpu }
}

/** How much less processor time the one takes. Who shares the cores with others counts on this alone. */
const compareCosts = (citus: Slice, one: Slice | undefined): number | null => {
  const [a, b] = [citus.cpu, one?.cpu ?? null]
  if (a === null || b === null) return null
  return (b.node + b.coordinator) / (a.node + a.coordinator + a.workers)
}

const middle = (slices: readonly Slice[]) => {
  const each = slices.flatMap(({ cpu }) => cpu ?? [])
  const of = (part: 'node' | 'coordinator' | 'workers') =>
    each.length === 0 ? null : Math.round(median(each.map((cpu) => cpu[part])))
  return {
    perSecond: Math.round(median(slices.map(({ rate }) => rate))),
    microseconds: { node: of('node'), coordinator: of('coordinator'), workers: of('workers') },
  }
}

const recorder = record(speakCitus(shardKeys))
const [citus, one] = [await open('citus', recorder.dialect), await open('plain', plain)]
try {
  for (const name of (Object.keys(operations) as Operation[]).filter(
    (n) => !process.env.OPS || process.env.OPS.split(',').includes(n),
  )) {
    tell({ operation: name, ...(await explainWork(databases.citus, recorder, citus.work[name])) })
  }
  for (const name of (Object.keys(operations) as Operation[]).filter(
    (n) => !process.env.OPS || process.env.OPS.split(',').includes(n),
  )) {
    for (const atOnce of inFlight) {
      const slices = { citus: [] as Slice[], plain: [] as Slice[] }
      for (let round = 0; round <= rounds; round++) {
        const both = round % 2 === 0 ? [citus, one] : [one, citus]
        for (const subject of both) {
          const slice = await measure(subject.work[name], atOnce)
          // The first round warms up.
          if (round > 0) slices[subject.name].push(slice)
        }
        recorder.take()
      }
      const ratios = slices.citus.map(({ rate }, i) => rate / (slices.plain[i]?.rate ?? 0))
      const costs = slices.citus.flatMap((slice, i) => compareCosts(slice, slices.plain[i]) ?? [])
      tell({
        operation: name,
        kind: operations[name],
        inFlight: atOnce,
        ratio: Number(median(ratios).toFixed(2)),
        ratioOfCosts: costs.length === 0 ? null : Number(median(costs).toFixed(2)),
        ratios: ratios.map((ratio) => Number(ratio.toFixed(2))),
        citus: middle(slices.citus),
        plain: middle(slices.plain),
      })
    }
  }
} finally {
  await Promise.all([citus.close(), one.close()])
  await databases.drop()
}
