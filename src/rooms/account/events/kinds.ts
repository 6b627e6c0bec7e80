/** Kinds of events: what the filters of the page leave, and the icon of each line. */
import { type EventType, eventTypes } from '../../../model/event.ts'
import { type IconName, icons, pickEventIcon, renderDeviceIcon } from '../../../paper/icon.ts'
import { html, type Markup } from '../../../paper/markup.ts'
import type { EventFilter } from '../../../store/contract/event.ts'
import type { ShownEvent } from './event.ts'

/** As the query names them. */
export const eventKinds = ['logins', 'applications', 'keys', 'operator'] as const

export type EventKind = (typeof eventKinds)[number]

/** Acts of operators are of any type. */
const types: Readonly<Record<Exclude<EventKind, 'operator'>, RegExp>> = {
  logins: /^(login|session|logout|recovery_code)\.|^owner\.unlocked$/,
  applications:
    /^(authorization|device|code|refresh_token|token|family)\.|^client\.changed_itself$/,
  keys: /^(factor|passkey|upstream|link)\.|^recovery_code\.|^owner\.(password_changed|email_verified)$/,
}

export const filterByKind = (kind: EventKind | null): Pick<EventFilter, 'types' | 'byOperator'> => {
  if (kind === null) return {}
  if (kind === 'operator') return { byOperator: true }
  return { types: eventTypes.filter((type) => types[kind].test(type)) }
}

const factorIcons: Readonly<Record<string, IconName>> = {
  'one-time codes': 'hash',
  'recovery codes': 'list',
}

const findIcon = ({ type, factor, by }: ShownEvent): IconName => {
  if (by?.who === 'operator') return 'shield'
  const icon = pickEventIcon(type)
  return icon === 'key' ? (factorIcons[factor] ?? icon) : icon
}

/** A tile with a warning says "look twice": somebody else may have done it. */
export const renderEventMark = (event: ShownEvent): Markup => {
  const { type, system, isNewBrowser } = event
  const icon = findIcon(event)
  const drawn = type === 'login.succeeded' ? renderDeviceIcon(system, 'globe') : icons[icon]
  const look = isNewBrowser || icon === 'warning' ? ' doubtful' : ''
  return html`<span class="tile round${look}">${drawn}</span>`
}

/** A login, or what is needed for one: its owner may say that somebody else did it. */
const deniable: readonly EventType[] = [
  'login.succeeded',
  'login.failed',
  'login.second_factor_failed',
  'recovery_code.used',
  'factor.added',
  'upstream.linked',
]

export const isDeniable = ({ type, by }: ShownEvent): boolean =>
  deniable.includes(type) && by?.who !== 'operator'
