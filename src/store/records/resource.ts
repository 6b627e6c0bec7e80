/** Resources, and the URIs that are taken. */

import { isDeepStrictEqual } from 'node:util'
import type { Resource } from '../../model/resource.ts'
import type { ResourceSteps } from '../contract/resource.ts'
import { defineTable } from '../sql/columns.ts'
import type { Reads, Steps, StoreRecord } from '../sql/record.ts'
import { integer, textOrNull } from '../sql/row.ts'
import { all, findOne, type Row, type Statement, type Step, sql } from '../sql/statement.ts'
import { listChange } from '../sql/told-change.ts'
import { tell } from './event/events.ts'

type ResourceDetails = Omit<Resource, 'name' | 'uri'>

/** Older versions wrote none of these. */
const laterDetails = { details: {} }

interface StoredResource extends Pick<Resource, 'name' | 'uri'> {
  readonly details: ResourceDetails
}

const resources = defineTable<StoredResource>(
  'resources',
  {
    name: 'text',
    position: 'beside integer',
    uri: 'text?',
    details: 'json',
    revision: 'beside integer',
    deletedAt: 'beside integer?',
  },
  { key: 'name', restored: 'all', isTrace: true },
)

/** The resource of the row has the URI: the primary key keeps others from it. */
const resourceUris = defineTable(
  'resource_uris',
  { uri: 'text', name: 'text' },
  { key: 'uri', restored: 'all', isTrace: true },
)

const decodeResource = (row: Row): Resource => {
  const { details, ...resource } = resources.decode(row)
  return { ...laterDetails, ...details, ...resource }
}

const encodeRow = ({ name, uri, ...details }: Resource): StoredResource => ({ name, uri, details })

const listResources: Reads['listResources'] = async (read) => {
  const query = 'select * from resources where deleted_at is null order by position, name'
  return (await read(query, [])).map(decodeResource)
}

/** @returns false where another resource has the URI */
function* claimUri(uri: string, name: string): Step<boolean> {
  const claimed = yield sql`insert into resource_uris (uri, name)
    values (${uri}, ${name})
    on conflict (uri) do nothing returning uri`
  if (claimed.length > 0) return true
  const holder = yield* findOne(sql`select name from resource_uris where uri = ${uri}`)
  return holder?.name === name
}

/** @param but stays; null: none does */
const releaseUris = (name: string, but: string | null = null): Statement =>
  sql`delete from resource_uris
    where ${all([sql`name = ${name}`, but !== null && sql`uri <> ${but}`])}`

const createResource: Steps['createResource'] = function* (resource, most, trace) {
  const { name, uri } = resource
  const rows = yield sql`select name, position, deleted_at from resources`
  const former = rows.find((one) => one.name === name)
  if (former !== undefined) return former.deleted_at === null ? 'name_taken' : 'name_used'
  if (rows.filter((row) => row.deleted_at === null).length >= most) return 'too_many'
  if (uri !== null && !(yield* claimUri(uri, name))) return 'uri_taken'
  const inserted = yield sql`insert into resources (name, position, uri, details, revision,
      deleted_at)
    values (${name}, ${1 + Math.max(0, ...rows.map((row) => integer(row.position)))}, ${uri},
      ${JSON.stringify(encodeRow(resource).details)}, 0, null)
    on conflict (name) do nothing returning name`
  if (inserted.length === 0) {
    const there = yield* findOne(sql`select uri from resources where name = ${name}`)
    yield releaseUris(name, textOrNull(there?.uri ?? null))
    return 'name_taken'
  }
  yield* tell('resource.created', {}, { resource: name, uri }, trace)
  return 'created'
}

const findRow = (name: string) =>
  findOne(sql`select * from resources where name = ${name} and deleted_at is null`)

const isSeen = (row: Row, seen: Resource | undefined): boolean =>
  seen === undefined || isDeepStrictEqual(decodeResource(row), seen)

const changeResource: Steps['changeResource'] = function* (name, change, trace, seen) {
  for (;;) {
    const row = yield* findRow(name)
    if (row === null) {
      yield releaseUris(name)
      return null
    }
    if (!isSeen(row, seen)) return null
    const before = decodeResource(row)
    const resource: Resource = { ...before, ...change }
    const { uri } = resource
    if (uri !== null && !(yield* claimUri(uri, name))) return 'uri_taken'
    const changed = yield sql`update resources set ${resources.set(encodeRow(resource))},
        revision = revision + 1
      where name = ${name} and revision = ${integer(row.revision)} and deleted_at is null
        returning name`
    if (changed.length === 0) continue
    yield releaseUris(name, uri)
    const members = Object.keys(change).toSorted().join(' ')
    const told = { resource: name, changed: members, ...listChange({ ...before }, { ...resource }) }
    yield* tell('resource.changed', {}, told, trace)
    return resource
  }
}

const deleteResource: Steps['deleteResource'] = function* (name, trace, seen) {
  const row = seen && (yield* findRow(name))
  if (row === null || (row && !isSeen(row, seen))) return false
  const where = all([
    sql`name = ${name} and deleted_at is null`,
    row !== undefined && sql`revision = ${integer(row.revision)}`,
  ])
  const deleted = yield sql`update resources set uri = null, revision = revision + 1,
      deleted_at = ${trace.at}
    where ${where} returning name`
  if (deleted.length === 0) return false
  yield releaseUris(name)
  yield* tell('resource.deleted', {}, { resource: name }, trace)
  return true
}

export const resourceRecord: StoreRecord<ResourceSteps> = {
  tables: [resources, resourceUris],
  reads: { listResources },
  steps: { createResource, changeResource, deleteResource },
  invalidates: 'nothing',
}
