/** Drawings of numbers over time: columns of two layers, or lines. */
import { html, type Markup } from '../../../paper/markup.ts'

const width = 300
const height = 100

/** One layer of a column chart, or one line. */
interface PlotLayer {
  /** A class of the stylesheet. */
  readonly look: 'reads' | 'refused' | 'low' | 'top'
  readonly name: string
  readonly values: readonly (number | null)[]
}

interface Plot {
  /** The drawing in words, for those who do not see it. */
  readonly label: string
  readonly layers: readonly PlotLayer[]
  /** The value at the upper edge. */
  readonly most: number
  /** Texts at the edge, from above. */
  readonly scale: readonly string[]
  /** Texts below, from the first period to the last. */
  readonly times: readonly string[]
}

const roundNumber = (value: number): number => Math.round(value * 10) / 10

/** The columns of one layer as a single path, upon those below it. */
const drawColumns = (
  values: readonly (number | null)[],
  below: readonly number[],
  most: number,
): string => {
  const step = width / values.length
  return values
    .map((value, i) => {
      if (!value) return ''
      const high = roundNumber(Math.max(1.5, (value / most) * height))
      const foot = roundNumber(height - ((below[i] ?? 0) / most) * height)
      return `M${roundNumber(i * step + step * 0.1)} ${foot}v-${high}h${roundNumber(step * 0.8)}v${high}z`
    })
    .join('')
}

const renderFrame = ({ label, layers, scale, times }: Plot, shapes: readonly Markup[]): Markup =>
  html`<ul class="key">${layers.map(({ look, name }) => html`<li><i class="${look}"></i>${name}</li>`)}</ul>
<div class="plot"><ol class="y" aria-hidden="true">${scale.map((text) => html`<li>${text}</li>`)}</ol>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}" focusable="false"><path class="grid" d="M0 0H${width}M0 ${height / 2}H${width}"/>${shapes}<path class="base" d="M0 ${height}H${width}"/></svg>
<ol class="x" aria-hidden="true">${times.map((text) => html`<li>${text}</li>`)}</ol></div>`

/** Columns whose layers lie upon one another. */
export const renderColumns = (plot: Plot): Markup => {
  let below: number[] = []
  const shapes = plot.layers.map(({ look, values }) => {
    const path = drawColumns(values, below, plot.most)
    below = values.map((value, i) => (below[i] ?? 0) + (value ?? 0))
    return html`<path class="${look}" d="${path}"/>`
  })
  return renderFrame(plot, shapes)
}

/** Lines; a period without a value ends the line before it. */
export const renderLines = (plot: Plot): Markup => {
  const step = width / Math.max(1, (plot.layers[0]?.values.length ?? 1) - 1)
  const shapes = plot.layers.map(({ look, values }) => {
    let isOpen = false
    const path = values.map((value, i) => {
      if (value === null) {
        isOpen = false
        return ''
      }
      const [x, y] = [roundNumber(i * step), roundNumber(height - (value / plot.most) * height)]
      // The end of a line of one period is seen as well.
      const point = isOpen ? `L${x} ${y}` : `M${x} ${y}h1`
      isOpen = true
      return point
    })
    return html`<path class="line ${look}" d="${path.join('')}"/>`
  })
  return renderFrame(plot, shapes)
}
