/** Uses of the last days as a drawing with an axis, and the same in words and numbers. */
import type { Language } from '../../../model/language.ts'
import type { UseDay } from '../../../model/use.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { listScale, pickTop, plotHeight, renderPlot } from '../../../paper/plot.ts'
import { formatDay, formatShortDay, number } from '../../../paper/time.ts'
import { useWords } from './words.ts'

interface UseDrawing {
  readonly counted: readonly UseDay[]
  /** How many days are drawn, the last of which is `today` (days since 1970). */
  readonly days: number
  readonly today: number
}

/** Units of the drawing: a column for each day, so high in all. */
const width = 10
const gap = 2.8
/** Whatever happened at all is seen. */
const leastHeight = 1.5

/** What is drawn upon one another, from below, with the class of its colour. */
const layers = [
  ['reads', 'reads'],
  ['writes', 'writes'],
  ['checks', 'others'],
  ['refused', 'refused'],
] as const

const kinds = layers.map(([kind]) => kind)

const countAll = (day: UseDay): number => kinds.reduce((sum, kind) => sum + day[kind], 0)

/** The top of the axis, with room for the least heights. */
const pickTopOf = (most: number): number =>
  pickTop(most / (1 - (layers.length * leastHeight) / plotHeight))

const round = (value: number): number => Math.round(value * 10) / 10

const renderColumn = (day: UseDay, x: number, top: number): readonly Markup[] => {
  let y = plotHeight
  return layers
    .filter(([kind]) => day[kind] > 0)
    .map(([kind, look]) => {
      const high = Math.max(leastHeight, round((day[kind] / top) * plotHeight))
      y = round(y - high)
      return html`<rect class="${look}" x="${round(x + gap / 2)}" y="${y}" width="${width - gap}" height="${high}"/>`
    })
}

/** The numbers that matter: the sum of each kind, and the day with the most. */
const tellSums = (drawn: readonly UseDay[], language: Language) => {
  const words = useWords(language)
  const peak = drawn.reduce((most, day) => (countAll(day) > countAll(most) ? day : most))
  const told = { day: formatShortDay(peak.day, language), total: number(countAll(peak), language) }
  const refused = number(peak.refused, language)
  const sums = layers
    .map(([kind, look]) => ({ kind, look, sum: drawn.reduce((sum, day) => sum + day[kind], 0) }))
    .filter(({ sum }) => sum > 0)
    .map(({ kind, look, sum }) => ({ look, says: (count: Markup) => words[kind]({ count }), sum }))
  return {
    sums,
    peak: peak.refused === 0 ? words.most(told) : words.mostRefused({ ...told, refused }),
  }
}

const renderNumbers = (counted: readonly UseDay[], language: Language): Markup => {
  const words = useWords(language)
  const line = (day: UseDay): Markup =>
    html`<tr><th scope="row">${formatDay(day.day, language)}</th>${kinds.map((kind) => html`<td>${number(day[kind], language)}</td>`)}</tr>
`
  return html`<details class="numbers"><summary>${words.numbers}</summary>
<table><thead><tr>${(['day', ...kinds] as const).map((name) => html`<th scope="col">${words.columns[name]}</th>`)}</tr></thead>
<tbody>
${counted.map(line)}</tbody></table>
</details>`
}

export const renderUseDrawing = (
  { counted, days, today }: UseDrawing,
  language: Language,
): Markup => {
  const words = useWords(language)
  const first = today - days + 1
  const drawn = counted.filter(({ day }) => day >= first && day <= today)
  if (drawn.every((day) => countAll(day) === 0)) {
    return html`<p class="quiet">${words.nothing({ days })}</p>`
  }
  const { sums, peak } = tellSums(drawn, language)
  const top = pickTopOf(Math.max(...drawn.map(countAll)))
  const bars = drawn.flatMap((day) => renderColumn(day, (day.day - first) * width, top))
  const told = sums.map(
    ({ says, sum }) => html`${says(html`${number(sum, language)}`)}${words.and}`,
  )
  const key = sums.map(
    ({ look, says, sum }) =>
      html`<li><i class="${look}"></i>${says(html`<b>${number(sum, language)}</b>`)}</li>`,
  )
  const short = (day: number): string => formatShortDay(day, language)
  const frame = {
    label: `${words.drawing({ days })} ${html`${told}`}${peak}`,
    key: [...key, html`<li class="most">${peak}</li>`],
    scale: listScale(top, language),
    times: [short(first), ...(days < 10 ? [] : [short(first + Math.floor(days / 2))]), words.today],
    width: days * width,
  }
  return html`${renderPlot(frame, bars)}
${renderNumbers(drawn, language)}`
}
