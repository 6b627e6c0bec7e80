/** Uses by an application: a drawing of the last days, the same in words and numbers, and a table. */
import { findClient } from '../../../clients/find.ts'
import { type Language, pickText } from '../../../model/language.ts'
import { listWords } from '../../../model/scope-word.ts'
import type { Use, UseDay } from '../../../model/use.ts'
import { sayName } from '../../../paper/fields.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { formatDay, number, sayMoment } from '../../../paper/time.ts'
import type { View } from '../../../paper/view.ts'
import { aboutWords, explain } from '../../../paper/words/about.ts'
import { eventWords } from '../events/words.ts'
import type { AccountNeeds } from '../needs.ts'
import { useWords } from './words.ts'

export interface LedgerLine extends Use {
  /** The title of the resource; of a check, the name of the asking API. */
  readonly title: string
}

export const describeUses = async (
  uses: readonly Use[],
  language: Language,
  needs: Pick<AccountNeeds, 'store' | 'resources'>,
): Promise<readonly LedgerLine[]> => {
  const { resources } = needs
  const own = resources.words
  const apis = uses.filter(({ action }) => action === 'check').map(({ resource }) => resource)
  // A deleted API keeps its id as name.
  const found = [...new Set(apis)].map(async (id) => {
    const client = await findClient(id, needs, 'disabled')
    return [id, client?.name ?? id] as const
  })
  const names = new Map(await Promise.all(found))
  const titleOf = ({ action, resource }: Use): string => {
    if (action === 'check') return names.get(resource) ?? resource
    const used = resource.split('+')
    const words = listWords(own).filter((word) => used.includes(word))
    if (words.length > 0) {
      // What `/userinfo` was asked for.
      const titles = words.map((word) => explain(word, own, language).title)
      return `${aboutWords(language).heading} (${titles.join(eventWords(language).separator)})`
    }
    const known = resources.list().find(({ name }) => name === resource)
    return known ? pickText(known.title, language) : resource
  }
  return uses.map((use) => ({ ...use, title: titleOf(use) }))
}

/** A check was made at another API, which alone knows the network. Of a minute nothing is said. */
const renderLine = (of: LedgerLine, view: View): Markup => {
  const { action, title, uses, minutes, network } = of
  const words = useWords(view.language)
  const tag = (text: string): Markup => html` <span class="tag">${text}</span>`
  const span = minutes === 1 ? null : tag(minutes === 60 ? words.oneHour : words.oneDay)
  const isCheck = action === 'check'
  const did = isCheck ? words.check({ api: sayName(title) }) : words[action]({ resource: title })
  const times = uses === 1 ? null : tag(words.times({ count: uses }))
  const elsewhere = html`<span class="quiet">${words.fromElsewhere}</span>`
  const known = network === '' ? words.anyNetwork : html`<code>${network}</code>`
  const refused = html`<strong class="danger">${words.notAllowed}</strong>`
  return html`<tr role="row"><td role="cell">${sayMoment(of.minute * 60, view)}${span}</td>
<td role="cell">${did}${times}</td>
<td role="cell">${isCheck ? elsewhere : known}</td>
<td role="cell">${of.allowed ? words.allowed : refused}</td></tr>
`
}

/** The roles say again what the elements are, as in the table of consent. */
export const renderUseTable = (
  lines: readonly LedgerLine[],
  clientName: string,
  view: View,
): Markup => {
  const { heads, caption } = useWords(view.language)
  const head = (text: string): Markup => html`<th role="columnheader" scope="col">${text}</th>`
  return html`<table role="table" class="ledger">
<caption class="unseen">${caption({ client: sayName(clientName) })}</caption>
<thead role="rowgroup"><tr role="row">${[heads.when, heads.what, heads.network, heads.outcome].map(head)}</tr></thead>
<tbody role="rowgroup">
${lines.map((line) => renderLine(line, view))}</tbody>
</table>`
}

export interface UseDrawing {
  /** Names the drawing on its page: letters and digits. */
  readonly id: string
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

/** A day's bars; whatever happened at all is seen. */
const renderColumn = (day: UseDay, x: number, most: number): readonly Markup[] => {
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
  { id, counted, days, today }: UseDrawing,
  language: Language,
): Markup => {
  const words = useWords(language)
  const first = today - days + 1
  const drawn = counted.filter(({ day }) => day >= first && day <= today)
  const told = tell(drawn, language)
  if (told === null) return html`<p class="quiet">${words.nothing({ days })}</p>`
  const totals = drawn.map(({ reads, writes, checks }) => reads + writes + checks)
  const most = Math.max(1, ...totals)
  const bars = drawn.flatMap((day) => renderColumn(day, (day.day - first) * width, most))
  return html`<figure class="uses">
<svg viewBox="0 0 ${days * width} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="uses-${id} told-${id}" focusable="false"><title id="uses-${id}">${words.drawing}</title>
<path class="ground" d="M0 ${height}H${days * width}"/>${bars}</svg>
<div class="ends quiet"><span>${formatDay(first, language)}</span><span>${words.today}</span></div>
<figcaption id="told-${id}">${words.summary({ days, told })}</figcaption>
</figure>
${renderNumbers(drawn, language)}`
}
