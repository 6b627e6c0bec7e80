/** `latchkey import realm FILE`: makes what a realm of Keycloak has and this service lacks. Nothing that is here changes. */
import {
  type CommandOutput,
  type JsonRow,
  joinTexts,
  renderRows,
  show,
} from '../../operations/surface/said.ts'
import { type AdminApi, ApiFault } from '../api.ts'
import type { RunStoreCommand } from '../on-store.ts'
import type { ImportEntry, ImportOutcome } from '../people/batch.ts'
import { batchLimits } from '../people/read.ts'
import { listRealmClients } from './clients.ts'
import { collectLeft, type Left } from './left.ts'
import { listRealmPeople } from './people.ts'
import { listGroupNames, tellOtherParts } from './read.ts'

interface RealmDoors {
  /** For groups and clients. */
  readonly useApi: <Result>(work: (api: AdminApi) => Promise<Result>) => Promise<Result>
  /** For people: hashes and seeds never pass the admin API. */
  readonly useStore: <Result>(work: (run: RunStoreCommand) => Promise<Result>) => Promise<Result>
}

interface RealmCounts {
  readonly created: number
  readonly existing: number
  readonly refused: number
}

interface NewItem {
  readonly id: string
  readonly body: JsonRow
}

interface Making {
  readonly api: AdminApi
  readonly dryRun: boolean
  readonly left: Left
  /** Told of each new item. */
  readonly note: (item: NewItem) => void
}

/** Tells of items whose names the service has already. */
const existing = {
  groups: 'groups that are here already: new people of the file come into them',
  clients: 'clients that are here already: they stay as they are',
} as const

/** Makes the missing items. An item of the service stays as it is, whatever the file says. */
const createAll = async (
  kind: 'groups' | 'clients',
  items: readonly NewItem[],
  { api, dryRun, left, note }: Making,
): Promise<RealmCounts> => {
  const member = kind === 'groups' ? 'name' : 'client_id'
  const there = new Set((await api.list(kind, {})).map((one) => one[member]))
  let [created, found, refused] = [0, 0, 0]
  for (const item of items) {
    const { id, body } = item
    if (there.has(id)) {
      found++
      left.add(existing[kind], id)
      continue
    }
    try {
      if (!dryRun) await api.ask('POST', kind, body)
      created++
      note(item)
    } catch (fault) {
      if (!(fault instanceof ApiFault) || (fault.status ?? 500) >= 500) throw fault
      refused++
      left.add(`${kind}: ${fault.message}`, id)
    }
  }
  return { created, existing: found, refused }
}

/** Batches that one command takes. */
const splitEntries = (entries: readonly ImportEntry[], left: Left) => {
  const batches: ImportEntry[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const entry of entries) {
    const { length } = JSON.stringify(entry)
    if (length > batchLimits.characters) {
      left.add('people: too long for one line', String(entry.members.username))
      continue
    }
    const last = batches.at(-1)
    if (last === undefined || size + length > batchLimits.characters || last.length === 200) {
      batches.push([entry])
      size = length
    } else {
      last.push(entry)
      size += length
    }
  }
  return batches
}

const addPeople = async (
  entries: readonly ImportEntry[],
  dryRun: boolean,
  run: RunStoreCommand,
  left: Left,
): Promise<RealmCounts> => {
  const counts = { created: 0, existing: 0, changed: 0, refused: 0 }
  const names = new Map(entries.map(({ line, members }) => [line, String(members.username)]))
  for (const batch of splitEntries(entries, left)) {
    const answer = await run('owner import', { entries: batch, dryRun })
    for (const { line, is, reason } of JSON.parse(answer) as readonly ImportOutcome[]) {
      counts[is]++
      if (is === 'refused') left.add(`people: ${reason}`, names.get(line) ?? '')
    }
  }
  const { changed: _, ...told } = counts
  return told
}

/** So many names of each reason are shown. `--json` has all of them. */
const namesShown = 20

const sayLeft = (left: ReturnType<Left['list']>): string =>
  left
    .map(({ reason, names }) => {
      const shown = names.slice(0, namesShown).map((name) => `    ${show(name)}`)
      const more = names.length - shown.length
      return [`  ${show(reason)}`, ...shown, ...(more > 0 ? [`    and ${more} more`] : [])].join(
        '\n',
      )
    })
    .join('\n')

/** A client, and where it may send people. */
const sayClient = (id: string, { redirect_uris: uris }: JsonRow): string =>
  [id, ...(Array.isArray(uris) ? uris : [])].join('  ')

const sayCounts = (counts: Readonly<Record<string, RealmCounts>>): string =>
  renderRows([
    ['', 'new', 'here already', 'refused'],
    ...Object.entries(counts).map(([kind, { created, existing, refused }]) => [
      kind,
      String(created),
      String(existing),
      String(refused),
    ]),
  ])

/** @returns the exit code 1 where an item was refused */
export const importRealm = async (
  realm: JsonRow,
  dryRun: boolean,
  { useApi, useStore }: RealmDoors,
): Promise<CommandOutput & { readonly exitCode: number }> => {
  const left = collectLeft()
  const groups = listGroupNames(realm, left)
  const clients = listRealmClients(realm, left)
  const people = listRealmPeople(realm, groups, left)
  tellOtherParts(realm, left)
  const news = collectLeft()
  const made = await useApi(async (api) => ({
    groups: await createAll(
      'groups',
      groups.map((name) => ({ id: name, body: { name } })),
      { api, dryRun, left, note: ({ id }) => news.add('New groups', id) },
    ),
    clients: await createAll(
      'clients',
      clients.map(({ id, members, secret }) => ({
        id,
        body: secret === null ? members : { ...members, client_secret: secret },
      })),
      { api, dryRun, left, note: ({ id, body }) => news.add('New clients', sayClient(id, body)) },
    ),
  }))
  const added = await useStore((run) => addPeople(people, dryRun, run, left))
  const counts = { ...made, people: added }
  const all = left.list()
  const isWhole = Object.values(counts).every(({ refused }) => refused === 0)
  return {
    json: { ...counts, left: all, dry_run: dryRun },
    text: joinTexts(
      dryRun ? 'This would happen, and nothing was written:' : null,
      sayCounts(counts),
      sayLeft(news.list()),
      all.length === 0 ? null : `What does not come along:\n${sayLeft(all)}`,
    ),
    exitCode: isWhole ? 0 : 1,
  }
}
