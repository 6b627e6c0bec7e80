/** `latchkey import realm FILE`: makes what a realm of Keycloak has and this service lacks. Nothing that is here changes. */
import { usernameKey } from '../../model/owner.ts'
import {
  type CommandOutput,
  type JsonRow,
  joinTexts,
  renderRows,
  show,
} from '../../operations/surface/said.ts'
import { type AdminApi, ApiFault } from '../api.ts'
import { findFormFault } from '../apply/file.ts'
import { type ApplyKind, applyKinds } from '../apply/kinds.ts'
import type { RunStoreCommand } from '../on-store.ts'
import type { ImportEntry, ImportOutcome } from '../people/batch.ts'
import { batchLimits } from '../people/read.ts'
import { countOf } from '../progress.ts'
import { listRealmClients } from './clients.ts'
import { collectLeft, type Left } from './left.ts'
import { listRealmPeople, lostFactor } from './people.ts'
import { listGroupNames, tellOtherParts } from './read.ts'

interface RealmDoors {
  /** For groups and clients. */
  readonly useApi: <Result>(work: (api: AdminApi) => Promise<Result>) => Promise<Result>
  /** For people: hashes and seeds never pass the admin API. */
  readonly useStore: <Result>(work: (run: RunStoreCommand) => Promise<Result>) => Promise<Result>
}

interface RealmHow {
  readonly dryRun: boolean
  /** Whether people come into their groups. */
  readonly withGroups: boolean
}

/** Counted while the command runs. */
interface RealmCounts {
  created: number
  existing: number
  refused: number
}

const makeCounts = (): RealmCounts => ({ created: 0, existing: 0, refused: 0 })

interface NewItem {
  readonly id: string
  readonly body: JsonRow
}

interface Making {
  readonly api: AdminApi
  readonly dryRun: boolean
  readonly left: Left
  readonly counts: RealmCounts
  /** Told of each new item. */
  readonly note: (item: NewItem) => void
}

/** Tells of items whose names the service has already. */
const existing = {
  groups: 'groups that are here already: they stay as they are',
  clients: 'clients that are here already: they stay as they are',
} as const

/** Makes the missing items. An item of the service stays as it is, whatever the file says. */
const createAll = async (
  kind: 'groups' | 'clients',
  items: readonly NewItem[],
  { api, dryRun, left, counts, note }: Making,
): Promise<readonly JsonRow[]> => {
  const of = applyKinds.find(({ name }) => name === kind) as ApplyKind
  const all = await api.list(kind, {})
  const there = new Set(all.map((one) => one[of.id]))
  const met = new Set<string>()
  const refuse = (id: string, reason: string) => {
    counts.refused++
    left.add(`${kind}: ${reason}`, id)
  }
  for (const item of items) {
    const { id, body } = item
    const fault = met.has(id) ? 'twice in the file' : findFormFault(of, body)
    met.add(id)
    if (there.has(id)) {
      counts.existing++
      left.add(existing[kind], id)
    } else if (fault !== null) refuse(id, fault)
    else {
      try {
        if (!dryRun) await api.ask('POST', kind, body)
        counts.created++
        note(item)
      } catch (fault) {
        if (!(fault instanceof ApiFault) || (fault.status ?? 500) >= 500) throw fault
        refuse(id, fault.message)
      }
    }
  }
  return all
}

/** A run without a dry one would find the second one of two people of one name. */
const listKeys = ({ username, sub, email, email_verified: isVerified }: JsonRow) => [
  `username ${usernameKey(String(username))}`,
  ...(sub === undefined ? [] : [`sub ${sub}`]),
  ...(isVerified === true ? [`email ${usernameKey(String(email))}`] : []),
]

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

interface AddingPeople {
  readonly dryRun: boolean
  readonly left: Left
  readonly counts: RealmCounts
  readonly note: (entry: ImportEntry) => void
}

const addPeople = async (
  entries: readonly ImportEntry[],
  run: RunStoreCommand,
  { dryRun, left, counts, note }: AddingPeople,
): Promise<void> => {
  const met = new Set<string>()
  const once = entries.filter(({ members }) => {
    const keys = listKeys(members)
    const isFirst = !keys.some((key) => met.has(key))
    for (const key of keys) met.add(key)
    if (!isFirst) left.add('people: twice in the file', String(members.username))
    if (!isFirst) counts.refused++
    return isFirst
  })
  const byLine = new Map(once.map((entry) => [entry.line, entry]))
  for (const batch of splitEntries(once, left)) {
    const answer = await run('owner import', { entries: batch, dryRun })
    for (const { line, is, reason } of JSON.parse(answer) as readonly ImportOutcome[]) {
      const entry = byLine.get(line)
      if (is !== 'changed') counts[is]++
      if (is === 'created' && entry !== undefined) note(entry)
      if (is === 'refused') left.add(`people: ${reason}`, String(entry?.members.username))
    }
  }
}

/** So many names of each reason are shown. `--json` has all of them. */
const namesShown = 20

const sayLeft = (left: ReturnType<Left['list']>): string =>
  left
    .map(({ reason, names }) => {
      const shown = names.slice(0, namesShown).map((name) => `    ${show(name)}`)
      const more = names.length - shown.length
      return [
        `  ${show(reason)} (${names.length})`,
        ...shown,
        ...(more > 0 ? [`    and ${more} more`] : []),
      ].join('\n')
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

/** How many people a group has in the file, and the clients that name it. */
const describeJoins = (joins: ReadonlyMap<string, number>, clients: readonly JsonRow[]) =>
  [...joins].map(([name, people]) => ({
    name,
    people,
    clients: clients
      .filter(({ allowed_groups: allowed, told_groups: told }) =>
        [allowed, told].some((list) => Array.isArray(list) && list.includes(name)),
      )
      .map(({ client_id: id }) => String(id)),
  }))

const sayJoins = (joins: ReturnType<typeof describeJoins>, withGroups: boolean): string | null => {
  if (joins.length === 0) return null
  const lines = joins.map(({ name, people, clients }) => {
    const named =
      clients.length === 0 ? 'no client names it' : `clients that name it: ${show(clients)}`
    return `  ${show(name)}: ${countOf(people, 'person', 'people')}; ${named}`
  })
  const said = withGroups ? 'People in groups' : 'People stay out of their groups (--groups)'
  return [said, ...lines].join('\n')
}

const separateGroups = ({ line, members }: ImportEntry): ImportEntry => {
  const { groups: _, ...others } = members
  return { line, members: others }
}

const listNewClients = (realm: JsonRow, left: Left): readonly NewItem[] =>
  listRealmClients(realm, left).map(({ id, members, secret }) => ({
    id,
    body: secret === null ? members : { ...members, client_secret: secret },
  }))

/** @returns the exit code 1 where an item was refused, a second factor is lost, or the end is early */
export const importRealm = async (
  realm: JsonRow,
  { dryRun, withGroups }: RealmHow,
  { useApi, useStore }: RealmDoors,
): Promise<CommandOutput & { readonly exitCode: number }> => {
  const [left, news] = [collectLeft(), collectLeft()]
  const groups = listGroupNames(realm, left)
  const clients = listNewClients(realm, left)
  const people = listRealmPeople(realm, groups, left)
  tellOtherParts(realm, left)
  const counts = { groups: makeCounts(), clients: makeCounts(), people: makeCounts() }
  const joins = new Map<string, number>()
  let named: readonly JsonRow[] = []
  let ended: string | null = null
  try {
    await useApi(async (api) => {
      const making = { api, dryRun, left }
      const newGroups = groups.map((name) => ({ id: name, body: { name } }))
      const noteGroup: Making['note'] = ({ id }) => news.add('New groups', id)
      await createAll('groups', newGroups, { ...making, counts: counts.groups, note: noteGroup })
      const note: Making['note'] = ({ id, body }) => news.add('New clients', sayClient(id, body))
      named = await createAll('clients', clients, { ...making, counts: counts.clients, note })
    })
    // A dry run has not made the groups.
    const entries = withGroups && !dryRun ? people : people.map(separateGroups)
    const groupsOf = new Map(people.map(({ line, members }) => [line, members.groups]))
    const note = ({ line }: ImportEntry) => {
      for (const name of (groupsOf.get(line) ?? []) as readonly string[]) {
        joins.set(name, (joins.get(name) ?? 0) + 1)
      }
    }
    await useStore((run) => addPeople(entries, run, { dryRun, left, counts: counts.people, note }))
  } catch (fault) {
    const isBegun = Object.values(counts).some(({ created }) => created > 0)
    if (dryRun || !isBegun || !(fault instanceof Error)) throw fault
    ended = fault.message
  }
  const told = { left: left.list(), joins: describeJoins(joins, named) }
  const isWhole = Object.values(counts).every(({ refused }) => refused === 0)
  const isWeaker = told.left.some(({ reason }) => reason === lostFactor)
  return {
    json: { ...counts, ...told, dry_run: dryRun, ended },
    text: joinTexts(
      dryRun ? 'This would happen, and nothing was written:' : null,
      sayCounts(counts),
      sayLeft(news.list()),
      sayJoins(told.joins, withGroups),
      told.left.length === 0 ? null : `What does not come along:\n${sayLeft(told.left)}`,
      ended === null ? null : `It ended early: ${show(ended)}\nRun it again, and it goes on.`,
    ),
    exitCode: isWhole && !isWeaker && ended === null ? 0 : 1,
  }
}
