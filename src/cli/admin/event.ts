/** `latchkey event ...`: what happened, as JSON lines or a line of text each. */
import type { AdminApi, AdminQuery } from '../api.ts'
import { renderTime } from '../counts.ts'
import { type JsonRow, renderRows, shown } from '../said.ts'
import type { Flags } from '../store.ts'
import type { ApiWork } from '../tree.ts'
import { findOwner } from './owner.ts'

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** A time of RFC 3339 or unix seconds as they are; `90s`, `15m`, `2h`, `7d` as so long ago. */
const sinceOf = (given: string, now: number): string => {
  const [, number = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(given) ?? []
  const seconds = units[unit]
  return seconds === undefined ? given : String(Math.max(0, now - Number(number) * seconds))
}

export const now = (): number => Math.floor(Date.now() / 1000)

export const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : String(value)

/** `--since` and `--until` as the admin API takes them. */
export const spanOf = ({ since, until }: Flags): AdminQuery => ({
  since: since === undefined ? undefined : sinceOf(String(since), now()),
  until: until === undefined ? undefined : sinceOf(String(until), now()),
})

export const queryOf = async (api: AdminApi, flags: Flags): Promise<AdminQuery> => {
  const { owner, client, type, actor, since, until } = flags
  return {
    owner: owner === undefined ? undefined : shown((await findOwner(api, String(owner))).id),
    client: textOf(client),
    type: textOf(type),
    actor: textOf(actor),
    ...spanOf({ since, until }),
  }
}

const actorOf = (actor: unknown): string => {
  if (typeof actor !== 'object' || actor === null) return ''
  const { type, user, client_id, owner_id } = actor as JsonRow
  return [type, user ?? client_id ?? owner_id].filter((part) => part !== undefined).join(' ')
}

const cells = (event: JsonRow): readonly string[] => [
  renderTime(Number(event.at)),
  shown(event.type),
  actorOf(event.actor),
  shown(event.client_id),
  shown(event.owner_id),
  JSON.stringify(event.details),
]

export const lineOf = (event: JsonRow, { json }: Flags): string =>
  json === true ? JSON.stringify(event) : renderRows([cells(event)])

export const listEvents: ApiWork = async (api, flags) => {
  const most = Number(flags.limit ?? 50)
  const rows = await api.list('events', await queryOf(api, flags), most)
  const text = rows.length === 0 ? 'There are no such events.' : renderRows(rows.map(cells))
  return { json: rows, text }
}
