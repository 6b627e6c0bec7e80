/** All that is measured, started: what fails is noted, and the others are measured all the same. */
import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres, type Postgres } from '../test/store/postgres.ts'
import { openEarlier } from './against.ts'
import { sayFault } from './faults.ts'
import type { Options } from './options.ts'
import { fileSystemOf, type Place } from './place.ts'
import type { Filled } from './results.ts'
import { leastFamiliesForMany, makeStored, ownersFor } from './stored.ts'
import { canAnswers, floor } from './subjects/floor.ts'
import { latchkey } from './subjects/latchkey.ts'
import { installPeers, peers, peerVersions } from './subjects/peers.ts'
import { type Running, type Subject, start } from './subjects/subject.ts'
import { refuse } from './usage.ts'

export interface Gathered {
  readonly started: Running[]
  readonly files: Filled[]
  readonly versions: Record<string, string>
  postgres: Postgres | null
  /** What was left out, and why. */
  readonly notes: string[]
}

type Say = (line: string) => void

/** Notes what was thrown instead of throwing it. */
export const attempt = async (
  what: string,
  { notes }: Pick<Gathered, 'notes'>,
  say: Say,
  work: () => Promise<unknown>,
): Promise<void> => {
  try {
    await work()
  } catch (fault) {
    const note = `${what} is left out: ${sayFault(fault)}`
    notes.push(note)
    say(note)
  }
}

const short = (count: number): string =>
  count >= 1e6 ? `${count / 1e6}m` : count >= 1e3 ? `${count / 1e3}k` : String(count)

/** Latchkey on SQLite, with so much stored before. */
const onSqlite = async (
  families: number,
  isLargest: boolean,
  { folder }: Place,
  { files }: Gathered,
): Promise<Subject> => {
  const path = join(folder, `${families}.db`)
  const mint = await makeStored(path, families, isLargest && families >= leastFamiliesForMany)
  files.push({ families, owners: ownersFor(families), megabytes: statSync(path).size / 2 ** 20 })
  const name = `Latchkey, SQLite, ${short(families)}`
  const about = `Latchkey on SQLite, every answer fsynced, ${short(families)} families stored before`
  return latchkey({ name, about, store: `sqlite:${path}`, stored: families, mint }, folder)
}

/** PostgreSQL's own user may not be allowed into the checkout: then its files lie where everybody may. */
const findDatabase = async (
  { around }: Place,
  notes: string[],
  say: Say,
): Promise<Postgres | null> => {
  try {
    return await findPostgres(around, say)
  } catch {
    const found = await findPostgres(tmpdir(), say)
    notes.push(`PostgreSQL's files lay in ${tmpdir()}, on ${fileSystemOf(tmpdir())}.`)
    return found
  }
}

const onPostgres = async (postgres: Postgres, { folder }: Place): Promise<Subject> => {
  const store = await postgres.newDatabase()
  const about = 'Latchkey on PostgreSQL on the same machine, not pinned to a core'
  return latchkey({ name: 'Latchkey, PostgreSQL', about, store, stored: 0 }, folder)
}

/** What was asked for and needs a larger database. */
const noteMissing = ({ only, stores, stored }: Options, notes: string[]): void => {
  const most = stores.includes('sqlite') ? Math.max(...stored) : 0
  if (most >= leastFamiliesForMany || !only.some((one) => one.endsWith('-cold'))) return
  const least = leastFamiliesForMany.toLocaleString('en-US')
  notes.push(
    `Uncached requests were not measured: they need ${least} families stored before, on SQLite.`,
  )
}

/** @param gathered filled in, so that it can be ended whatever happens */
export const gather = async (
  gathered: Gathered,
  options: Options,
  place: Place,
  say: Say,
): Promise<void> => {
  const { started, notes, versions } = gathered
  const { stores, stored } = options
  const add = (name: string, make: () => Promise<Subject>, first = false): Promise<void> =>
    attempt(name, gathered, say, async () => {
      const running = await start(await make())
      if (first) started.unshift(running)
      else started.push(running)
    })
  noteMissing(options, notes)
  const missing = options.peers === 'none' ? 'they were not asked for' : installPeers()
  if (missing !== null) notes.push(`Other people's servers are left out: ${missing}.`)
  for (const families of stores.includes('sqlite') ? stored : []) {
    say(`storing ${families.toLocaleString('en-US')} families`)
    const isLargest = families === Math.max(...stored)
    await add(`SQLite, ${short(families)},`, () => onSqlite(families, isLargest, place, gathered))
  }
  const { against } = options
  const [families] = stored
  if (against !== null) say(`checking out ${against}`)
  const earlier = against === null ? null : openEarlier(against, place.folder)
  if (earlier !== null && families !== undefined && stores.includes('sqlite')) {
    await add(`${against}`, () => earlier.onSqlite(families))
  }
  if (stores.includes('postgres')) {
    await add('PostgreSQL', async () => {
      gathered.postgres = await findDatabase(place, notes, say)
      if (gathered.postgres === null) throw new Error('there is none here')
      return onPostgres(gathered.postgres, place)
    })
    const { postgres } = gathered
    if (earlier !== null && postgres !== null) {
      await add(`${against}, PostgreSQL,`, async () =>
        earlier.onPostgres(await postgres.newDatabase()),
      )
    }
  }
  const [ours] = started
  if (ours === undefined) return refuse('There is nothing to measure.')
  const floorOf = async () => floor(await canAnswers(ours.target), ours.target)
  await add('The floor', floorOf, true)
  if (missing !== null) return
  Object.assign(versions, peerVersions())
  for (const peer of peers(place.folder)) await add(peer.name, async () => peer)
}
