/** The list of the consent page: one line for each permission, in as few groups as it can be. */
import type { Authorization } from '../../../model/authorization.ts'
import type { Language } from '../../../model/language.ts'
import type { ScopeWord } from '../../../model/scope-word.ts'
import { hide } from '../../../paper/fields.ts'
import { drawIcon } from '../../../paper/icon.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { normalizeLine } from '../../../paper/plain-text.ts'
import { getCells, type ResourceRow } from '../../../paper/resource-row.ts'
import { sayMoment, type TimeView } from '../../../paper/time.ts'
import { aboutWords } from '../../../paper/words/about.ts'
import { phrases } from '../../../paper/words/phrases.ts'
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
  /** Marked, since it cannot be undone or costs money. */
  readonly isDestructive?: boolean
}

/** What a word of the scope lets the application know. */
interface AboutCell extends ConsentCell {
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

interface ListLine {
  readonly cell: ConsentCell
  readonly title: string
  /** What is said of the resource, on its first line only. */
  readonly note: string | null
  /** Whether it lets the application know something of its owner. */
  readonly isAbout: boolean
  readonly values: Content
}

/** From so many permissions on, those of a resource stand under its title. */
const groupedFrom = 8

const listLines = ({ rows, about }: AskedPermissions, language: Language): readonly ListLine[] => {
  const { heading, nothingStored } = aboutWords(language)
  const renderClaims = (claims: AboutCell['values']): Content => {
    if (claims === null || claims.length === 0) return claims && nothingStored
    return html`<span class="told">${claims.map(({ label, value }) => html`<span>${label}</span> <bdi>${normalizeLine(value)}</bdi> `)}</span>`
  }
  return [
    ...rows.flatMap((row) => {
      const shown = getCells(row).filter(({ asked, allowedBefore }) => asked || allowedBefore)
      return shown.map((cell, at) => ({
        cell,
        title: row.title,
        note: at === 0 ? (row.note ?? null) : null,
        isAbout: false,
        values: null,
      }))
    }),
    ...about
      .filter(({ cell }) => cell.asked || cell.allowedBefore)
      .map(({ cell }) => ({
        cell,
        title: heading,
        note: null,
        isAbout: true,
        values: renderClaims(cell.values),
      })),
  ]
}

/** Whether something new is asked for beside what was allowed before. */
export const isMoreAsked = ({ rows, about }: AskedPermissions): boolean => {
  const asked = [...rows.flatMap(getCells), ...about.map(({ cell }) => cell)].filter(
    (of) => of.asked,
  )
  return asked.some((of) => of.allowedBefore === null) && asked.some((of) => of.allowedBefore)
}

/** The permission stands, and there is nothing to decide about it. */
const isKept = ({ asked, settled }: ConsentCell): boolean => !asked || settled

const renderSmall = (text: Content, isInLine = false): Markup | null =>
  text === null ? null : html` <small${isInLine ? html` class="beside"` : null}>${text}</small>`

/** When the earlier approval ends. The title of its group says that there was one, or this line does. */
const renderEnd = ({ cell }: ListLine, view: TimeView): Markup | null => {
  const { allowedBefore: by } = cell
  if (by === null) return null
  const { allowed, until, untilLogout } = consentWords(view.language)
  const { forever } = phrases(view.language).duration
  const last = by.expiresAt === null ? forever : until({ when: sayMoment(by.expiresAt, view) })
  const end = html`${by.duration === 'session' ? untilLogout : last}`
  return isKept(cell) ? renderSmall(end, true) : renderSmall(allowed({ end }))
}

/**
 * A browser does not send a disabled field, so a hidden one stands for each required permission.
 * Settled permissions have a name of their own, since they may be taken back meanwhile.
 */
const renderLine = (line: ListLine, reason: Content, view: TimeView): Markup => {
  const { cell, note, values } = line
  const { required } = consentWords(view.language)
  const { permission, isDestructive = false } = cell
  const isFixed = cell.required || cell.settled
  const told = html`${isDestructive ? html`<b>${cell.text}</b>` : cell.text}${isKept(cell) ? null : renderSmall(note, true)}${
    cell.required ? html` <span class="tag">${required}</span>` : null
  }${
    isDestructive
      ? html` <strong class="tag bad">${drawIcon('warning')}${phrases(view.language).destructive}</strong>`
      : null
  }${renderSmall(values)}${renderEnd(line, view)}${renderSmall(reason)}`
  if (!cell.asked) {
    return html`<li><div class="fixed">${drawIcon('check')}<span>${told}</span></div></li>`
  }
  const box = html`<input type="checkbox" name="permission" value="${permission}" checked${isFixed ? html` disabled` : null}>`
  const sent = isFixed ? hide(cell.settled ? 'settled' : 'permission', permission) : null
  return html`<li${isDestructive ? html` class="destroys"` : null}><label class="tick">${box}<span>${told}</span></label>${sent}</li>`
}

interface Group {
  readonly legend: Content
  readonly isSeen: boolean
  readonly isKept?: boolean
  readonly lines: readonly ListLine[]
}

/** By title where there are many. Claims always have their own title. */
const group = (lines: readonly ListLine[], status: string | null, question: Content): Group[] => {
  const isLong = lines.length >= groupedFrom
  const titled = Map.groupBy(lines, ({ title, isAbout }) => (isLong || isAbout ? title : ''))
  return [...titled].map(([title, of]) => {
    const seen = [status, title].filter((text) => text).join(' · ')
    return { legend: seen || question, isSeen: seen !== '', lines: of }
  })
}

/**
 * @param question the title of the list, for screen readers
 * @param reason why it cannot work without what is required, in its own words; null if it said nothing
 */
export const renderConsentList = (
  asked: AskedPermissions,
  question: Content,
  reason: Content,
  view: TimeView,
): readonly Markup[] => {
  const { isNew, again, kept } = consentWords(view.language)
  const lines = listLines(asked, view.language)
  const open = lines.filter(({ cell }) => !isKept(cell))
  const closed = lines.filter(({ cell }) => isKept(cell))
  const fresh = open.filter(({ cell }) => cell.allowedBefore === null)
  const repeated = open.filter(({ cell }) => cell.allowedBefore !== null)
  const groups: readonly Group[] = [
    ...(isMoreAsked(asked)
      ? [...group(fresh, isNew, question), ...group(repeated, again, question)]
      : group(open, null, question)),
    ...(closed.length === 0 ? [] : [{ legend: kept, isSeen: true, isKept: true, lines: closed }]),
  ]
  const required = groups.flatMap(({ lines }) => lines).filter(({ cell }) => cell.required)
  // The reason is told once.
  const explained = required.find(({ isAbout }) => !isAbout) ?? required[0]
  return groups.map(
    ({
      legend,
      isSeen,
      isKept: stands = false,
      lines,
    }) => html`<fieldset><legend class="${isSeen ? 'group' : 'unseen'}">${legend}</legend>
<ul class="may${stands ? ' kept' : ''}">
${lines.map(
  (line) => html`${renderLine(line, line === explained ? reason : null, view)}
`,
)}</ul></fieldset>
`,
  )
}
