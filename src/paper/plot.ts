/** Drawings of numbers over time, with an axis and a grid: columns of several layers, or lines. */
import type { Language } from '../model/language.ts'
import { html, type Markup } from './markup.ts'
import { number } from './time.ts'

const defaultWidth = 300

/** The drawing without its shapes: the key above, the axis, the grid, and the times below. */
interface PlotFrame {
  /** The drawing in words, for those who do not see it. */
  readonly label: string
  /** Items: each colour with its sum, and last the peak, as the class `most`. */
  readonly key: readonly Markup[]
  /** Texts at the axis, from above. */
  readonly scale: readonly string[]
  /** Texts below, from the first period to the last. */
  readonly times: readonly string[]
  /** Units of the drawing. */
  readonly width?: number
}

/** So high is every drawing, in its own units. */
export const plotHeight = 100

/** The top of an axis that begins with 0: an even number with a whole half. */
export const pickTop = (most: number): number => {
  const ten = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  const tops = [1, 2, 4, 5, 6, 8, 10].map((step) => step * ten)
  return tops.find((top) => top >= most && top % 2 === 0) ?? 2 * ten
}

/** The texts of such an axis. */
export const listScale = (top: number, language: Language): readonly string[] =>
  [top, top / 2, 0].map((value) => number(value, language))

export const renderPlot = (
  { label, key, scale, times, width = defaultWidth }: PlotFrame,
  shapes: readonly Markup[],
): Markup =>
  html`<figure class="uses">
<ul class="key" aria-hidden="true">${key}</ul>
<div class="plot"><ol class="y" aria-hidden="true">${scale.map((text) => html`<li>${text}</li>`)}</ol><svg viewBox="0 0 ${width} ${plotHeight}" preserveAspectRatio="none" role="img" aria-label="${label}" focusable="false"><path class="grid" d="M0 0H${width}M0 ${plotHeight / 2}H${width}"/>${shapes}<path class="base" d="M0 ${plotHeight}H${width}"/></svg><ol class="x" aria-hidden="true">${times.map((text) => html`<li>${text}</li>`)}</ol></div>
</figure>`

/** One layer of a column chart, or one line. */
interface PlotLayer {
  /** A class of the stylesheet. */
  readonly look: 'reads' | 'refused' | 'low' | 'top'
  readonly name: string
  readonly values: readonly (number | null)[]
}

interface Plot extends Omit<PlotFrame, 'key'> {
  readonly layers: readonly PlotLayer[]
  /** The value at the upper edge. */
  readonly top: number
  /** The peak, in words. */
  readonly peak: string
}

const roundNumber = (value: number): number => Math.round(value * 10) / 10

/** The columns of one layer as a single path, upon those below it. */
const drawColumns = (
  values: readonly (number | null)[],
  below: readonly number[],
  most: number,
): string => {
  const step = defaultWidth / values.length
  return values
    .map((value, i) => {
      if (!value) return ''
      const high = roundNumber(Math.max(1.5, (value / most) * plotHeight))
      const foot = roundNumber(plotHeight - ((below[i] ?? 0) / most) * plotHeight)
      return `M${roundNumber(i * step + step * 0.1)} ${foot}v-${high}h${roundNumber(step * 0.8)}v${high}z`
    })
    .join('')
}

const renderLayers = (plot: Plot, shapes: readonly Markup[]): Markup => {
  const key = plot.layers.map(({ look, name }) => html`<li><i class="${look}"></i>${name}</li>`)
  return renderPlot({ ...plot, key: [...key, html`<li class="most">${plot.peak}</li>`] }, shapes)
}

/** Columns whose layers lie upon one another. */
export const renderColumns = (plot: Plot): Markup => {
  let below: number[] = []
  const shapes = plot.layers.map(({ look, values }) => {
    const path = drawColumns(values, below, plot.top)
    below = values.map((value, i) => (below[i] ?? 0) + (value ?? 0))
    return html`<path class="${look}" d="${path}"/>`
  })
  return renderLayers(plot, shapes)
}

/** Lines; a period without a value ends the line before it. */
export const renderLines = (plot: Plot): Markup => {
  const step = defaultWidth / Math.max(1, (plot.layers[0]?.values.length ?? 1) - 1)
  const shapes = plot.layers.map(({ look, values }) => {
    let isOpen = false
    const path = values.map((value, i) => {
      if (value === null) {
        isOpen = false
        return ''
      }
      const [x, y] = [
        roundNumber(i * step),
        roundNumber(plotHeight - (value / plot.top) * plotHeight),
      ]
      // The end of a line of one period is seen as well.
      const point = isOpen ? `L${x} ${y}` : `M${x} ${y}h1`
      isOpen = true
      return point
    })
    return html`<path class="line ${look}" d="${path.join('')}"/>`
  })
  return renderLayers(plot, shapes)
}
