/** Resources, and the URIs that are taken. */
import type { Resource, ResourceChange } from '../../../model/resource.ts'
import type { CreateResourceOutcome, ResourceSteps } from '../../contract/resource.ts'
import { traceTable } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import { first, integer, json, text, textOrNull } from '../../sql/row.ts'
import { type Read, type Row, type Rows, type Step, statement } from '../../sql/statement.ts'
import { toldChange } from '../../sql/told-change.ts'
import type { Trace } from '../../store.ts'
import { tell } from '../event/events.ts'

type ResourceDetails = Omit<Resource, 'name' | 'uri'>

export const decodeResource = (row: Row): Resource => ({
  ...(json(row.details) as ResourceDetails),
  name: text(row.name),
  uri: textOrNull(row.uri),
})

const detailsOf = ({ name, uri, ...details }: Resource): string =>
  JSON.stringify(details satisfies ResourceDetails)

export const listResources = async (read: Read): Promise<readonly Resource[]> => {
  const sql = 'select * from resources where deleted_at is null order by position, name'
  return (await read(sql, [])).map(decodeResource)
}

/** @returns false where another resource has the URI */
function* claimUri(uri: string, name: string): Step<boolean> {
  const claimed = yield statement(
    'insert into resource_uris (uri, name) values (?, ?) on conflict (uri) do nothing returning uri',
    uri,
    name,
  )
  if (claimed.length > 0) return true
  const holder = first(yield statement('select name from resource_uris where uri = ?', uri))
  return holder?.name === name
}

const releaseUris = (name: string) => statement('delete from resource_uris where name = ?', name)

const releaseUrisBut = (uri: string, name: string) =>
  statement('delete from resource_uris where name = ? and uri <> ?', name, uri)

const takenBy = (name: string, rows: Rows): 'name_taken' | 'name_used' | null => {
  const row = rows.find((one) => one.name === name)
  if (row === undefined) return null
  return row.deleted_at === null ? 'name_taken' : 'name_used'
}

export function* createResource(
  resource: Resource,
  most: number,
  trace: Trace,
): Step<CreateResourceOutcome> {
  const { name, uri } = resource
  const rows = yield statement('select name, position, deleted_at from resources')
  const taken = takenBy(name, rows)
  if (taken !== null) return taken
  if (rows.filter((row) => row.deleted_at === null).length >= most) return 'too_many'
  if (uri !== null && !(yield* claimUri(uri, name))) return 'uri_taken'
  const inserted = yield statement(
    `insert into resources (name, position, uri, details, revision, deleted_at)
     values (?, ?, ?, ?, 0, null) on conflict (name) do nothing returning name`,
    name,
    1 + Math.max(0, ...rows.map((row) => integer(row.position))),
    uri,
    detailsOf(resource),
  )
  if (inserted.length === 0) {
    const there = first(yield statement('select uri from resources where name = ?', name))
    yield there === null || there.uri === null
      ? releaseUris(name)
      : releaseUrisBut(text(there.uri), name)
    return 'name_taken'
  }
  yield* tell('resource.created', {}, { resource: name, uri }, trace)
  return 'created'
}

function* findForChange(name: string): Step<Row | null> {
  const sql = 'select * from resources where name = ? and deleted_at is null'
  return first(yield statement(sql, name))
}

export function* changeResource(
  name: string,
  change: ResourceChange,
  trace: Trace,
): Step<Resource | 'uri_taken' | null> {
  for (;;) {
    const row = yield* findForChange(name)
    if (row === null) {
      yield releaseUris(name)
      return null
    }
    const before = decodeResource(row)
    const resource: Resource = { ...before, ...change }
    const { uri } = resource
    if (uri !== null && !(yield* claimUri(uri, name))) return 'uri_taken'
    const changed = yield statement(
      `update resources set uri = ?, details = ?, revision = revision + 1
       where name = ? and revision = ? and deleted_at is null returning name`,
      uri,
      detailsOf(resource),
      name,
      integer(row.revision),
    )
    if (changed.length === 0) continue
    yield uri === null ? releaseUris(name) : releaseUrisBut(uri, name)
    const members = Object.keys(change).toSorted().join(' ')
    const told = { resource: name, changed: members, ...toldChange({ ...before }, { ...resource }) }
    yield* tell('resource.changed', {}, told, trace)
    return resource
  }
}

export function* deleteResource(name: string, trace: Trace): Step<boolean> {
  const deleted = yield statement(
    `update resources set uri = null, revision = revision + 1, deleted_at = ?
     where name = ? and deleted_at is null returning name`,
    trace.at,
    name,
  )
  if (deleted.length === 0) return false
  yield releaseUris(name)
  yield* tell('resource.deleted', {}, { resource: name }, trace)
  return true
}

export const resourceRecord: StoreRecord<ResourceSteps> = {
  tables: [
    traceTable(
      'resources',
      ['name'],
      ['position', 'uri', 'details', 'revision', 'deleted_at'],
      'all',
    ),
    traceTable('resource_uris', ['uri'], ['name'], 'all'),
  ],
  reads: { listResources },
  steps: { createResource, changeResource, deleteResource },
  invalidates: 'nothing',
}
