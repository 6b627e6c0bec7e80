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
  readonly isFlat: boolean
}

/** From then on as much expires as is issued. */
export const settledSeconds = 60

/** The middle one of the slopes between any two moments (Theil and Sen): one pause does not bend it. */
const slopeOf = (points: readonly (readonly [number, number])[]): number =>
  median(
    points.flatMap(([x, y], i) =>
      points.slice(i + 1).map(([otherX, otherY]) => (otherY - y) / (otherX - x)),
    ),
  )

/** What came after everything had settled; all of it where that never was. */
const settled = ({ moments }: Soak): readonly Moment[] => {
  const later = moments.filter((moment) => moment.seconds > settledSeconds)
  return later.length >= 5 ? later : moments
}

export const verdictsOf = (soak: Soak): readonly Verdict[] =>
  curves.map(({ name, unit, of, nothing }) => {
    const moments = settled(soak)
    const level = median(moments.map(of))
    const perMinute = slopeOf(moments.map((moment) => [moment.seconds / 60, of(moment)]))
    const allowed = Math.max(level * nothing.share, nothing.amount)
    return { name, unit, median: level, perMinute, isFlat: perMinute * 10 <= allowed }
  })

export const renderVerdicts = (soak: Soak, verdicts: readonly Verdict[]): string => {
  const { moments, rate, most, minutes, speed } = soak
  const wrong = moments.reduce((sum, moment) => sum + moment.wrong, 0)
  const table = renderTable([
    ['', 'median', 'slope per minute', ''],
    ...verdicts.map((one) => [
      one.name,
      `${one.median.toFixed(1)} ${one.unit}`.trim(),
      one.perMinute.toFixed(2),
      one.isFlat ? 'flat' : 'GROWS',
    ]),
  ])
  return (
    `${minutes} minutes at ${rate} requests a second (${most} at most), time ${speed} times as fast, ` +
    `${wrong} wrong answers.\nJudged from second ${settledSeconds} on, when as much expires as is issued.\n\n${table}\n`
  )
}
