/** The filters of a list: a search in one line, links, and what few need. */
import { hide, renderField } from '../../paper/fields.ts'
import { icons } from '../../paper/icon.ts'
import { html, type Markup } from '../../paper/markup.ts'
import { renderChips } from '../../paper/pieces.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import type { ConsolePath } from './frame.ts'
import { consoleWords } from './words.ts'

export interface ListField {
  readonly name: string
  readonly label: string
  /** `time`: in UTC. `links`: each choice is a link, and the first, which is no filter, is none. */
  readonly kind?: 'search' | 'time' | 'links'
  /** Folded, since few need it. */
  readonly isRare?: true
  readonly hint?: string
  /** The first is the default. */
  readonly choices?: readonly (readonly [value: string, text: string])[]
  /** Further values, which a link chose: each is a choice then. */
  readonly also?: (value: string) => boolean
  /** Longer values are cut. */
  readonly most?: number
}

/** By the names of the fields, as they were typed; '' = not asked. */
export type TypedFilter<Name extends string> = Readonly<Record<Name, string>>

/** What a browser must not complete or correct. */
const untouched = html`autocomplete="off" autocapitalize="none" spellcheck="false"`

const renderInput = (field: ListField, value: string): Markup => {
  const { name, label, kind, hint = label, choices } = field
  if (choices !== undefined) {
    const isFurther = !choices.some(([one]) => one === value)
    const all = isFurther ? [...choices, [value, value] as const] : choices
    const option = ([one, text]: readonly [string, string]): Markup =>
      html`<option value="${one}"${one === value ? html` selected` : null}>${label}: ${text}</option>`
    return html`<label><span class="unseen">${label}</span><select name="${name}">${all.map(option)}</select></label>`
  }
  const isSearch = kind === 'search'
  return html`<label${isSearch ? html` class="find"` : null}>${isSearch ? icons.search : null}<span class="unseen">${label}</span><input${isSearch ? html` type="search"` : null} name="${name}" value="${value}" maxlength="2048" ${untouched} placeholder="${hint}"></label>`
}

const renderRare = ({ name, label, kind, hint = '' }: ListField, value: string): Markup =>
  renderField({
    name,
    label,
    input:
      kind === 'time'
        ? html`type="datetime-local" value="${value}"`
        : html`value="${value}" maxlength="2048" ${untouched} placeholder="${hint}"`,
  })

/** Each sets its own filter and keeps the others. The current one leads to the list without it. */
const renderFilterLinks = (
  fields: readonly ListField[],
  filter: TypedFilter<string>,
  path: ConsolePath,
  view: View,
): Markup => {
  const { all, filters } = consoleWords(view.language)
  const lead = (query: TypedFilter<string>, text: string, isCurrent: boolean) => ({
    href: pageUrl(view, path, query),
    text,
    count: null,
    isCurrent,
  })
  const chips = fields.flatMap(({ name, choices = [] }) =>
    choices.slice(1).map(([value, text]) => {
      const isCurrent = filter[name] === value
      return lead({ ...filter, [name]: isCurrent ? '' : value }, text, isCurrent)
    }),
  )
  const none = Object.fromEntries(fields.map(({ name }) => [name, '']))
  const first = fields[0]?.choices?.[0]?.[1] ?? all
  const isAll = chips.every(({ isCurrent }) => !isCurrent)
  return renderChips(filters, [
    lead({ ...filter, ...none }, fields.length === 1 ? first : all, isAll),
    ...chips,
  ])
}

/**
 * The search and the filters of a list in one line; below it, folded, what few need. A form that
 * changes nothing: its fields become the query of the page.
 */
export const renderTools = (
  fields: readonly ListField[],
  filter: TypedFilter<string>,
  path: ConsolePath,
  view: View,
  labels: { readonly label: string; readonly submit: string },
): Markup => {
  const typedIn = ({ name }: ListField): string => filter[name] ?? ''
  const links = fields.filter(({ kind }) => kind === 'links')
  const rare = fields.filter(({ isRare }) => isRare)
  const typed = fields.filter((field) => !links.includes(field) && !rare.includes(field))
  const kept = links.filter(typedIn).map((field) => [field.name, typedIn(field)] as const)
  const hidden = [...kept, ...new URLSearchParams(view.carried)]
  const more = html`<details${rare.some(typedIn) ? html` open` : null}><summary>${consoleWords(view.language).moreFilters}</summary><div class="rare">${rare.map((field) => renderRare(field, typedIn(field)))}</div></details>
`
  const form = html`<form class="filters" method="get" role="search" aria-label="${labels.label}" action="${pageUrl(view, path)}">${hidden.map(([name, value]) => hide(name, value))}
${typed.map((field) => renderInput(field, typedIn(field)))}
<button type="submit">${labels.submit}</button>
${rare.length === 0 ? null : more}</form>`
  return html`<div class="tools">${links.length === 0 ? null : renderFilterLinks(links, filter, path, view)}
${typed.length === 0 ? null : form}</div>`
}
