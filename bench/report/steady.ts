/** Whether load that lasts leaves a trace: the slope of each curve, and what it means. */
import { median } from '../results.ts'
import { renderTable } from './markdown.ts'

/** What was seen at the end of a few seconds of load. */
export interface Moment {
  readonly seconds: number
  readonly perSecond: number
  readonly wrong: number
  readonly p99: number
  readonly residentMegabytes: number
  readonly fileMegabytes: number
  readonly handles: number
  /** Cores that were busy. */
  readonly cpuShare: number
}

export interface Soak {
  readonly node: string
  readonly pinned: boolean
  readonly speed: number
  readonly minutes: number
  /** Requests per second: the most it can, and what was held. */
  readonly most: number
  readonly rate: number
  /** The share of the moments in which at least 99 % of that was answered. */
  readonly held: number
  /** Milliseconds: the p99 of the moment that was the worst. */
  readonly worstP99: number
  readonly moments: readonly Moment[]
}

export interface Curve {
  readonly name: string
  readonly unit: string
  readonly of: (moment: Moment) => number
  /** Growth in ten minutes that is still nothing, as a share of the median, and in its unit. */
  readonly nothing: { readonly share: number; readonly amount: number }
}

export const curves: readonly Curve[] = [
  {
    name: 'memory',
    unit: 'MB',
    of: (moment) => moment.residentMegabytes,
    nothing: { share: 0.1, amount: 5 },
  },
  {
    name: 'database file and journal',
    unit: 'MB',
    of: (moment) => moment.fileMegabytes,
    nothing: { share: 0.1, amount: 5 },
  },
  {
    name: 'open handles',
    unit: '',
    of: (moment) => moment.handles,
    nothing: { share: 0, amount: 5 },
  },
  { name: 'p99', unit: 'ms', of: (moment) => moment.p99, nothing: { share: 0.25, amount: 5 } },
]

export interface Verdict {
  readonly name: string
  readonly unit: string
  readonly median: number
  readonly perMinute: number
  /** Null where it was over too soon to tell. */
  readonly isFlat: boolean | null
}

const heldShare = 0.99

export const summaryOf = (
  moments: readonly Moment[],
  rate: number,
): Pick<Soak, 'held' | 'worstP99'> => ({
  held:
    moments.filter(({ perSecond }) => perSecond >= rate * heldShare).length /
    Math.max(moments.length, 1),
  worstP99: Math.max(...moments.map(({ p99 }) => p99)),
})

/** From then on as much expires as is issued. */
export const settledSeconds = 60

/** The middle one of the slopes between any two moments (Theil and Sen): one pause does not bend it. */
const slopeOf = (points: readonly (readonly [number, number])[]): number =>
  median(
    points.flatMap(([x, y], i) =>
      points.slice(i + 1).map(([otherX, otherY]) => (otherY - y) / (otherX - x)),
    ),
  )

/** Fewer moments have no slope worth the name. */
const leastMoments = 5

/** What came after everything had settled; null where it was over too soon. */
const settled = ({ moments }: Soak): readonly Moment[] | null => {
  const later = moments.filter((moment) => moment.seconds > settledSeconds)
  return later.length >= leastMoments ? later : null
}

export const verdictsOf = (soak: Soak): readonly Verdict[] =>
  curves.map(({ name, unit, of, nothing }) => {
    const later = settled(soak)
    const moments = later ?? soak.moments
    const level = median(moments.map(of))
    const perMinute = slopeOf(moments.map((moment) => [moment.seconds / 60, of(moment)]))
    const allowed = Math.max(level * nothing.share, nothing.amount)
    return { name, unit, median: level, perMinute, isFlat: later && perMinute * 10 <= allowed }
  })

export const sayVerdict = ({ isFlat }: Verdict): string =>
  isFlat === null ? 'not judged' : isFlat ? 'flat' : 'GROWS'

export const renderVerdicts = (soak: Soak, verdicts: readonly Verdict[]): string => {
  const { moments, rate, most, minutes, speed, held, worstP99 } = soak
  const wrong = moments.reduce((sum, moment) => sum + moment.wrong, 0)
  const table = renderTable([
    ['', 'median', 'slope per minute', ''],
    ...verdicts.map((one) => [
      one.name,
      `${one.median.toFixed(1)} ${one.unit}`.trim(),
      one.perMinute.toFixed(2),
      sayVerdict(one),
    ]),
  ])
  const judged =
    settled(soak) === null
      ? `Too short to judge: before second ${settledSeconds} more is issued than expires, so something has to grow.`
      : `Judged from second ${settledSeconds} on, when as much expires as is issued.`
  return (
    `${minutes} minutes at ${rate} requests a second (${most} at most), time ${speed} times as fast, ` +
    `${wrong} wrong answers.\n${Math.round(held * 100)} % of the moments held at least ${heldShare * 100} % of that; the worst p99 of all was ${worstP99.toFixed(1)} ms.\n${judged}\n\n${table}\n`
  )
}
