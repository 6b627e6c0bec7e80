/** What the consent page asks for: a cell for each permission and for each word about the owner, and all in one sentence. */
import type { Authorization } from '../../../model/authorization.ts'
import type { Language } from '../../../model/language.ts'
import type { Harm } from '../../../model/resource.ts'
import { isRefusable, type ScopeWord } from '../../../model/scope-word.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { getCells, type ResourceRow } from '../../../paper/resource-row.ts'
import { formatList, sayDay } from '../../../paper/time.ts'
import type { View } from '../../../paper/view.ts'
import { consentWords } from './words.ts'

export interface ConsentCell {
  /** As in a scope: `photos:read`. */
  readonly permission: string
  readonly text: string
  /** Whether this request asks for it; what is not asked cannot be ticked. */
  readonly asked: boolean
  /** The application cannot work without it, so it cannot be unticked. */
  readonly required: boolean
  readonly allowedBefore: Pick<Authorization, 'duration' | 'expiresAt'> | null
  /** The approval stands until taken back and is asked again beside something new: it goes along. */
  readonly settled: boolean
  /** Why it is marked; null for what can be undone. */
  readonly harm?: Harm | null
}

/** What a word of the scope lets the application know. */
export interface AboutCell extends ConsentCell {
  /** The claims it would see; null if the word itself says all. */
  readonly values: readonly { readonly label: string; readonly value: string }[] | null
}

/** The requested permissions, with those that were allowed before. */
export interface AskedPermissions {
  readonly rows: readonly ResourceRow<ConsentCell>[]
  /** What it may know of the owner. */
  readonly about: readonly {
    readonly word: ScopeWord
    readonly title: string
    readonly cell: AboutCell
  }[]
}

export const listCells = ({ rows, about }: AskedPermissions): readonly ConsentCell[] => [
  ...rows.flatMap(getCells),
  ...about.map(({ cell }) => cell),
]

/** Whether something new is asked for beside what was allowed before. */
export const isMoreAsked = (page: AskedPermissions): boolean => {
  const asked = listCells(page).filter((of) => of.asked)
  return asked.some((of) => of.allowedBefore === null) && asked.some((of) => of.allowedBefore)
}

/** The permission stands, and there is nothing to decide about it. */
export const isKept = ({ asked, settled, allowedBefore }: ConsentCell): boolean =>
  asked ? settled : allowedBefore !== null

/** At most so many things have a name in one sentence. */
const namedThings = 8

/** From so many claims on, a sentence counts them. */
const countedClaims = 4

/** In a sentence, a title of one English word is no name: photos, but GitHub Issues. */
const formatTitle = (title: string, { tag }: Language, isClaim = false): string =>
  tag === 'en' && (isClaim || /^\p{Lu}\p{Ll}+$/u.test(title))
    ? title.charAt(0).toLowerCase() + title.slice(1)
    : title

type Verb = 'change' | 'use' | 'see' | 'know'

type Wish = readonly [Verb, string]

/** What people fear most comes first. */
const verbs: readonly Verb[] = ['change', 'use', 'see', 'know']

interface Wished extends AskedPermissions {
  /** Of the resources of its details. */
  readonly details?: readonly { readonly title: string }[]
}

const listWishes = (
  { rows, about, details = [] }: Wished,
  counts: (cell: ConsentCell) => boolean,
  language: Language,
): { readonly wishes: readonly Wish[]; readonly claims: number } => {
  const ofRows = rows.flatMap((row): readonly Wish[] => {
    const { read, write } = row
    if (!getCells(row).some(counts)) return []
    const isRead = read !== null && counts(read)
    const isOnlyRead = isRead && getCells(row).filter(counts).length === 1
    const verb = write !== null && counts(write) ? 'change' : isOnlyRead ? 'see' : 'use'
    return [[verb, formatTitle(row.title, language)]]
  })
  const named = new Set(rows.filter((row) => getCells(row).some(counts)).map(({ title }) => title))
  const detailed = details
    .filter(({ title }) => !named.has(title))
    .map(({ title }): Wish => ['use', formatTitle(title, language)])
  const known = about.filter(({ word, cell }) => isRefusable(word) && counts(cell))
  const claims = known.reduce((sum, { cell }) => sum + (cell.values?.length || 1), 0)
  const ofClaims = known.map(({ title }): Wish => ['know', formatTitle(title, language, true)])
  const isCounted = claims >= countedClaims && known.length > 1
  const wishes = [...ofRows, ...detailed, ...(isCounted ? [] : ofClaims)]
  return { wishes, claims: isCounted ? claims : 0 }
}

/** @param counts which of the cells it is about @returns '' for none */
export const sayWishes = (
  page: Wished,
  counts: (cell: ConsentCell) => boolean,
  language: Language,
): string => {
  const words = consentWords(language)
  const { wishes, claims } = listWishes(page, counts, language)
  const sorted = verbs.flatMap((verb) => wishes.filter(([of]) => of === verb))
  const count = sorted.length - namedThings + 1
  const last = sorted[namedThings - 2]?.[0] ?? 'see'
  const named: readonly Wish[] =
    count < 2 ? sorted : [...sorted.slice(0, namedThings - 1), [last, words.others({ count })]]
  const clauses = [...Map.groupBy(named, ([verb]) => verb)].map(([verb, of]) => {
    const things = [...new Set(of.map(([, thing]) => thing))]
    return words.wish[verb]({ things: formatList(things, language) })
  })
  return formatList(claims === 0 ? clauses : [...clauses, words.facts({ count: claims })], language)
}

/** The approvals that stand, each with its end, in one sentence; null without any. */
export const sayKept = ({ rows, about }: AskedPermissions, view: View): Markup | null => {
  const { language } = view
  const words = consentWords(language)
  // Without the details: those are asked anew.
  const kept = { rows, about }
  const cells = listCells(kept).filter(isKept)
  const ends = Map.groupBy(cells, ({ allowedBefore: by }) =>
    by?.duration === 'session' ? 'logout' : (by?.expiresAt ?? null),
  )
  const told = [...ends].flatMap(([end, of]) => {
    const said = sayWishes(kept, (cell) => of.includes(cell), language)
    if (said === '') return []
    const wishes = html`${said}`
    if (end === 'logout') return [words.untilLogoutToo({ wishes })]
    return end === null ? [wishes] : [words.untilToo({ wishes, when: sayDay(end, view.at, view) })]
  })
  if (told.length === 0) return null
  const all = told.reduce((one, other) => words.andAlso({ one, other }))
  return html`${words.may({ wishes: all })} ${words.stays}`
}
