/** Lists of the console: filters, rows and paging of each follow from its row. */

import type { Answer } from '../../http/answer.ts'
import { queryOf } from '../../http/request.ts'
import type { Language } from '../../model/language.ts'
import type { Operation } from '../../operations/operation.ts'
import { icons } from '../../paper/icon.ts'
import { type Content, html, type Markup } from '../../paper/markup.ts'
import { renderEmpty } from '../../paper/pieces.ts'
import { renderDays, renderGo, renderRow, renderRows, type SheetRow } from '../../paper/rows.ts'
import { sayExactClock } from '../../paper/time.ts'
import { pageUrl, type View } from '../../paper/view.ts'
import { requestLimits } from '../../requests/limits.ts'
import type { RouteRow } from '../../route.ts'
import { showPage } from '../visit.ts'
import { type ListField, renderTools, type TypedFilter } from './filters.ts'
import {
  type ConsolePageGiven,
  type ConsolePath,
  getListPath,
  getPart,
  renderConsolePage,
} from './frame.ts'
import { type Console, type ConsoleVisit, findConsoleNotice } from './visit.ts'
import { consoleWords } from './words.ts'

export interface ListPage<Item, Name extends string = string> {
  readonly items: readonly Item[]
  readonly filter: TypedFilter<Name>
  readonly next: string | null
  readonly isFirst: boolean
  /** See `FoundPage`. */
  readonly isPartial?: boolean
  readonly notice?: string | null
  readonly problem?: string | null
}

/** The words that most lists have. */
interface ListWords {
  readonly heading: string
  /** Of the button of the filters. */
  readonly search?: string
  /** In place of an empty list. */
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
  /** One item. Its title is a link where it has a page. */
  readonly row: (item: Item) => SheetRow
  /** A log: its items stand below their days, and each ends with its time, in UTC. */
  readonly log?: LogLook
  /** In place of the heading. */
  readonly head?: Content
  /** In place of the words for an empty list. Null: the empty list. */
  readonly nothing?: string | null
  /** The way to a new item, for operators. */
  readonly create?: readonly [path: ConsolePath, text: string]
  /** Beside the heading. */
  readonly beside?: Content
  readonly above?: Content
  /** Between filters and rows. */
  readonly note?: Content
  readonly below?: Content
  /** In place of the links to other pages. */
  readonly paging?: Content
  /** In place of filters and rows. */
  readonly only?: Content
}

interface LogLook {
  /** Names the log to a script. */
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

const daySeconds = 86_400

/** When something was last used: `month`, `old` or `never`, as a list offers it. */
export const readLastTime = (
  choice: string,
  at: number,
): { readonly since?: number; readonly before?: number } => {
  if (choice === 'month') return { since: at - 30 * daySeconds }
  if (choice === 'old') return { before: at - 90 * daySeconds }
  return choice === 'never' ? { before: 1 } : {}
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

const renderPaging = (
  view: View,
  path: string,
  { filter, next, isFirst }: ListPage<unknown>,
): Markup | null => {
  if (next === null && isFirst) return null
  const { more, first } = consoleWords(view.language)
  const link = (after: string, text: string): Markup =>
    renderGo(view, path, text, { ...filter, after })
  return html`<p class="pages">${isFirst ? null : link('', first)}${next === null ? null : link(next, more)}</p>`
}

/** The items as a list, or below their days. */
const renderItems = <Item>(
  items: readonly Item[],
  { row, log }: ShownList<Item>,
  view: View,
): Markup => {
  if (log === undefined) return renderRows(items.map((item) => renderRow(row(item))))
  const happened = items as readonly (Item & { readonly at: number })[]
  const renderLines = (day: typeof happened): readonly Markup[] =>
    day.map((item) => renderRow({ ...row(item), end: sayExactClock(item.at) }))
  return renderDays(happened, { ...view, zone: 'UTC' }, renderLines, log.id)
}

export const renderList = <Item, Page extends ListPage<Item>, Words extends ListWords>(
  list: ListRow<Item, Page, Words>,
  given: ConsolePageGiven,
  page: Page,
): string => {
  const { view, role } = given
  const path = getListPath(list.operation)
  const { items, filter, next, notice = null, problem = null } = page
  const words = list.words(view.language)
  const { heading, search = '', utc = null } = words
  const said = list.says(given, page, words)
  const { create, head = html`<h1>${heading}</h1>`, log, note = null, only } = said
  const { nothing = (next === null ? words.none : words.goOn) ?? null } = said
  const fields = list.fields?.(words) ?? []
  const labels = { label: heading, submit: search }
  const isUtc = log !== undefined && only === undefined
  const add =
    create !== undefined && role === 'operator'
      ? html`<a class="button primary" href="${pageUrl(view, create[0])}">${icons.plus}${create[1]}</a>`
      : null
  return renderConsolePage(given, {
    part: getPart(list.operation),
    head: html`<div class="head"><div>${head}</div>${said.beside ?? add}</div>`,
    notice,
    problem,
    isInZone: !isUtc,
    main:
      only ??
      html`${said.above ?? null}${fields.length === 0 ? null : renderTools(fields, filter, path, view, labels)}
${note}${page.isPartial ? html`<p class="quiet">${consoleWords(view.language).partial}</p>` : null}${items.length === 0 && nothing !== null ? renderEmpty({ heading: nothing }) : renderItems(items, said, view)}
${isUtc ? html`<p class="quiet zone">${utc}</p>` : null}
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
