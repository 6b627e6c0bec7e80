/** Lists of the console: filters, table and paging of each follow from its row. */

import type { Answer } from '../../http/answer.ts'
import { queryOf } from '../../http/request.ts'
import type { Language } from '../../model/language.ts'
import type { Operation } from '../../operations/operation.ts'
import { hide } from '../../paper/fields.ts'
import { type Content, html, type Markup } from '../../paper/markup.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import { requestLimits } from '../../requests/limits.ts'
import type { RouteRow } from '../../route.ts'
import { showPage } from '../visit.ts'
import { type ConsolePageGiven, getListPath, getPart, renderConsolePage } from './frame.ts'
import { type Console, type ConsoleVisit, findConsoleNotice } from './visit.ts'
import { consoleWords } from './words.ts'

interface ListField {
  readonly name: string
  readonly label: string
  /** `time`: in UTC. */
  readonly kind?: 'search' | 'time'
  readonly hint?: string
  /** The first is the default. */
  readonly choices?: readonly (readonly [value: string, text: string])[]
  /** Further values, which a link chose: each is a choice then. */
  readonly also?: (value: string) => boolean
  /** Longer values are cut. */
  readonly most?: number
}

/**
 * The heading is null over a button. `aside`: not on narrow screens. `name`: names the row; otherwise
 * the first column does.
 */
export type ListColumn<Item> = readonly [
  heading: string | null,
  cell: (item: Item) => Content,
  look?: 'aside' | 'aside quiet' | 'name',
]

/** By the names of the fields, as they were typed; '' = not asked. */
export type TypedFilter<Name extends string> = Readonly<Record<Name, string>>

export interface ListPage<Item, Name extends string = string> {
  readonly items: readonly Item[]
  readonly filter: TypedFilter<Name>
  readonly next: string | null
  readonly isFirst: boolean
  readonly notice?: string | null
  readonly problem?: string | null
}

/** The words that most lists have. */
interface ListWords {
  readonly heading: string
  /** Of the button of the filters. */
  readonly search?: string
  /** In place of an empty table. */
  readonly none?: string
  /** The same where there are further pages. */
  readonly goOn?: string
  /** Where a filter takes a time. */
  readonly utc?: string
  /** Notices, by what was done. */
  readonly done?: Readonly<Record<string, string>>
}

/** What a list says in one language. */
interface ShownList<Item> {
  readonly columns: readonly ListColumn<Item>[]
  /** Names the table, where it is not the heading. */
  readonly caption?: string
  /** In place of the words for an empty table. Null: the empty table. */
  readonly nothing?: string | null
  /** Beside the heading. */
  readonly beside?: Content
  readonly above?: Content
  /** Between filters and table. */
  readonly note?: Content
  readonly below?: Content
  /** In place of the links to other pages. */
  readonly paging?: Content
  readonly table?: TableLook
}

interface TableLook {
  readonly look?: string
  /** Of the body. */
  readonly id?: string
}

export interface ListRow<Item, Page extends ListPage<Item>, Words extends ListWords> {
  readonly operation: Operation
  readonly words: (language: Language) => Words
  readonly fields?: (words: Words) => readonly ListField[]
  readonly says: (given: ConsolePageGiven, page: Page, words: Words) => ShownList<Item>
  readonly headers?: (page: Page) => Readonly<Record<string, string>>
}

/** The value of a field for a time, in UTC; undefined where it is none. */
export const parseTypedTime = (text: string): number | undefined => {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return undefined
  const at = Date.parse(`${text}Z`) / 1000
  return Number.isNaN(at) || at < 0 ? undefined : Math.floor(at)
}

/** Choices that are named by their own words. */
export const listChoices = <Value extends string>(
  words: Readonly<Record<Value, string>>,
  values: readonly Value[],
): readonly (readonly [string, string])[] => values.map((value) => [value, words[value]])

const isChoice = ({ choices = [], also }: ListField, value: string): boolean =>
  choices.some(([one]) => one === value) || also?.(value) === true

/** The fields of a list as the query has them. */
export const readFilter = <Item, Page extends ListPage<Item>, Words extends ListWords>(
  { fields, words }: ListRow<Item, Page, Words>,
  { request, view }: Pick<ConsoleVisit, 'request' | 'view'>,
): Page['filter'] => {
  const query = queryOf(request)
  const entries = (fields?.(words(view.language)) ?? []).map((field) => {
    const { name, choices, most = requestLimits.authorizationRequestCharacters } = field
    const value = (query.find(name) ?? '').trim().slice(0, most)
    const isTaken = choices === undefined || isChoice(field, value)
    return [name, isTaken ? value : (choices[0]?.[0] ?? '')] as const
  })
  return Object.fromEntries(entries)
}

const renderField = (field: ListField, value: string): Markup => {
  const { name, label, kind, hint, choices } = field
  const input = (): Markup => {
    if (choices !== undefined) {
      const isFurther = !choices.some(([one]) => one === value)
      const all = isFurther ? [...choices, [value, value] as const] : choices
      const option = ([one, text]: readonly [string, string]): Markup =>
        html`<option value="${one}"${one === value ? html` selected` : null}>${text}</option>`
      return html`<select name="${name}">${all.map(option)}</select>`
    }
    if (kind === 'time') return html`<input type="datetime-local" name="${name}" value="${value}">`
    return html`<input${kind === undefined ? null : html` type="${kind}"`} name="${name}" value="${value}" maxlength="2048" autocomplete="off" autocapitalize="none" spellcheck="false"${hint === undefined ? null : html` placeholder="${hint}"`}>`
  }
  return html`<label class="field"><span>${label}</span>${input()}</label>`
}

/** A form that changes nothing: its fields become the query of the page. */
export const renderFilters = (
  view: View,
  path: string,
  { label, submit }: { readonly label: string; readonly submit: string },
  fields: readonly Markup[],
): Markup => {
  const carried = [...new URLSearchParams(view.carried)].map(([name, value]) => hide(name, value))
  return html`<form class="filters" method="get" role="search" aria-label="${label}" action="${pageUrl(view, path)}">${carried}
${fields}
<button type="submit">${submit}</button></form>`
}

/** @param caption names the table for screen readers */
export const renderTable = <Item>(
  columns: readonly ListColumn<Item>[],
  items: readonly Item[],
  caption: string,
  { look, id }: TableLook = {},
): Markup => {
  const name = Math.max(
    0,
    columns.findIndex(([, , look]) => look === 'name'),
  )
  const classOf = (classes: string | undefined) =>
    classes === undefined || classes === 'name' ? null : html` class="${classes}"`
  const head = ([heading, , look]: ListColumn<Item>): Markup =>
    heading === null
      ? html`<td></td>`
      : html`<th scope="col"${classOf(look?.split(' ')[0])}>${heading}</th>`
  const cell = (item: Item, [, cell, look]: ListColumn<Item>, i: number): Markup =>
    i === name
      ? html`<th scope="row"${classOf(look)}>${cell(item)}</th>`
      : html`<td${classOf(look)}>${cell(item)}</td>`
  const row = (item: Item): Markup =>
    html`<tr>${columns.map((column, i) => cell(item, column, i))}</tr>
`
  return html`<table${classOf(look)}><caption class="unseen">${caption}</caption>
<thead><tr>${columns.map(head)}</tr></thead>
<tbody${id === undefined ? null : html` id="${id}"`}>${items.map(row)}</tbody></table>`
}

const renderPaging = (
  view: View,
  path: string,
  { filter, next, isFirst }: ListPage<unknown>,
): Markup | null => {
  if (isFirst && next === null) return null
  const { more, first } = consoleWords(view.language)
  const link = (after: string, text: string): Markup =>
    html`<a class="button" href="${pageUrl(view, path, { ...filter, after })}">${text}</a>`
  return html`<p class="pages">${isFirst ? null : link('', first)}${next === null ? null : link(next, more)}</p>`
}

export const renderList = <Item, Page extends ListPage<Item>, Words extends ListWords>(
  row: ListRow<Item, Page, Words>,
  given: ConsolePageGiven,
  page: Page,
): string => {
  const { view } = given
  const part = getPart(row.operation)
  const path = getListPath(row.operation)
  const { items, filter, next, notice = null, problem = null } = page
  const words = row.words(view.language)
  const { heading } = words
  const said = row.says(given, page, words)
  const { columns, caption = heading, beside, note = null, table } = said
  const { nothing = (next === null ? words.none : words.goOn) ?? null } = said
  const fields = row.fields?.(words)
  const inputs = fields?.map((field) => renderField(field, filter[field.name] ?? ''))
  const isUtc = fields?.some(({ kind }) => kind === 'time') === true
  const utc = html`<p class="quiet small">${words.utc ?? null}</p>
`
  const labels = { label: caption, submit: words.search ?? '' }
  return renderConsolePage(given, {
    part,
    heading,
    ...(beside === undefined
      ? {}
      : { head: html`<div class="head"><h1>${heading}</h1>${beside}</div>` }),
    notice,
    problem,
    isInZone: !isUtc,
    main: html`${said.above ?? null}${inputs === undefined ? null : renderFilters(view, path, labels, inputs)}
${isUtc ? utc : null}${note}${
  items.length === 0 && nothing !== null
    ? html`<p class="card">${nothing}</p>`
    : html`<section class="card">${renderTable(columns, items, caption, table)}</section>`
}
${said.paging ?? renderPaging(view, path, page)}
${said.below ?? null}`,
  })
}

/** The members of a page beyond its row. */
type ReadPage<Page> = Omit<Page, 'filter' | 'isFirst' | 'notice'>

/** @param refused why the page is a refusal */
export const showList = <Item, Page extends ListPage<Item>, Words extends ListWords>(
  row: ListRow<Item, Page, Words>,
  visit: ConsoleVisit,
  read: ReadPage<Page>,
  refused: { readonly status?: number; readonly reason?: string } = {},
): Answer => {
  const page = {
    ...read,
    filter: readFilter(row, visit),
    isFirst: queryOf(visit.request).find('after') === null,
    notice: findConsoleNotice(visit, row.words(visit.view.language).done ?? {}),
  } as Page
  const html = renderList(row, visit.given, page)
  const headers = row.headers?.(page) ?? {}
  return showPage(visit, html, { headers, ...refused })
}

/** The page of a list. @param read what the filter asks for */
export const openList = <Item, Page extends ListPage<Item>, Words extends ListWords>(
  row: ListRow<Item, Page, Words>,
  { page }: Console,
  read: (visit: ConsoleVisit, filter: Page['filter']) => Promise<ReadPage<Page>>,
): RouteRow => ({
  ...page(
    getListPath(row.operation),
    async (visit) => showList(row, visit, await read(visit, readFilter(row, visit))),
    { offers: [row.operation] },
  ),
  isList: true,
})
