/** The list of the consent page: a row for each permission, in as few groups as it can be. */
import { hide } from '../../../paper/fields.ts'
import { renderHarm } from '../../../paper/harm.ts'
import { drawIcon } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { getCells } from '../../../paper/resource-row.ts'
import { sayDay } from '../../../paper/time.ts'
import { boldVerb, hideSeeing } from '../../../paper/verb.ts'
import type { View } from '../../../paper/view.ts'
import { aboutWords } from '../../../paper/words/about.ts'
import { phrases } from '../../../paper/words/phrases.ts'
import { renderAbout } from './about.ts'
import { type AskedPermissions, type ConsentCell, isKept, isMoreAsked, listCells } from './cells.ts'
import { sayKept } from './wishes.ts'
import { consentWords } from './words.ts'

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
          told: isLong && isSeen ? hideSeeing(cell.text, language) : boldVerb(cell.text, language),
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

const renderSmall = (text: Content): Markup | null =>
  text === null ? null : html` <small>${text}</small>`

/** When the earlier approval ends. */
const sayEnd = ({ allowedBefore: by }: ConsentCell, view: View): Content => {
  if (by === null) return null
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
  const { permission, required, harm = null } = cell
  const { required: isRequired } = consentWords(view.language)
  const isRed = harm !== null && isMarked
  const beside = note && html` <small class="beside">${note}</small>`
  const tags = html`${required ? html`<span class="tag">${isRequired}</span>` : null}${isRed ? renderHarm(harm, view.language) : null}`
  return html`<li${isRed ? html` class="destroys"` : null}><label class="tick"><input type="checkbox" name="permission" value="${permission}" checked${required ? html` disabled` : null}><span>${told}${beside}${renderSmall(sayEnd(cell, view))}${renderSmall(reason)}</span>${tags}</label>${required ? hide('permission', permission) : null}${fold}</li>`
}

interface Group {
  readonly legend: Content
  readonly look: 'unseen' | 'group' | 'group red'
  readonly list?: 'claims' | 'pairs'
  readonly lines: readonly ListLine[]
}

/** @param status whether it is new, where anything was allowed before */
const group = (
  lines: readonly ListLine[],
  isLong: boolean,
  status: string | null,
  question: Content,
  { language }: View,
): readonly Group[] => {
  const words = consentWords(language)
  const red = lines.filter(({ cell }) => cell.harm)
  const isRed = red.length > redRows
  const rest = isRed ? lines.filter(({ cell }) => !cell.harm) : lines
  const plain = rest.filter(({ kind }) => kind !== 'about')
  const name = (title: string | null) => [status, title].filter((text) => text).join(' · ')
  const make = (of: readonly ListLine[], title: string | null, list?: Group['list']): Group => {
    const legend = name(title)
    const look = legend === '' ? 'unseen' : 'group'
    return { legend: legend || question, look, lines: of, ...(list && { list }) }
  }
  const about = make(
    rest.filter(({ kind }) => kind === 'about'),
    aboutWords(language).heading,
    'claims',
  )
  const groups = isLong
    ? [
        about,
        make(
          plain.filter(({ kind }) => kind === 'see'),
          words.onlySee,
          'pairs',
        ),
        make(
          plain.filter(({ kind }) => kind === 'change'),
          words.also,
        ),
      ]
    : [make(plain, null), about]
  const harmful: Group = {
    legend: html`${drawIcon('warning')}${name(words.harmful)}`,
    look: 'group red',
    lines: red,
  }
  return [...groups, ...(isRed ? [harmful] : [])].filter((one) => one.lines.length > 0)
}

const renderGroup = (
  { legend, look, list, lines }: Group,
  render: (line: ListLine, isMarked: boolean) => Markup,
): Markup => html`<fieldset><legend class="${look}">${legend}</legend>
<ul class="may${list ? ` ${list}` : ''}">
${lines.map(
  (line) => html`${render(line, look !== 'group red')}
`,
)}</ul></fieldset>
`

/** Settled permissions have a field of their own, since they may be taken back meanwhile. */
const renderKept = (asked: AskedPermissions, view: View): Markup | null => {
  const settled = listCells(asked).filter((cell) => cell.asked && cell.settled)
  const kept = sayKept(asked, view)
  return html`${settled.map(({ permission }) => hide('settled', permission))}${
    kept &&
    html`<p class="kept">${drawIcon('check')}<span>${kept}</span></p>
`
  }`
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
  const groups = isRepeated
    ? [
        ...group(fresh, isLong, isNew, question, view),
        ...group(repeated, isLong, again, question, view),
      ]
    : group(lines, isLong, null, question, view)
  const required = groups.flatMap((of) => of.lines).filter(({ cell }) => cell.required)
  // The reason is told once.
  const explained = required.find(({ kind }) => kind !== 'about') ?? required[0]
  return html`${groups.map((of) =>
    renderGroup(of, (line, isMarked) =>
      renderLine(line, line === explained ? reason : null, isMarked, view),
    ),
  )}${renderKept(asked, view)}`
}
