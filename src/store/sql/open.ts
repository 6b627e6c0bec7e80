/** Opens a store on the database that the settings name, or a session for its tables as whole things. */
import { findSqlitePath } from '../../config/places.ts'
import type { Settings } from '../../config/settings.ts'
import { drawRandom } from '../../crypto/digest.ts'
import type { Random } from '../../model/ids.ts'
import { Marks } from '../cache/marks.ts'
import { rememberShared, rememberStore, splitCache } from '../cache/remembering.ts'
import type { PostgresOptions } from '../engines/postgres/postgres.ts'
import { openSqliteSession } from '../engines/sqlite/session.ts'
import { openSqlite, type SqliteOptions } from '../engines/sqlite/sqlite.ts'
import type { Store } from '../store.ts'
import type { Purpose, SqlSession } from './database.ts'
import { invalidates } from './records.ts'
import { createSqlStore } from './sql-store.ts'

type CacheOption = { readonly cacheMegabytes?: number }

/**
 * Nobody else writes to the file, so what was read of it can be remembered (decision 0013).
 *
 * @throws StoreRefusal with one sentence about the fault of the file
 */
export const openSqliteStore = async ({
  path,
  onBroken,
  cacheMegabytes,
}: Omit<SqliteOptions, 'onForeign'> & CacheOption): Promise<Store> => {
  const marks = new Marks()
  const database = await openSqlite({
    path,
    onBroken: () => {
      marks.stop()
      onBroken?.()
    },
    onForeign: () => marks.invalidateAll(),
  })
  return rememberStore(createSqlStore(database), marks, invalidates, splitCache(cacheMegabytes))
}

/** @throws StoreRefusal with one sentence about the fault of the database */
export const openPostgresStore = async (options: PostgresOptions & CacheOption): Promise<Store> => {
  const { openPostgres } = await import('../engines/postgres/postgres.ts')
  const marks = new Marks()
  const database = await openPostgres(options, marks)
  // The letter tells this node from one of an earlier version, which does not note its changes.
  const sqlStore = createSqlStore(database, `n${Buffer.from(options.random(10)).toString('hex')}`)
  // Nodes do not tell each other there what changed, so nothing is remembered.
  if (database.isDistributed) return rememberKinds(sqlStore)
  const store = rememberShared(sqlStore, marks, database.check, splitCache(options.cacheMegabytes))
  return {
    ...store,
    async purge(...args) {
      const went = await store.purge(...args)
      await database.run('sweepChanges')
      return went
    },
  }
}

/**
 * Each login asks for the kinds of hashes, so that it takes as long for a name that nobody has. To ask all machines
 * takes long, and fails while one is away. So the kinds of a few seconds ago are good enough there.
 */
const rememberKinds = async (store: Store): Promise<Store> => {
  let kinds: readonly string[] = []
  const look = async (): Promise<void> => {
    kinds = await store.listPasswordKinds()
  }
  await look().catch(() => {})
  return {
    ...store,
    listPasswordKinds: async () => kinds,
    async noteTime(at) {
      void look().catch(() => {})
      return store.noteTime(at)
    },
  }
}

interface OpenOptions {
  /** Called once if the disk fails. */
  readonly onBroken?: () => void
  readonly random?: Random
}

/** Opens the store that the settings name. @throws StoreRefusal */
export const openStore = (
  settings: Settings,
  { onBroken, random = drawRandom }: OpenOptions = {},
): Promise<Store> => {
  const { limits: set, store: url, cacheMegabytes } = settings
  const path = findSqlitePath(settings)
  if (path === null) return openPostgresStore({ url, random, limits: set, cacheMegabytes })
  return openSqliteStore({ path, cacheMegabytes, ...(onBroken === undefined ? {} : { onBroken }) })
}

/**
 * @param url `sqlite:PATH` or `postgres://...`, as the settings have it
 * @throws StoreRefusal with one sentence about the fault of the database
 */
export const openSession = async (url: string, purpose: Purpose): Promise<SqlSession> => {
  if (url.startsWith('sqlite:')) return openSqliteSession(url.slice('sqlite:'.length), purpose)
  const { openPostgresSession } = await import('../engines/postgres/session.ts')
  return openPostgresSession(url, purpose)
}
