/** A detail of `authorization_details`, as its owner reads it: the actions, and every value of the client. */
import { type Detail, getIdentifier, listOwnMembers } from '../model/detail.ts'
import { type Language, pickText, type Text } from '../model/language.ts'
import type { Resource } from '../model/resource.ts'
import { defineWords } from './catalog.ts'
import { drawIcon } from './icon.ts'
import { html, type Markup } from './markup.ts'
import { spellOut } from './plain-text.ts'
import { phrases } from './words/phrases.ts'

export const detailWords = defineWords('detail', {
  heading: 'In detail',
  line: '{title}: {actions}',
  comma: ', ',
  item: 'Only this one',
})

export interface DetailLine {
  /** What people call the resource. */
  readonly title: string
  readonly actions: readonly string[]
  readonly isDestructive: boolean
  /** Said of the resource, such as where it is. */
  readonly note?: string | null
  readonly values: readonly { readonly label: string; readonly value: string }[]
}

/** Null if its resource is gone. */
export const describeDetail = (
  detail: Detail,
  resources: readonly Resource[],
  language: Language,
): DetailLine | null => {
  const resource = resources.find(({ name }) => name === detail.type)
  if (resource === undefined) return null
  const { title, read, write, actions, destructive, details } = resource
  const meanings: Readonly<Record<string, Text>> = { ...actions, read, write }
  const textOf = (words: Text | undefined, name: string): string =>
    words === undefined ? name : pickText(words, language)
  const item = getIdentifier(detail)
  const own = listOwnMembers(detail).map(([name, value]) => ({
    label: textOf(Object.hasOwn(details, name) ? details[name] : undefined, name),
    value: String(value),
  }))
  return {
    title: pickText(title, language),
    actions: detail.actions.map((action) => textOf(meanings[action], action)),
    isDestructive: detail.actions.some((action) => destructive.includes(action)),
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
  const { title, isDestructive, note = null } = line
  const text = words.line({ title, actions: line.actions.join(words.comma) })
  const mark = html` <strong class="tag bad">${drawIcon('warning')}${phrases(language).destructive}</strong>`
  return html`<li${isDestructive ? html` class="destroys"` : null}><label class="tick"><input type="checkbox" name="detail" value="${value}" checked><span>${isDestructive ? html`<b>${text}</b>` : text}${note === null ? null : html` <small class="beside">${note}</small>`}${isDestructive ? mark : null}${renderValues(line)}</span></label></li>
`
}
