/** What the account page says of the uses of one application. */
import { limits } from '../config/limits.ts'
import { dayOf, type UseDay } from '../model/use.ts'
import { named } from './fields.ts'
import { html, type Markup } from './markup.ts'
import { number } from './time.ts'
import { renderUseDrawing } from './use-drawing.ts'
import { pageUrl, type View } from './view.ts'
import { useWords } from './words/uses.ts'

export interface UsesOfCard {
  /** Of the authorization. */
  readonly id: string
  readonly clientName: string
  readonly counted: readonly UseDay[]
}

/** What the uses of every card of a page are given. */
export interface UsesGiven {
  readonly view: View
  /** Unix seconds. */
  readonly now: number
  /** How many days the drawings of uses reach back. */
  readonly drawnDays: number
}

export interface AccessOfCard {
  readonly clientName: string
  /** Whether the application has another access, which it may have used since. */
  readonly hasOthers: boolean
  /** Unix seconds; null = never. */
  readonly lastUsedAt: number | null
  readonly createdAt: number
}

/** A note about an access without recent uses; null for a used one. */
export const renderUnused = (
  { clientName, hasOthers, lastUsedAt, createdAt }: AccessOfCard,
  now: number,
  { language }: View,
): Markup | null => {
  const seconds = now - (lastUsedAt ?? createdAt)
  if (seconds < limits.unusedSeconds) return null
  const days = number(Math.floor(seconds / 86_400), language)
  const words = useWords[language]
  const unused = hasOthers ? words.unusedOne : words.unused
  return html`<p class="notice warning">${unused({ client: named(clientName), days })}</p>`
}

/** The way to the ledger of one application. */
export const ledgerLink = (
  { id, clientName }: Pick<UsesOfCard, 'id' | 'clientName'>,
  view: View,
): Markup => {
  const words = useWords[view.language]
  const of = words.toLedgerOf({ client: named(clientName) })
  return html`<p class="off-paper"><a href="${pageUrl(view, '/account/ledger', { authorization: id })}">${words.toLedger}<span class="unseen">${of}</span></a></p>`
}

/** Of one application: the drawing of its last days, and the way to its ledger. */
export const renderUses = (of: UsesOfCard, { now, drawnDays: days, view }: UsesGiven): Markup => {
  const { id, counted } = of
  const drawing = { id, counted, days, today: dayOf(now) }
  return html`${renderUseDrawing(drawing, view.language)}
${ledgerLink(of, view)}`
}
