/** Clients: what each request asks for in columns, the rest as one JSON text (RFC 7591 section 2). */

import { limits } from '../../../config/limits.ts'
import type { Client } from '../../../model/client.ts'
import {
  changeOf,
  endedTokensOf,
  heldAgainst,
  operatorChangeOf,
} from '../../../model/client-change.ts'
import type { ClientId, Digest } from '../../../model/ids.ts'
import type { CheckedScope } from '../../contract/client.ts'
import type { RestoreRule } from '../../schema/table.ts'
import { defineTable } from '../../sql/columns.ts'
import type { Reads, Steps } from '../../sql/record.ts'
import { first, integer, integerOrNull, json, permissionsText } from '../../sql/row.ts'
import { findOne, type Row, type Step, sql, touches, type Value } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'
import { withValues } from '../../transfer/restored-rows.ts'
import { tell } from '../event/events.ts'
import { removeClient } from '../removal/record.ts'
import { namedBy, tellChange, tellOwnChange } from './client-events.ts'
import { freePlace } from './registration-places.ts'

/** What each request asks for has a column. */
type Columns =
  | 'id'
  | 'name'
  | 'scope'
  | 'scopeLimits'
  | 'salt'
  | 'familySalt'
  | 'disabled'
  | 'hasEndings'

type ClientDetails = Omit<Client, Columns | 'shortened'>

interface ClientRow extends Pick<Client, Columns> {
  readonly shortenedAt: number | null
  readonly shortenedTo: number | null
  readonly details: ClientDetails
}

/** Members missing in rows of earlier versions. */
const laterDetails = { oldSecret: null, setByOperator: [], openid: {} } as const

type StoredDetails = Omit<ClientDetails, keyof typeof laterDetails> & Partial<ClientDetails>

/** What stands in the column of that name. */
export const decodeDetails = (value: Value | undefined): ClientDetails => ({
  ...laterDetails,
  ...(json(value) as StoredDetails),
})

/** No token fits a new salt, and endings of tokens are not restored. */
const withNewSalts: RestoreRule = (rows, columns, newSalt) =>
  rows.map((row) => withValues(columns, row, { salt: newSalt(), has_endings: 0 }))

export const clientTable = defineTable<ClientRow>(
  'clients',
  {
    id: 'text',
    name: 'text',
    scope: 'words',
    scopeLimits: 'wideflag default 1',
    salt: 'text',
    familySalt: "text default ''",
    shortenedAt: 'integer?',
    shortenedTo: 'integer?',
    disabled: 'flag',
    hasEndings: 'flag',
    revision: { sql: 'integer not null', from: () => 0 },
    details: { sql: 'text not null', decode: decodeDetails, encode: JSON.stringify },
    deletedAt: 'beside integer?',
  },
  {
    key: 'id',
    restored: withNewSalts,
    indexes: [
      'clients_by_name (lower(name), id)',
      'clients_deleted (id) where deleted_at is not null',
    ],
  },
)

type Shortened = Client['shortened']

const shortenedOf = (at: number | null, seconds: number | null): Shortened =>
  at === null || seconds === null ? null : { at, seconds }

/** Of a row that has it under these names. */
export const decodeShortened = (row: Row): Shortened =>
  shortenedOf(integerOrNull(row.shortened_at), integerOrNull(row.shortened_to))

export const decodeClient = (row: Row): Client => {
  const { details, shortenedAt, shortenedTo, ...client } = clientTable.decode(row)
  return { ...details, ...client, shortened: shortenedOf(shortenedAt, shortenedTo) }
}

const rowOf = (client: Client): ClientRow => {
  const { id, name, scope, scopeLimits, salt, familySalt, disabled, hasEndings, ...others } = client
  const { shortened, ...details } = others
  return {
    ...{ id, name, scope, scopeLimits, salt, familySalt, disabled, hasEndings, details },
    shortenedAt: shortened?.at ?? null,
    shortenedTo: shortened?.seconds ?? null,
  }
}

export const findClient: Reads['findClient'] = async (read, id, also) => {
  const row = first(
    await read('select * from clients where id = ? and deleted_at is null', [id], 'id'),
  )
  const client = row && decodeClient(row)
  return client?.disabled && also === undefined ? null : client
}

export const createClient: Steps['createClient'] = function* (client, trace) {
  const created = yield sql`${clientTable.insertIf(rowOf(client))}
    where not exists (select 1 from owners where id = ${client.id})
    on conflict (id) do nothing returning id`
  if (created.length === 0) return 'taken'
  const { id: clientId, registeredBy } = client
  yield* tell('client.registered', { clientId }, { registeredBy }, trace)
  return 'created'
}

/** A client, as a step read it, with its revision. */
export interface FoundClient {
  readonly client: Client
  readonly revision: number
}

/** The write after it names the revision, so the scope that was checked still holds then. */
export function* findForChange(id: ClientId, checked?: CheckedScope): Step<FoundClient | null> {
  const row = yield* findOne(sql`select * from clients where id = ${id} and deleted_at is null`)
  const isOther = checked !== undefined && row?.scope !== permissionsText(checked)
  return isOther ? null : row && { client: decodeClient(row), revision: integer(row.revision) }
}

/** @returns false where somebody else changed it meanwhile */
export function* writeChange(client: Client, { revision }: FoundClient): Step<boolean> {
  // Endings are marked without a revision, beside this change.
  const { id, hasEndings, ...row } = rowOf(client)
  return yield* touches(sql`update clients set ${clientTable.set(row)}, revision = revision + 1
    where id = ${id} and revision = ${revision} and deleted_at is null returning id`)
}

export const changeClient: Steps['changeClient'] = function* (id, change, trace, checked) {
  for (;;) {
    const found = yield* findForChange(id, checked)
    if (found === null) return null
    const client = operatorChangeOf(found.client, change, trace.at)
    const adds = change.addedRedirectUris !== undefined
    if (adds && client.redirectUris.length > limits.redirectUris) return found.client
    if (!(yield* writeChange(client, found))) continue
    yield* tellChange(found.client, client, change, trace)
    return client
  }
}

export const endClientTokens: Steps['endClientTokens'] = function* (id, salts, trace, checked) {
  for (;;) {
    const found = yield* findForChange(id, checked)
    if (found === null) return null
    const client = endedTokensOf(found.client, salts.own, salts.family)
    if (!(yield* writeChange(client, found))) continue
    yield* tell('client.tokens_ended', { clientId: id }, {}, trace)
    return client
  }
}

/** Whether the registration token of this digest is in force. */
const isManagedBy = ({ registrationDigest, disabled }: Client, registration: Digest): boolean =>
  registrationDigest === registration && !disabled

export const changeOwnClient: Steps['changeOwnClient'] = function* (
  id,
  registration,
  change,
  trace,
) {
  for (;;) {
    const found = yield* findForChange(id)
    if (found === null || !isManagedBy(found.client, registration)) return { outcome: 'gone' }
    const before = found.client
    const wanted = changeOf(before, change, trace.at)
    const members = heldAgainst(before, wanted)
    if (members.length > 0) return { outcome: 'held', members }
    if (namedBy(change).length === 0) return { outcome: 'changed', client: before }
    const { since, times } = before.ownChanges ?? { since: 0, times: 0 }
    const seconds = since + limits.ownChangesSeconds - trace.at
    const isLate = seconds <= 0
    if (!isLate && times >= limits.ownChanges) return { outcome: 'too_often', seconds }
    const ownChanges = isLate ? { since: trace.at, times: 1 } : { since, times: times + 1 }
    const client = { ...wanted, ownChanges }
    if (!(yield* writeChange(client, found))) continue
    yield* tellOwnChange(before, client, change, trace)
    return { outcome: 'changed', client }
  }
}

function* tellDeleted(id: ClientId, name: string, trace: Trace): Step<true> {
  yield* freePlace(id, trace)
  yield* tell('client.deleted', { clientId: id }, { name }, trace)
  return true
}

export const deleteOwnClient: Steps['deleteOwnClient'] = function* (id, registration, trace) {
  for (;;) {
    const found = yield* findForChange(id)
    if (found === null || !isManagedBy(found.client, registration)) return false
    const name = yield* removeClient(id, trace, ['revision = ?', found.revision])
    if (name === null) continue
    return yield* tellDeleted(id, name, trace)
  }
}

export const deleteClient: Steps['deleteClient'] = function* (id, trace, checked) {
  const name = yield* removeClient(
    id,
    trace,
    checked === undefined ? undefined : ['scope = ?', permissionsText(checked)],
  )
  return name !== null && (yield* tellDeleted(id, name, trace))
}
