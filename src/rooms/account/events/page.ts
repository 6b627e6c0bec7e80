/** The page of recent events: type, time and network. */
import type { EventType } from '../../../model/event.ts'
import type { Language } from '../../../model/language.ts'
import type { RequesterChange } from '../../../model/requester.ts'
import { named } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderRequesterChange } from '../../../paper/requester-change.ts'
import { moment, renderTimesScript } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { type AccountPageGiven, renderAccountPage } from '../frame.ts'
import { eventWords } from './words.ts'

/** Events about an owner; the others are about clients, resources and keys. */
type OwnersEvent =
  | Exclude<
      EventType,
      `client.${string}` | `keys.${string}` | `resource.${string}` | 'store.restored'
    >
  | 'client.changed_itself'

export interface ShownEvent {
  readonly type: EventType
  /** Unix seconds. */
  readonly at: number
  /** The actor; null if not known. */
  readonly by:
    | { readonly who: 'you' | 'operator' }
    /** An application; the name is null where it is gone. */
    | { readonly who: 'client'; readonly name: string | null }
    | null
  /** Null where there is none, or none any more. */
  readonly clientName: string | null
  /** What may be done from then on, such as `Photos (read, write)`. */
  readonly what: string
  /** What was asked for and not allowed, or taken from an earlier access by that; '' for nothing. */
  readonly refused: string
  /** The end of an authorization that was set; unix seconds, null = none. */
  readonly expiresAt: number | null
  /** The days without a use for which it was paused; null for other events. */
  readonly unusedDays: number | null
  /** Logins that ended together; 0 for other events. */
  readonly sessions: number
  /** Another way to log in than the password; '' where the event is of none. */
  readonly factor: string
  /** Whether a login was refused because its one-time code had been used. */
  readonly isUsed: boolean
  /** Whether a login was made with a browser that the owner had not used before. */
  readonly isNewBrowser: boolean
  /** A client's changes of itself; null for other events. */
  readonly change: RequesterChange | null
  /** Shortened; '' where it is not known. */
  readonly network: string
}

export interface EventsPage extends AccountPageGiven {
  /** The latest first. */
  readonly events: readonly ShownEvent[]
  /** The key of the next page; null where there is none. */
  readonly next: string | null
}

/** What an event may be told with. */
interface Told {
  readonly client: Markup
  readonly what: string
  readonly refused: string
  readonly end: Markup
  readonly factor: string
}

type EventWords = ReturnType<typeof eventWords>

/** Permissions refused on a consent page, and their effect on the application. */
const refusals: Readonly<Partial<Record<EventType, keyof EventWords['refusals']>>> = {
  'authorization.approved': 'approved',
  'authorization.narrowed': 'narrowed',
  'authorization.ended': 'ended',
}

const sentenceOf = (type: EventType, told: Told, words: EventWords): Content => {
  const refusal = told.refused === '' ? undefined : refusals[type]
  if (refusal !== undefined) return words.refusals[refusal](told)
  const happened: Readonly<Record<OwnersEvent, string | ((told: Told) => Content)>> = words.happened
  // One that a newer version told of is called by its name.
  if (!Object.hasOwn(happened, type)) return html`<code>${type}</code>`
  const sentence = happened[type as OwnersEvent]
  return typeof sentence === 'string' ? sentence : sentence(told)
}

const factorOf = (factor: string, words: EventWords): string => {
  const factors: Readonly<Record<string, string>> = words.factors
  return Object.hasOwn(factors, factor) ? (factors[factor] ?? '') : factor
}

const saidOf = (
  { type, sessions, isUsed, isNewBrowser, unusedDays }: ShownEvent,
  told: Told,
  language: Language,
): Content => {
  const words = eventWords(language)
  if (isUsed) return words.usedCode
  if (isNewBrowser) return words.newBrowser
  if (unusedDays !== null) {
    return words.pausedUnused({ client: told.client, days: unusedDays })
  }
  return sessions === 0 ? sentenceOf(type, told, words) : words.othersEnded({ sessions })
}

/** Types with a named actor. Other events have an unproven actor, or say it themselves. */
const attributed: readonly EventType[] = [
  'owner.created',
  'owner.access_ended',
  'owner.password_changed',
  'link.issued',
  'factor.added',
  'factor.removed',
  'upstream.linked',
  'upstream.unlinked',
  'session.ended',
  'authorization.approved',
  'authorization.narrowed',
  'authorization.end_changed',
  'authorization.ended',
  'authorization.paused',
  'authorization.resumed',
]

const byWhom = ({ type, by }: ShownEvent, words: EventWords): Content => {
  if (by === null || !attributed.includes(type)) return null
  if (by.who !== 'client') return words.by[by.who]
  const client = by.name === null ? html`${words.goneClient}` : named(by.name)
  return words.by.client({ client })
}

/** One line of a list. */
export const renderEvent = (event: ShownEvent, view: View): Markup => {
  const { language } = view
  const words = eventWords(language)
  const { at, clientName, what, refused, expiresAt, network } = event
  const told = {
    client: clientName === null ? html`${words.goneClient}` : named(clientName),
    what,
    refused,
    end: expiresAt === null ? html`${words.untilTakenBack}` : moment(expiresAt, view),
    factor: factorOf(event.factor, words),
  }
  const by = byWhom(event, words)
  const from =
    network === ''
      ? null
      : html`, ${words.from({ network: html`<bdi dir="ltr">${network}</bdi>` })}`
  const change = event.change && renderRequesterChange(event.change, language)
  return html`<li><p>${saidOf(event, told, language)}</p>${change}
<p class="quiet">${moment(at, view)}${by === null ? null : html`, ${by}`}${from}</p></li>
`
}

export const renderEvents = (page: EventsPage): string => {
  const { view, events, next } = page
  const words = eventWords(view.language)
  return renderAccountPage(page, {
    part: 'events',
    heading: words.heading,
    main: html`<p>${words.about}</p>
${events.length === 0 ? html`<p class="card">${words.nothing}</p>` : html`<ol class="card events">${events.map((event) => renderEvent(event, view))}</ol>`}
${next === null ? null : html`<p class="off-paper"><a href="${pageUrl(view, '/account/events', { before: next })}">${words.older}</a></p>`}
${renderTimesScript(view)}`,
  })
}
