/** Clients: what each request asks for in columns, the rest as one JSON text (RFC 7591 section 2). */

import { isDeepStrictEqual } from 'node:util'
import { featureKept } from '../../../features/owned.ts'
import type { Client } from '../../../model/client.ts'
import type { ClientId } from '../../../model/ids.ts'
import type { ClientLogo } from '../../../model/picture.ts'
import {
  type CheckedScope,
  getBringer,
  getClientKind,
  type WrappedSecrets,
} from '../../contract/client.ts'
import { listWords } from '../../contract/search-words.ts'
import { replaceValues } from '../../schema/table.ts'
import { defineTable } from '../../sql/columns.ts'
import { limited, orderOf, rangeOf, stretchOf } from '../../sql/filter.ts'
import { pageOf } from '../../sql/page.ts'
import type { Reads, Steps } from '../../sql/record.ts'
import { findFirst, integer, integerOrNull, json, permissionsText } from '../../sql/row.ts'
import {
  all,
  ask,
  findOne,
  type Row,
  raw,
  type Step,
  sql,
  touches,
  type Value,
} from '../../sql/statement.ts'
import { makeSpan } from '../../sql/word-leads.ts'
import { defineWordTable, keepWords, noteWords } from '../../sql/word-table.ts'
import { listFound } from '../../sql/words.ts'
import { tell } from '../event/events.ts'
import { formatNames } from '../group/client-for.ts'

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
  readonly allowedGroups: string
  readonly toldGroups: string
  readonly details: ClientDetails
}

/** Members missing in rows of earlier versions. */
const laterDetails = {
  oldSecret: null,
  sealedSecret: null,
  setByOperator: [],
  openid: {},
  identity: {},
} as const

type StoredDetails = Omit<ClientDetails, keyof typeof laterDetails> & Partial<ClientDetails>

/** What stands in the column of that name. */
export const decodeDetails = (value: Value | undefined): ClientDetails => ({
  ...laterDetails,
  ...(json(value) as StoredDetails),
})

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
    // Each is in the details, too: these are for conditions.
    allowedGroups: "text default ''",
    toldGroups: "text default ''",
    // When an upgrade brought the table of words, rows without them were there.
    wordsKept: { sql: 'smallint not null default 0', from: () => 1 },
    // To an hour; 0 before the first. Null: unknown, of a row that an older version wrote.
    lastUsedAt: { sql: 'bigint', from: () => 0 },
  },
  {
    key: 'id',
    // No token fits a new salt, and endings of tokens are not restored.
    restored: (rows, columns, newSalt) =>
      rows.map((row) => replaceValues(columns, row, { salt: newSalt(), has_endings: 0 })),
    indexes: [
      'clients_by_last_use (last_used_at, id) where deleted_at is null',
      'clients_without_words (id) where words_kept = 0',
      'clients_deleted (id) where deleted_at is not null',
      "clients_of_groups (id) where allowed_groups > '' or told_groups > ''",
    ],
  },
)

export const clientWords = defineWordTable('client_words', 'clients', 'id')

const describeWords = (client: Client) => {
  const { id, name, disabled } = client
  const marks = [getBringer(client), getClientKind(client), ...(disabled ? ['disabled'] : [])]
  // A key has room for one id, which may be a long URL.
  return { id, place: '', texts: [name, id], marks }
}

/** Comes behind a write of the row, in the same step. @param before the row without that write */
function* keepClientWords(client: Client, before?: Client): Step<void> {
  const kept = describeWords(client)
  if (before !== undefined && isDeepStrictEqual(describeWords(before), kept)) return
  yield* keepWords(clientWords, [kept])
}

/** Of a row that has it under these names. */
export const decodeShortened = (row: Row): Client['shortened'] => {
  const [at, seconds] = [integerOrNull(row.shortened_at), integerOrNull(row.shortened_to)]
  return at === null || seconds === null ? null : { at, seconds }
}

export const decodeClient = (row: Row): Client => {
  const { details, shortenedAt, shortenedTo, allowedGroups, toldGroups, ...client } =
    clientTable.decode(row)
  return { ...details, ...client, shortened: decodeShortened(row) }
}

const encodeRow = ({ shortened, ...client }: Client): ClientRow => {
  const { id, name, scope, scopeLimits, salt, familySalt, disabled, hasEndings, ...details } =
    client
  const [shortenedAt, shortenedTo] = [shortened?.at ?? null, shortened?.seconds ?? null]
  const { allowed_groups: allowed, told_groups: told } = client.identity
  const groups = { allowedGroups: formatNames(allowed), toldGroups: formatNames(told) }
  return { ...client, ...groups, details, shortenedAt, shortenedTo }
}

export const createClient: Steps['createClient'] = function* (client, trace, secret) {
  const created = yield sql`${clientTable.insertIf(encodeRow(client))}
    where not exists (select 1 from owners where id = ${client.id})
    on conflict (id) do nothing returning id`
  if (created.length === 0) return 'taken'
  yield* keepClientWords(client)
  const { id: clientId, registeredBy } = client
  const told = { registeredBy, ...(secret === undefined ? {} : { secret }) }
  yield* tell('client.registered', { clientId }, told, trace)
  return 'created'
}

/** Endings are marked without a revision, and are no change. */
const isInState = (client: Client, seen: Client): boolean =>
  isDeepStrictEqual(client, { ...seen, hasEndings: client.hasEndings })

/** The write after it names the revision, so what was checked still holds then. */
export function* findForChange(id: ClientId, checked?: CheckedScope, seen?: Client) {
  const row = yield* findOne(sql`select * from clients where id = ${id} and deleted_at is null`)
  if (row === null) return null
  if (checked !== undefined && row.scope !== permissionsText(checked)) return null
  const client = decodeClient(row)
  if (seen !== undefined && !isInState(client, seen)) return null
  return { client, revision: integer(row.revision) }
}

/** @returns false where somebody else changed it meanwhile */
export function* writeChange(
  client: Client,
  { client: before, revision }: { readonly client: Client; readonly revision: number },
): Step<boolean> {
  // Endings are marked without a revision, beside this change.
  const { id, hasEndings, ...row } = encodeRow(client)
  const written = sql`update clients set ${clientTable.set(row)}, revision = revision + 1
    where id = ${id} and revision = ${revision} and deleted_at is null returning id`
  if (!(yield* touches(written))) return false
  yield* keepClientWords(client, before)
  return true
}

export const noteClientWords: Steps['noteClientWords'] = (due) =>
  noteWords(clientWords, due, (row) => describeWords(decodeClient(row)))

/** At most one picture of each client, as base64: no engine writes bytes like another one. */
export const logos = defineTable<ClientLogo>(
  'client_logos',
  {
    clientId: 'text references clients (id) on delete cascade',
    uri: 'text',
    type: 'text',
    version: 'text',
    content: 'text',
    fetchedAt: 'integer',
  },
  { key: 'client_id', restored: 'all' },
)

/** The client may have been deleted while its picture was fetched, so its row is claimed first. */
export const keepClientLogo: Steps['keepClientLogo'] = function* (logo) {
  const held = sql`update clients set revision = revision
    where id = ${logo.clientId} and deleted_at is null returning id`
  if (!(yield* touches(held))) return false
  yield sql`${logos.insert(logo)} ${logos.overwrite}`
  return true
}

/** A wrapped secret is a text of its own, so it may be replaced inside of the JSON. */
export const rewrapClientSecrets: Steps['rewrapClientSecrets'] = function* (changes) {
  let changed = 0
  for (const { clientId, from, secret } of changes) {
    changed += (yield sql`update clients set details = replace(details, ${from}, ${secret}),
        revision = revision + 1
      where id = ${clientId} and replace(details, ${from}, '') <> details returning id`).length
  }
  return changed
}

/** Whether the JSON has this text. Inside of its strings, quotation marks are escaped. */
const matchJson = (json: string): string => `replace(details, '${json}', '') <> details`

const broughtBy = `case when ${matchJson('"document":{')} then 'document'
  when ${matchJson('"registeredBy":"itself"')} then 'itself' else 'operator' end`

export const clientReads = {
  async findClient(read, id, also) {
    const row = findFirst(
      await read('select * from clients where id = ? and deleted_at is null', [id], 'id'),
    )
    const client = row && decodeClient(row)
    return client?.disabled && also === undefined ? null : client
  },

  async isKeepingOwners(read, clientId) {
    for (const table of featureKept) {
      const query = `select 1 as found from ${table} where client_id = ? limit 1`
      if ((await read(query, [clientId])).length > 0) return true
    }
    return false
  },

  async findClientLogo(read, clientId) {
    const [row] = await read('select * from client_logos where client_id = ?', [clientId])
    return row === undefined ? null : logos.decode(row)
  },

  async listClients(read, after, limit, of = {}) {
    const { broughtBy: by, disabled } = of
    const whole = stretchOf([], 'asc', after)
    const isWhole = by === undefined && disabled === undefined
    const stretch = isWhole ? whole : await limited(read, 'clients', whole, limit)
    const where = all([
      rangeOf(stretch),
      raw('deleted_at is null'),
      by !== undefined && sql`${raw(broughtBy)} = ${by}`,
      disabled !== undefined && sql`disabled = ${Number(disabled)}`,
    ])
    const query = sql`select * from clients where ${where} ${orderOf(stretch)} limit ${limit + 1}`
    const rows = await ask(read, query)
    return pageOf(rows, limit, decodeClient, ({ id }) => id, stretch.stop)
  },

  async listClientSecrets(read, after, limit) {
    const rows = await read(
      `select * from clients where id > ? and deleted_at is null and ${matchJson('"sealedSecret":"')}
        order by id limit ?`,
      [after ?? '', limit + 1],
    )
    const listOf = (row: Row): WrappedSecrets => {
      const { id: clientId, sealedSecret, oldSecret } = decodeClient(row)
      const secrets = [sealedSecret, oldSecret?.sealed].filter((one) => typeof one === 'string')
      return { clientId, secrets }
    }
    return pageOf(rows, limit, listOf, ({ clientId }) => clientId)
  },

  listClientsBy(read, filter, after, limit) {
    const { search, broughtBy: by, kind, disabled, usedSince, usedBefore } = filter
    const marks = [by, kind, disabled === true ? 'disabled' : undefined]
    const asked = {
      words: search === undefined ? null : listWords(search),
      marks: marks.filter((mark) => mark !== undefined),
      time: makeSpan('last_used_at', usedSince, usedBefore),
      examined: disabled === false ? [raw('o.disabled = 0')] : [],
      from: '',
      exact: search === undefined ? [] : [sql`id = ${search.trim()}`],
    }
    return listFound(read, clientWords, asked, decodeClient, after, limit)
  },
} satisfies Partial<Reads>
