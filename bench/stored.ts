/** A database in which much has been stored before, and the secrets of some owners scattered over all of it. */
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { loadSettings } from '../src/config/load.ts'
import { drawRandom, makeSalt } from '../src/crypto/digest.ts'
import type { AuthorizationId, FamilyId, OwnerId } from '../src/model/ids.ts'
import { createId, holderOfOwner } from '../src/model/ids.ts'
import { createServer } from '../src/server.ts'
import { openSqliteStore } from '../src/store/sql/open.ts'
import { openNewest } from '../src/tokens/keys/keyring.ts'
import { openRootSecret, readSecrets } from '../src/tokens/keys/root-secret.ts'
import { application } from './load/job.ts'
import { generations, type Known, Mint, type SealsFor } from './mint.ts'
import type { Options } from './options.ts'

/** Everything was stored during so long, up to now. */
const days = 20
const span = days * 86_400_000

/** An owner has so many: a browser, a telephone ... */
export const familiesPerOwner = 5

/** So many owners are known, at even distances among all: codes and tokens are sealed for them. */
const knownOwners = 1000

/**
 * On the largest database so many more, asked for one after the other. It is more than the service
 * remembers, even of what it only noted (`limits.remembered`): whoever's turn comes was forgotten.
 */
const manyOwners = 50_000

/** From so many families on there are enough others between those. */
export const leastFamiliesForMany = 2 * manyOwners * familiesPerOwner

/** With fewer, not all of the known owners would be there. */
export const leastFamilies = knownOwners * familiesPerOwner

/** Of disk for a family with its share of all that is around it, and for what else a run writes. */
const familyBytes = 200
const otherBytes = 500 * 2 ** 20

/** How much has to be free: each database, the largest once more while it is filled. */
export const bytesFor = ({ stores, stored }: Pick<Options, 'stores' | 'stored'>): number => {
  const asked = stores.includes('sqlite') ? [...stored, Math.max(...stored)] : []
  return asked.reduce((sum, families) => sum + families * familyBytes, otherBytes)
}

/** Filling goes on for a minute: after so many owners whoever wants to end it is heard. */
const ownersTogether = 50_000

const photos = ['The garden gate', 'A tea party', 'The river at noon']

/** Places at even distances, the first of them `part` of a distance from the beginning. */
const evenly = (count: number, among: number, part: number): ReadonlySet<number> =>
  new Set(Array.from({ length: count }, (_, i) => Math.floor(((i + part) * among) / count)))

/** The empty database with the demo's clients, made by the service as of a time past, and its keys. */
const begin = async (path: string, from: number): Promise<SealsFor> => {
  const env = { LATCHKEY_STORE: `sqlite:${path}` }
  const settings = loadSettings({ env, flags: {}, cwd: import.meta.dirname })
  const clock = () => from
  await (await createServer({ settings, clock, tell: () => {} })).close()
  const store = await openSqliteStore({ path })
  try {
    const parts = { store, clock: Date.now, random: drawRandom }
    const secrets = await readSecrets(settings, path, false, drawRandom)
    const { vault } = await openRootSecret(parts, secrets)
    const keys = await store.listKeys()
    // Tokens are sealed now, with a key that was usable long before.
    return (issuer) => openNewest(keys, vault, issuer, Math.floor(Date.now() / 1000))
  } finally {
    await store.close()
  }
}

const prepareInserts = (database: DatabaseSync) => ({
  owner: database.prepare(
    `insert into owners (id, username, username_key, name, email, password_hash,
       password_changed_at, disabled, created_at) values (?, ?, ?, ?, ?, '-', 0, 0, ?)`,
  ),
  authorization: database.prepare(
    `insert into authorizations (id, client_id, owner_id, permissions, duration, session_id,
       expires_at, created_at, last_used_at, salt, revision)
     values (?, '${application.id}', ?, 'photos:read', 'forever', '', null, ?, ?, ?, 0)`,
  ),
  family: database.prepare(
    `insert into families (id, authorization_id, generation, started_at, rotated_at, expires_at,
       ended, has_endings) values (?, ?, ${generations}, ?, ?, ?, 0, 0)`,
  ),
  item: database.prepare(
    `insert into items (holder, resource, id, version, fields) values (?, 'photos', ?, 'v1', ?)`,
  ),
  itemCount: database.prepare(
    `insert into item_counts (holder, resource, items) values (?, 'photos', ${photos.length})`,
  ),
})

/** Fills in owners with all that is theirs, in the order of their keys, which begin with the time. */
class Filling {
  readonly #insert: ReturnType<typeof prepareInserts>
  readonly #owners: number
  readonly #from: number
  readonly #random = Buffer.alloc(10)

  constructor(database: DatabaseSync, owners: number, from: number) {
    this.#insert = prepareInserts(database)
    this.#owners = owners
    this.#from = from
  }

  /** One owner, whose secrets are known afterwards where that is wanted. */
  add(number: number, isKnown: boolean): Known | null {
    const count = number * familiesPerOwner
    const at = this.#timeOf(count)
    const seconds = Math.floor(at / 1000)
    const name = `owner-${number}`
    const ownerId = this.#id(0, count) as OwnerId
    this.#insert.owner.run(ownerId, name, name, name, `${name}@example.com`, seconds)
    const authorizationId = this.#id(1, count) as AuthorizationId
    const salt = isKnown ? makeSalt(drawRandom) : Buffer.from(name.padEnd(16)).toString('base64url')
    this.#insert.authorization.run(authorizationId, ownerId, seconds, seconds, salt)
    for (let i = 0; i < familiesPerOwner; i++) this.#addFamily(count + i, authorizationId)
    if (!isKnown) return null
    const shows = this.#addPhotos(number, ownerId)
    const familyId = this.#id(2, count) as FamilyId
    const revokedFrom = this.#id(2, count + 1) as FamilyId
    return { authorizationId, salt, familyId, revokedFrom, shows }
  }

  #addFamily(count: number, authorizationId: AuthorizationId): void {
    const seconds = Math.floor(this.#timeOf(count) / 1000)
    const end = seconds + 30 * 86_400
    this.#insert.family.run(this.#id(2, count), authorizationId, seconds, seconds, end)
  }

  /** Photos with ids of their own, so that one owner's are not taken for another's. */
  #addPhotos(number: number, ownerId: OwnerId): readonly string[] {
    const holder = holderOfOwner(ownerId)
    this.#insert.itemCount.run(holder)
    return photos.map((title, i) => {
      const id = `${number}-${i}`
      this.#insert.item.run(holder, id, JSON.stringify({ title, place: 'Oxford' }))
      return `"id":"${id}"`
    })
  }

  #timeOf(count: number): number {
    return this.#from + Math.floor((span * count) / (this.#owners * familiesPerOwner))
  }

  #id(kind: number, count: number): string {
    this.#random[0] = kind
    this.#random.writeUIntBE(count, 2, 6)
    return createId(this.#timeOf(count), this.#random)
  }
}

const fill = async (database: DatabaseSync, owners: number, from: number, withMany: boolean) => {
  const known: Known[] = []
  const many: Known[] = []
  const isKnown = evenly(Math.min(knownOwners, owners), owners, 0)
  const isOfMany = evenly(withMany ? manyOwners : 0, owners, 0.5)
  const filling = new Filling(database, owners, from)
  for (let number = 0; number < owners; number++) {
    const owner = filling.add(number, isKnown.has(number) || isOfMany.has(number))
    if (owner !== null) (isKnown.has(number) ? known : many).push(owner)
    if (number % ownersTogether === 0) await turn()
  }
  return { known, many }
}

export const ownersFor = (families: number): number => Math.ceil(families / familiesPerOwner)

/**
 * Makes a database with so many families.
 *
 * @param withMany whether there are to be more known owners than the service remembers
 */
export const makeStored = async (
  path: string,
  families: number,
  withMany: boolean,
): Promise<Mint> => {
  for (const rest of ['', '-wal', '-shm', '.key']) rmSync(path + rest, { force: true })
  const from = Date.now() - span
  const sealsFor = await begin(path, from)
  const database = new DatabaseSync(path)
  database.exec('pragma synchronous = off')
  database.exec('begin')
  const { known, many } = await fill(database, ownersFor(families), from, withMany)
  database.exec('commit')
  database.close()
  return new Mint(sealsFor, known, many)
}
