/** All that the consent page asks for, in one sentence, and as a list in as few groups as it can be. */
import type { Language } from '../../../model/language.ts'
import { isRefusable } from '../../../model/scope-word.ts'
import { hide } from '../../../paper/fields.ts'
import { icons } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { getCells, hideSeeing, renderHarm, renderVerb } from '../../../paper/resource-row.ts'
import { formatList, sayDay } from '../../../paper/time.ts'
import type { View } from '../../../paper/view.ts'
import { aboutWords } from '../../../paper/words/about.ts'
import { phrases } from '../../../paper/words/phrases.ts'
import { renderAbout } from './about.ts'
import type { AskedPermissions, ConsentCell } from './cells.ts'
import { consentWords } from './words.ts'

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
const sayKept = ({ rows, about }: AskedPermissions, view: View): Markup | null => {
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

interface ListLine {
  readonly cell: ConsentCell
  readonly told: Markup
  /** What is said of the resource, on its first line only. */
  readonly note: string | null
  readonly fold: Markup | null
  readonly kind: 'about' | 'see' | 'change'
}

/** More rows than these are in groups, so a page has two sizes. */
const plainRows = 4

/** More red rows than these stand under one red heading. */
const redRows = 3

const listLines = (
  { rows, about }: AskedPermissions,
  isLong: boolean,
  { language }: View,
): readonly ListLine[] => {
  const asked = about.filter(({ cell }) => cell.asked && !isKept(cell))
  const ofRows = rows.flatMap((row): readonly ListLine[] =>
    getCells(row)
      .filter((cell) => cell.asked && !isKept(cell))
      .map((cell, at) => {
        const isSeen = cell === row.read && !cell.harm
        return {
          cell,
          told:
            isLong && isSeen ? hideSeeing(cell.text, language) : renderVerb(cell.text, language),
          note: at === 0 ? (row.note ?? null) : null,
          fold: null,
          kind: isSeen ? 'see' : 'change',
        }
      }),
  )
  const ofAbout = asked.map((one): ListLine => {
    const { told, fold } = renderAbout(one, asked, language)
    return { cell: one.cell, told, note: null, fold, kind: 'about' }
  })
  return isLong ? [...ofAbout, ...ofRows] : [...ofRows, ...ofAbout]
}

/** When the earlier approval ends. */
const sayEnd = (by: NonNullable<ConsentCell['allowedBefore']>, view: View): Markup => {
  const { allowed, until, untilLogout } = consentWords(view.language)
  const { forever } = phrases(view.language).duration
  const last =
    by.expiresAt === null ? forever : until({ when: sayDay(by.expiresAt, view.at, view) })
  return allowed({ end: html`${by.duration === 'session' ? untilLogout : last}` })
}

/** A browser does not send a disabled field, so a hidden one stands for each required permission. */
const renderLine = (
  { cell, told, note, fold }: ListLine,
  reason: Content,
  isMarked: boolean,
  view: View,
): Markup => {
  const { permission, required, allowedBefore, harm = null } = cell
  const { required: isRequired } = consentWords(view.language)
  const isRed = harm !== null && isMarked
  const beside = note && html` <small class="beside">${note}</small>`
  const tags = html`${required ? html`<span class="tag">${isRequired}</span>` : null}${isRed ? renderHarm(harm, view.language) : null}`
  return html`<li${isRed ? html` class="destroys"` : null}><label class="tick"><input type="checkbox" name="permission" value="${permission}" checked${required ? html` disabled` : null}><span>${told}${beside}${[allowedBefore && sayEnd(allowedBefore, view), reason].flatMap((text) => (text === null ? [] : [html` <small>${text}</small>`]))}</span>${tags}</label>${required ? hide('permission', permission) : null}${fold}</li>`
}

interface Group {
  readonly title: string | null
  readonly look?: 'claims' | 'pairs' | 'red'
  readonly lines: readonly ListLine[]
}

/** Claims come first on a long page, and what is hard to undo last. */
const group = (
  lines: readonly ListLine[],
  isLong: boolean,
  { language }: View,
): readonly Group[] => {
  const { onlySee, also, harmful } = consentWords(language)
  const red = lines.filter(({ cell }) => cell.harm)
  const isRed = red.length > redRows
  const rest = isRed ? lines.filter(({ cell }) => !cell.harm) : lines
  const { about = [], see = [], change = [] } = Object.groupBy(rest, ({ kind }) => kind)
  const known: Group = { title: aboutWords(language).heading, look: 'claims', lines: about }
  const groups: readonly Group[] = isLong
    ? [known, { title: onlySee, look: 'pairs', lines: see }, { title: also, lines: change }]
    : [{ title: null, lines: rest.filter(({ kind }) => kind !== 'about') }, known]
  const last: readonly Group[] = isRed ? [{ title: harmful, look: 'red', lines: red }] : []
  return [...groups, ...last].filter((one) => one.lines.length > 0)
}

/**
 * @param question the title of the list, for screen readers
 * @param reason why it cannot work without what is required, in its own words; null if it said nothing
 */
export const renderConsentList = (
  asked: AskedPermissions,
  question: Content,
  reason: Content,
  view: View,
): Markup => {
  const { isNew, again } = consentWords(view.language)
  const open = asked.rows.flatMap(getCells).filter((cell) => cell.asked && !isKept(cell))
  const isLong = open.length > plainRows
  const lines = listLines(asked, isLong, view)
  const fresh = lines.filter(({ cell }) => cell.allowedBefore === null)
  const repeated = lines.filter(({ cell }) => cell.allowedBefore !== null)
  const isRepeated = isMoreAsked(asked) && repeated.length > 0
  const groups = (isRepeated ? [fresh, repeated] : [lines]).flatMap((of, at) =>
    group(of, isLong, view).map((one) => ({
      ...one,
      // Whether it is new is said only beside what is not.
      legend: [isRepeated && [isNew, again][at], one.title].filter((text) => text).join(' · '),
    })),
  )
  const required = groups.flatMap((of) => of.lines).filter(({ cell }) => cell.required)
  // The reason is told once.
  const explained = required.find(({ kind }) => kind !== 'about') ?? required[0]
  // Settled permissions have a field of their own, since they may be taken back meanwhile.
  const settled = listCells(asked).filter((cell) => cell.asked && cell.settled)
  const kept = sayKept(asked, view)
  return html`${groups.map(
    ({
      legend,
      look = '',
      lines: of,
    }) => html`<fieldset><legend class="${legend === '' ? 'unseen' : look === 'red' ? 'group red' : 'group'}">${look === 'red' ? icons.warning : null}${legend || question}</legend>
<ul class="may${look && look !== 'red' ? ` ${look}` : ''}">
${of.map(
  (line) => html`${renderLine(line, line === explained ? reason : null, look !== 'red', view)}
`,
)}</ul></fieldset>
`,
  )}${settled.map(({ permission }) => hide('settled', permission))}${
    kept &&
    html`<p class="kept">${icons.check}<span>${kept}</span></p>
`
  }`
}
