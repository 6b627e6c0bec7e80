/** One event as a line: a sentence, the actor and the place, and the way to say "Not me". */

import type { EventType } from '../../../model/event.ts'
import { sayName } from '../../../paper/fields.ts'
import { type Content, html, type Markup } from '../../../paper/markup.ts'
import { renderRequesterChange } from '../../../paper/requester-change.ts'
import { sayClock, sayMoment } from '../../../paper/time.ts'
import { pageUrl, type View } from '../../../paper/view.ts'
import { formatBrowser, sessionWords } from '../../../paper/words/sessions.ts'
import type { ShownEvent } from './event.ts'
import { isDeniable, renderEventMark } from './kinds.ts'
import { eventWords } from './words.ts'

/** Events about an owner; the others are about clients, resources and keys. */
type OwnersEvent =
  | Exclude<
      EventType,
      | 'login.succeeded'
      | `client.${string}`
      | `group.${string}`
      | `issuer.${string}`
      | `keys.${string}`
      | `resource.${string}`
      | `stream.${string}`
      | 'seals.begun_anew'
      | 'store.restored'
    >
  | 'client.changed_itself'

type Told = Readonly<
  Record<'client' | 'parent' | 'asked' | 'end' | 'issuer' | 'what' | 'refused' | 'factor', Markup>
>

type EventWords = ReturnType<typeof eventWords>

type Sentence = string | ((told: Told) => Content)

type Sentences = Readonly<Partial<Record<EventType, Sentence>>>

/** Permissions refused on a consent page, and their effect on the application. */
const refusals: Readonly<Partial<Record<EventType, keyof EventWords['refusals']>>> = {
  'authorization.approved': 'approved',
  'authorization.narrowed': 'narrowed',
  'authorization.ended': 'ended',
}

/** How somebody logged in; null where the event does not say. */
const sayWay = ({ methods }: ShownEvent, words: EventWords): string | null => {
  const hasKey = methods.includes('pop') || methods.includes('swk')
  if (!methods.includes('pwd')) return hasKey ? words.ways.passkey : null
  if (hasKey) return words.ways.passwordAndPasskey
  return methods.includes('otp') ? words.ways.passwordAndCode : words.ways.password
}

const sayLogin = (event: ShownEvent, words: EventWords): string => {
  const way = sayWay(event, words)
  if (way === null) return event.isNewBrowser ? words.newBrowser : words.login
  return event.isNewBrowser ? words.newBrowserBy({ way }) : words.loginBy({ way })
}

interface Saying {
  readonly said: Content
  /** Whether the sentence says who acted. */
  readonly namesActor: boolean
}

/** What the details of an event say beyond its type. */
const sayDetails = (event: ShownEvent, told: Told, words: EventWords): Content => {
  const { type, sessions, isUsed, unusedDays, refused, issuer = '', factor, byUpstream } = event
  if (isUsed) return words.usedCode
  if (event.isOfNetwork) return words.networkWaits
  if (byUpstream) return words.byUpstream[byUpstream[0]]({ upstream: byUpstream[1] })
  if (type === 'login.succeeded') return sayLogin(event, words)
  if (issuer !== '' && type === 'authorization.approved') return words.allowedBy(told)
  if (unusedDays !== null) return words.pausedUnused({ client: told.client, days: unusedDays })
  if (factor === 'passkey only') return words.passkeyOnly[type === 'factor.added' ? 'on' : 'off']
  const refusal = refused === '' ? undefined : refusals[type]
  if (refusal !== undefined) return words.refusals[refusal](told)
  return sessions > 0 ? words.othersEnded({ sessions }) : null
}

/** The subject of the sentence is the owner or the operator, as far as one of them acted. */
const sayEvent = (event: ShownEvent, told: Told, words: EventWords): Saying => {
  const { type, by, sessions } = event
  const detailed = sayDetails(event, told, words)
  if (detailed !== null) return { said: detailed, namesActor: sessions === 0 }
  const named: Sentences = by === null || by.who === 'client' ? {} : words[by.who]
  const all: Readonly<Record<OwnersEvent, Sentence>> = words.happened
  const own = Object.hasOwn(named, type) ? named[type] : undefined
  const sentence = own ?? (Object.hasOwn(all, type) ? all[type as OwnersEvent] : undefined)
  // An event of a newer version is called by its name.
  if (sentence === undefined) return { said: html`<code>${type}</code>`, namesActor: false }
  const said = typeof sentence === 'string' ? sentence : sentence(told)
  return { said, namesActor: own !== undefined }
}

/** Types with a named actor. Other events have an unproven actor, or say it themselves. */
const attributed =
  /^(authorization|factor|link|session|upstream)\.|^owner\.(created|access_ended|groups_changed|password_changed)$/

const sayByWhom = ({ type, by }: ShownEvent, words: EventWords): Content => {
  if (by === null || !attributed.test(type)) return null
  if (by.who !== 'client') return words.by[by.who]
  const client = by.name === null ? html`${words.goneClient}` : sayName(by.name)
  return words.by.client({ client })
}

/** Such as `Chrome on Linux`; null where nothing is known. */
const sayBrowser = ({ program, system }: ShownEvent, view: View): string | null =>
  program === null && system === null
    ? null
    : formatBrowser({ program, system }, sessionWords(view.language))

const tellNames = (event: ShownEvent, words: EventWords, view: View): Told => {
  const { at, clientName, parentName, issuer, what, refused, askedAt, expiresAt } = event
  const sayClient = (name: string | null): Markup =>
    name === null ? html`${words.goneClient}` : html`<b>${sayName(name)}</b>`
  const factors: Readonly<Record<string, string>> = words.factors
  const factor = (Object.hasOwn(factors, event.factor) && factors[event.factor]) || event.factor
  return {
    client: sayClient(clientName),
    parent: sayClient(parentName),
    issuer: sayName(issuer ?? ''),
    what: html`${what}`,
    refused: html`${refused}`,
    asked: sayMoment(askedAt ?? at, view),
    end: expiresAt === null ? html`${words.untilTakenBack}` : sayMoment(expiresAt, view),
    factor:
      event.passkey === ''
        ? html`${factor}`
        : words.namedPasskey({ name: html`<b>${sayName(event.passkey)}</b>` }),
  }
}

/** @param times how often the same came in a row */
export const renderEvent = (event: ShownEvent, view: View, times = 1): Markup => {
  const words = eventWords(view.language)
  const { said, namesActor } = sayEvent(event, tellNames(event, words, view), words)
  const repeated = times > 1 ? html` <span class="tag">${words.times({ times })}</span>` : null
  const browser = sayBrowser(event, view)
  const byWhom = namesActor ? null : sayByWhom(event, words)
  const network = event.network === '' ? null : html`<bdi dir="ltr">${event.network}</bdi>`
  const where = [byWhom, browser, network].filter((one) => one !== null)
  const below = where.map((one, index) => html`${index > 0 ? words.separator : null}${one}`)
  const change = event.change && renderRequesterChange(event.change, view.language)
  const deny = html`<a href="${pageUrl(view, '/account/lost', { event: event.id })}">${words.notMe}${browser && html`<span class="unseen">: ${browser}</span>`}</a>`
  return html`<li class="marked">${renderEventMark(event)}<div><p>${said}${repeated}</p>${change}${below.length === 0 ? null : html`<p class="says">${below}</p>`}</div><div class="end">${isDeniable(event) ? deny : null}${sayClock(event.at, view)}</div></li>
`
}
