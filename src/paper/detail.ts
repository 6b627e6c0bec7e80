/** A detail of `authorization_details`, as its owner reads it: the actions, and every value of the client. */
import { type Detail, getIdentifier, listOwnMembers } from '../model/detail.ts'
import { type Language, pickText, type Text } from '../model/language.ts'
import { spellOut } from '../model/plain/line.ts'
import type { Harm, Resource } from '../model/resource.ts'
import { defineWords } from './catalog.ts'
import { html, type Markup } from './markup.ts'
import { findHarm, renderHarm, renderVerb } from './resource-row.ts'

export const detailWords = defineWords('detail', {
  heading: 'In detail',
  line: '{title}: {actions}',
  comma: ', ',
  item: 'Only this one',
})

interface ShownValue {
  /** The member of the detail; absent for the item that the detail is about. */
  readonly name?: string
  readonly label: string
  readonly value: string
}

export interface DetailLine {
  /** What people call the resource. */
  readonly title: string
  readonly actions: readonly string[]
  readonly harm: Harm | null
  /** Said of the resource, such as where it is. */
  readonly note?: string | null
  readonly values: readonly ShownValue[]
}

/** Null if its resource is gone. */
export const describeDetail = (
  detail: Detail,
  resources: readonly Resource[],
  language: Language,
): DetailLine | null => {
  const resource = resources.find(({ name }) => name === detail.type)
  if (resource === undefined) return null
  const { title, read, write, actions, details } = resource
  const meanings: Readonly<Record<string, Text>> = { ...actions, read, write }
  const textOf = (words: Text | undefined, name: string): string =>
    words === undefined ? name : pickText(words, language)
  const item = getIdentifier(detail)
  const own = listOwnMembers(detail).map(([name, value]) => ({
    name,
    label: textOf(Object.hasOwn(details, name) ? details[name] : undefined, name),
    value: String(value),
  }))
  const harms = detail.actions.flatMap((action) => findHarm(resource, action) ?? [])
  return {
    title: pickText(title, language),
    actions: detail.actions.map((action) => textOf(meanings[action], action)),
    harm: harms.find((one) => one !== 'other') ?? harms[0] ?? null,
    values: item === null ? own : [{ label: detailWords(language).item, value: item }, ...own],
  }
}

/** Strangers chose the values: each of their characters is seen, and none reaches the text around it. */
const renderValues = ({ values }: DetailLine): Markup | null =>
  values.length === 0
    ? null
    : html` <small><span class="told">${values.map(({ label, value }) => html`<span>${label}</span> <bdi>${spellOut(value)}</bdi> `)}</span></small>`

/** One line with its box. @param value of the box */
export const renderDetail = (line: DetailLine, value: string, language: Language): Markup => {
  const words = detailWords(language)
  const { title, harm, note = null } = line
  const text = words.line({ title, actions: line.actions.join(words.comma) })
  return html`<li${harm ? html` class="destroys"` : null}><label class="tick"><input type="checkbox" name="detail" value="${value}" checked><span>${harm ? html`<b>${text}</b>` : text}${note === null ? null : html` <small class="beside">${note}</small>`}${harm && html` ${renderHarm(harm, language)}`}${renderValues(line)}</span></label></li>
`
}

/** The members that say how much: the largest thing on a slip. */
const sumMembers = ['amount', 'currency']

/**
 * One detail as a slip from a till, with its box.
 *
 * @param value of the box @param more facts below its own
 */
export const renderSlip = (
  line: DetailLine,
  value: string,
  language: Language,
  more: Markup | null = null,
): Markup => {
  const { comma } = detailWords(language)
  const { title, harm, note = null } = line
  const sum = sumMembers.flatMap((member) => line.values.find(({ name }) => name === member) ?? [])
  const isSum = sum[0]?.name === 'amount'
  const facts = line.values.filter((one) => !isSum || !sum.includes(one))
  const amount = isSum
    ? html`<span class="unseen">${sum[0]?.label ?? ''} </span><bdi class="sum">${spellOut(sum.map((one) => one.value).join(' '))}</bdi> `
    : null
  const what = renderVerb(line.actions.join(comma), language)
  return html`<div class="slip">
<label class="tick"><input type="checkbox" name="detail" value="${value}" checked><span>${amount}<span class="what">${what}</span><small>${title}${note && html` ${note}`}</small></span>${harm && renderHarm(harm, language)}</label>
${
  facts.length === 0 && more === null
    ? null
    : html`<dl class="facts">
${facts.map((one) => html`<div><dt>${one.label}</dt><dd><bdi>${spellOut(one.value)}</bdi></dd></div>\n`)}${more}</dl>
`
}</div>
`
}
