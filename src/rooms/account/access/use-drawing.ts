/** How much an application did on each of the last days: a drawing, and the same in words and numbers. */
import type { Language } from '../../../model/language.ts'
import type { UseDay } from '../../../model/use.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { dayName, number } from '../../../paper/time.ts'
import { useWords } from '../ledger/words.ts'

export interface UseDrawing {
  /** Names the drawing on its page: letters and digits. */
  readonly id: string
  /** Days without any use may be left out. */
  readonly counted: readonly UseDay[]
  /** How many days are drawn, the last of which is `today` (days since 1970). */
  readonly days: number
  readonly today: number
}

/** Units of the drawing: a column for each day, so high in all. */
const width = 10
const height = 64
const gap = 2

/** What is drawn upon one another, from below. */
const layers = ['reads', 'writes', 'checks'] as const

const total = (day: UseDay): number => day.reads + day.writes + day.checks

/** A day's bars; whatever happened at all is seen. */
const column = (day: UseDay, x: number, most: number): readonly Markup[] => {
  let y = height
  return layers
    .filter((layer) => day[layer] > 0)
    .map((layer) => {
      const high = Math.max(2, Math.round((day[layer] / most) * (height - 2 * layers.length)))
      y -= high
      return html`<rect class="${layer}" x="${x + gap / 2}" y="${y}" width="${width - gap}" height="${high}"/>`
    })
}

const kinds = [...layers, 'refused'] as const

/** `read 12 times, wrote 1 time`, each with its colour in the drawing; null where there is nothing to tell. */
const tell = (counted: readonly UseDay[], language: Language): Markup | null => {
  const words = useWords(language)
  const sums = kinds.map(
    (kind) => [kind, counted.reduce((sum, day) => sum + day[kind], 0)] as const,
  )
  const told = sums.flatMap(([kind, sum]) =>
    sum === 0 ? [] : [html`<span class="swatch ${kind}"></span>${words[kind]({ count: sum })}`],
  )
  return told.length === 0
    ? null
    : html`${told.map((one, i) => html`${i === 0 ? '' : words.and}${one}`)}`
}

const numbers = (counted: readonly UseDay[], language: Language): Markup => {
  const words = useWords(language)
  const line = (day: UseDay): Markup =>
    html`<tr><th scope="row">${dayName(day.day, language)}</th>${kinds.map((kind) => html`<td>${number(day[kind], language)}</td>`)}</tr>
`
  return html`<details class="numbers"><summary>${words.numbers}</summary>
<table><thead><tr>${(['day', ...kinds] as const).map((name) => html`<th scope="col">${words.columns[name]}</th>`)}</tr></thead>
<tbody>
${counted.map(line)}</tbody></table>
</details>`
}

export const renderUseDrawing = (
  { id, counted, days, today }: UseDrawing,
  language: Language,
): Markup => {
  const words = useWords(language)
  const first = today - days + 1
  const drawn = counted.filter(({ day }) => day >= first && day <= today)
  const told = tell(drawn, language)
  if (told === null) return html`<p class="quiet">${words.nothing({ days })}</p>`
  const most = Math.max(1, ...drawn.map(total))
  const bars = drawn.flatMap((day) => column(day, (day.day - first) * width, most))
  return html`<figure class="uses">
<svg viewBox="0 0 ${days * width} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="uses-${id} told-${id}" focusable="false"><title id="uses-${id}">${words.drawing}</title>
<path class="ground" d="M0 ${height}H${days * width}"/>${bars}</svg>
<div class="ends quiet"><span>${dayName(first, language)}</span><span>${words.today}</span></div>
<figcaption id="told-${id}">${words.summary({ days, told })}</figcaption>
</figure>
${numbers(drawn, language)}`
}
