/** Clients: what each request asks for in columns, the rest as one JSON text (RFC 7591 section 2). */
import type { Client, ClientChange } from '../../../model/client.ts'
import {
  changeOf,
  endedTokensOf,
  heldAgainst,
  operatorChangeOf,
} from '../../../model/client-change.ts'
import type { ClientId, Digest } from '../../../model/ids.ts'
import type { CheckedScope, OwnChange } from '../../contract/client.ts'
import { storeLimits } from '../../limits.ts'
import {
  first,
  flag,
  integer,
  integerOrNull,
  json,
  permissions,
  permissionsText,
  text,
} from '../../sql/row.ts'
import {
  findOne,
  type Read,
  type Row,
  type Step,
  sql,
  touches,
  type Value,
} from '../../sql/statement.ts'
import type { Store, Trace } from '../../store.ts'
import { tell } from '../event/events.ts'
import { removeClient } from '../removal/record.ts'
import { namedBy, tellChange, tellOwnChange } from './client-events.ts'
import { freePlace } from './registration-places.ts'

type Columns =
  | 'id'
  | 'name'
  | 'scope'
  | 'scopeLimits'
  | 'salt'
  | 'familySalt'
  | 'shortened'
  | 'disabled'
  | 'hasEndings'

type ClientDetails = Omit<Client, Columns>

/** Members missing in rows of earlier versions. */
const laterDetails = { oldSecret: null, setByOperator: [], openid: {} } as const

type StoredDetails = Omit<ClientDetails, keyof typeof laterDetails> & Partial<ClientDetails>

/** What stands in the column of that name. */
export const decodeDetails = (value: Value | undefined): ClientDetails => ({
  ...laterDetails,
  ...(json(value) as StoredDetails),
})

/** Of a row that has it under these names. */
export const decodeShortened = (row: Row): Client['shortened'] => {
  const [at, seconds] = [integerOrNull(row.shortened_at), integerOrNull(row.shortened_to)]
  return at === null || seconds === null ? null : { at, seconds }
}

export const decodeClient = (row: Row): Client => ({
  ...decodeDetails(row.details),
  id: text(row.id) as ClientId,
  name: text(row.name),
  scope: permissions(row.scope),
  scopeLimits: flag(row.scope_limits),
  salt: text(row.salt),
  familySalt: text(row.family_salt),
  shortened: decodeShortened(row),
  disabled: flag(row.disabled),
  hasEndings: flag(row.has_endings),
})

const detailsOf = (client: Client): string => {
  const {
    id,
    name,
    scope,
    scopeLimits,
    salt,
    familySalt,
    shortened,
    disabled,
    hasEndings,
    ...details
  } = client
  return JSON.stringify(details satisfies ClientDetails)
}

export const findClient = async (
  read: Read,
  id: ClientId,
  also?: 'disabled',
): Promise<Client | null> => {
  const row = first(
    await read('select * from clients where id = ? and deleted_at is null', [id], 'id'),
  )
  const client = row && decodeClient(row)
  return client?.disabled && also === undefined ? null : client
}

export function* createClient(client: Client, trace: Trace): Step<'created' | 'taken'> {
  const created = yield sql`insert into clients (id, name, scope, scope_limits, salt, family_salt,
      shortened_at, shortened_to, disabled, has_endings, revision, details)
    select ${client.id}, ${client.name}, ${permissionsText(client.scope)},
      cast(${Number(client.scopeLimits)} as integer), ${client.salt}, ${client.familySalt},
      cast(${client.shortened?.at ?? null} as bigint),
      cast(${client.shortened?.seconds ?? null} as bigint),
      cast(${Number(client.disabled)} as integer), cast(${Number(client.hasEndings)} as integer), 0,
      ${detailsOf(client)}
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
  return yield* touches(sql`update clients set name = ${client.name},
      scope = ${permissionsText(client.scope)}, scope_limits = ${Number(client.scopeLimits)},
      salt = ${client.salt}, family_salt = ${client.familySalt},
      shortened_at = ${client.shortened?.at ?? null},
      shortened_to = ${client.shortened?.seconds ?? null}, disabled = ${Number(client.disabled)},
      details = ${detailsOf(client)}, revision = revision + 1
    where id = ${client.id} and revision = ${revision} and deleted_at is null returning id`)
}

export function* changeClient(
  id: ClientId,
  change: ClientChange,
  trace: Trace,
  checked?: CheckedScope,
): Step<Client | null> {
  for (;;) {
    const found = yield* findForChange(id, checked)
    if (found === null) return null
    const client = operatorChangeOf(found.client, change, trace.at)
    const adds = change.addedRedirectUris !== undefined
    if (adds && client.redirectUris.length > storeLimits.redirectUris) return found.client
    if (!(yield* writeChange(client, found))) continue
    yield* tellChange(found.client, client, change, trace)
    return client
  }
}

export function* endClientTokens(
  id: ClientId,
  salts: Parameters<Store['endClientTokens']>[1],
  trace: Trace,
  checked?: CheckedScope,
): Step<Client | null> {
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

export function* changeOwnClient(
  id: ClientId,
  registration: Digest,
  change: ClientChange,
  trace: Trace,
): Step<OwnChange> {
  for (;;) {
    const found = yield* findForChange(id)
    if (found === null || !isManagedBy(found.client, registration)) return { outcome: 'gone' }
    const before = found.client
    const wanted = changeOf(before, change, trace.at)
    const members = heldAgainst(before, wanted)
    if (members.length > 0) return { outcome: 'held', members }
    if (namedBy(change).length === 0) return { outcome: 'changed', client: before }
    const { since, times } = before.ownChanges ?? { since: 0, times: 0 }
    const seconds = since + storeLimits.ownChangesSeconds - trace.at
    const isLate = seconds <= 0
    if (!isLate && times >= storeLimits.ownChanges) return { outcome: 'too_often', seconds }
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

export function* deleteOwnClient(id: ClientId, registration: Digest, trace: Trace): Step<boolean> {
  for (;;) {
    const found = yield* findForChange(id)
    if (found === null || !isManagedBy(found.client, registration)) return false
    const name = yield* removeClient(id, trace, ['revision = ?', found.revision])
    if (name === null) continue
    return yield* tellDeleted(id, name, trace)
  }
}

export function* deleteClient(id: ClientId, trace: Trace, checked?: CheckedScope): Step<boolean> {
  const name = yield* removeClient(
    id,
    trace,
    checked === undefined ? undefined : ['scope = ?', permissionsText(checked)],
  )
  return name !== null && (yield* tellDeleted(id, name, trace))
}
