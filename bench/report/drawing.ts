/** The results as a drawing: for each operation one bar for each server. */
import { comparedOf, type Results, type Row, targets } from '../results.ts'
import { titles } from './table.ts'

const colours = { floor: '#9aa5b1', ours: '#0b6e4f', peer: '#c98b2b' } as const
const width = 860
const left = 230
const barHeight = 16
const longest = width - left - 150

export const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const text = (x: number, y: number, said: string, more = ''): string =>
  `<text x="${x}" y="${y}"${more}>${escapeXml(said)}</text>`

const bar = (row: Row, y: number, scale: number): string => {
  const long = Math.max(row.perSecond * scale, 1).toFixed(1)
  const said = row.fault === null ? row.perSecond.toLocaleString('en-US') : 'wrong, so zero'
  return [
    text(left - 8, y + 12, row.subject, ' text-anchor="end"'),
    `<rect x="${left}" y="${y}" width="${long}" height="${barHeight - 3}" fill="${colours[row.kind]}"/>`,
    text(left + Number(long) + 6, y + 12, said),
  ].join('\n')
}

export const frame = (height: number, label: string, inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(label)}" font-family="system-ui, sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="#ffffff"/>
${inside}
</svg>
`

/** Bars of one operation, and a line where its target against the floor is. */
const drawOperation = (
  rows: readonly Row[],
  operation: Row['operation'],
  top: number,
): { readonly drawn: string; readonly height: number } => {
  const { these, floor } = comparedOf(rows, operation)
  const scale = longest / Math.max(...these.map((row) => row.perSecond), 1)
  const bars = these.map((row, i) => bar(row, top + 24 + i * barHeight, scale))
  const { ofFloor } = targets[operation]
  const x = left + (floor?.perSecond ?? 0) * (ofFloor ?? 0) * scale
  const height = 24 + these.length * barHeight
  const line =
    floor === undefined || ofFloor === null
      ? ''
      : `<line x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${top + 20}" y2="${top + height}" stroke="#b00020" stroke-dasharray="3 3"/>`
  const title = text(left, top + 14, `${titles[operation]}, per second`, ' font-weight="600"')
  return { drawn: [title, ...bars, line].join('\n'), height: height + 16 }
}

export const drawResults = ({ rows, environment }: Results): string => {
  const parts: string[] = []
  let top = 34
  for (const operation of new Set(rows.map((row) => row.operation))) {
    const { drawn, height } = drawOperation(rows, operation, top)
    parts.push(drawn)
    top += height
  }
  const legend = `green: Latchkey, grey: bare node:http, brown: others, dashed: the target. One core of ${environment.processor}, Node ${environment.node}`
  const head = text(12, 20, legend, ' fill="#444"')
  return frame(top + 4, 'Requests per second, by operation and server', [head, ...parts].join('\n'))
}
