/** The curves of a soak: one panel each, one below the other. */
import { frame, text } from './drawing.ts'
import {
  type Curve,
  curves,
  type Soak,
  sayVerdict,
  settledSeconds,
  type Verdict,
} from './steady.ts'

const left = 60
const width = 780
const panel = 110

const draw = (
  { name, unit, of }: Curve,
  { moments }: Soak,
  verdict: Verdict | undefined,
  top: number,
): string => {
  const end = Math.max(...moments.map((moment) => moment.seconds), 1)
  const most = Math.max(...moments.map(of), 1) * 1.1
  const x = (seconds: number): number => left + (seconds / end) * width
  const y = (value: number): number => top + panel - 20 - (value / most) * (panel - 45)
  const points = moments.map(
    (moment) => `${x(moment.seconds).toFixed(1)},${y(of(moment)).toFixed(1)}`,
  )
  const said = verdict === undefined ? '' : sayVerdict(verdict)
  const slope = verdict === undefined ? '' : `${verdict.perMinute.toFixed(2)} ${unit} per minute`
  return [
    text(
      left,
      top + 14,
      `${name}${unit === '' ? '' : `, ${unit}`}: ${said} (${slope})`,
      ' font-weight="600"',
    ),
    text(
      left - 6,
      y(most / 1.1) + 4,
      (most / 1.1).toFixed(most < 20 ? 1 : 0),
      ' text-anchor="end"',
    ),
    text(left - 6, y(0) + 4, '0', ' text-anchor="end"'),
    `<line x1="${left}" x2="${left + width}" y1="${y(0)}" y2="${y(0)}" stroke="#c5ccd3"/>`,
    `<line x1="${x(Math.min(settledSeconds, end))}" x2="${x(Math.min(settledSeconds, end))}" y1="${top + 22}" y2="${y(0)}" stroke="#9aa5b1" stroke-dasharray="3 3"/>`,
    `<polyline points="${points.join(' ')}" fill="none" stroke="#0b6e4f" stroke-width="1.5"/>`,
  ].join('\n')
}

export const drawSoak = (soak: Soak, verdicts: readonly Verdict[]): string => {
  const head = text(
    12,
    20,
    `${soak.minutes} minutes at ${soak.rate} requests a second, time ${soak.speed} times as fast; right of the dashes as much expires as is issued`,
    ' fill="#444"',
  )
  const panels = curves.map((curve, i) =>
    draw(
      curve,
      soak,
      verdicts.find(({ name }) => name === curve.name),
      30 + i * panel,
    ),
  )
  return frame(40 + curves.length * panel, 'Load that lasts', [head, ...panels].join('\n'))
}
