/** Permissions as one sentence: "change your photos and see your contacts". */
import type { Language } from '../../../model/language.ts'
import { isRefusable } from '../../../model/scope-word.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import { getCells } from '../../../paper/resource-row.ts'
import { formatList, sayDay } from '../../../paper/time.ts'
import type { View } from '../../../paper/view.ts'
import { type AskedPermissions, type ConsentCell, isKept, listCells } from './cells.ts'
import { consentWords } from './words.ts'

/** At most so many things have a name in one sentence. */
const namedThings = 8

/** From so many claims on, a sentence counts them. */
const countedClaims = 4

/** In a sentence, a title of one English word is no name: photos, but GitHub Issues. */
const formatThing = (title: string, language: Language): string =>
  language.tag === 'en' && /^\p{Lu}\p{Ll}+$/u.test(title) ? title.toLowerCase() : title

const formatClaim = (title: string, { tag }: Language): string =>
  tag === 'en' ? title.charAt(0).toLowerCase() + title.slice(1) : title

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
    return [[verb, formatThing(row.title, language)]]
  })
  const named = new Set(rows.filter((row) => getCells(row).some(counts)).map(({ title }) => title))
  const detailed = details
    .filter(({ title }) => !named.has(title))
    .map(({ title }): Wish => ['use', formatThing(title, language)])
  const known = about.filter(({ word, cell }) => isRefusable(word) && counts(cell))
  const claims = known.reduce((sum, { cell }) => sum + (cell.values?.length || 1), 0)
  const ofClaims = known.map(({ title }): Wish => ['know', formatClaim(title, language)])
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
  const ends = new Map<string, ConsentCell['allowedBefore']>()
  const endOf = ({ allowedBefore: by }: ConsentCell): string =>
    by === null ? '' : by.duration === 'session' ? 'session' : String(by.expiresAt)
  for (const cell of listCells(kept).filter(isKept)) ends.set(endOf(cell), cell.allowedBefore)
  const told = [...ends].flatMap(([end, by]) => {
    const said = sayWishes(kept, (cell) => isKept(cell) && endOf(cell) === end, language)
    if (said === '' || by === null) return []
    const wishes = html`${said}`
    if (by.duration === 'session') return [words.untilLogoutToo({ wishes })]
    const { expiresAt } = by
    if (expiresAt === null) return [wishes]
    return [words.untilToo({ wishes, when: sayDay(expiresAt, view.at, view) })]
  })
  if (told.length === 0) return null
  const all = told.reduce((one, other) => words.andAlso({ one, other }))
  return html`${words.may({ wishes: all })} ${words.stays}`
}
