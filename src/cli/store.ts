/** The parts that commands on a store work with, and the store of the settings for a command alone. */

import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { openResources, seedResources } from '../access/resources.ts'
import { readRunningTime } from '../clock.ts'
import { findSudoUser } from '../config/person.ts'
import { findSqlitePath } from '../config/places.ts'
import type { Settings } from '../config/settings.ts'
import { drawRandom } from '../crypto/digest.ts'
import { createPasswords, measureWork } from '../crypto/password.ts'
import { seedDemo } from '../demo/seed.ts'
import { keepRefusals } from '../events/refusal-keeper.ts'
import { makeId } from '../model/ids.ts'
import { builtIn } from '../registries.ts'
import type { OperatedParts } from '../server.ts'
import type { Trace } from '../store/contract/trace.ts'
import { StoreRefusal } from '../store/fault.ts'
import { openStore } from '../store/sql/open.ts'
import { openRootSecret, type RootSecret, readSecrets } from '../tokens/keys/root-secret.ts'

export type StoreParts = OperatedParts & {
  /** The trace of one step; the command line is no request. */
  readonly trace: () => Trace
}

/** Flags as commander gives them. */
export type Flags = Readonly<Record<string, unknown>>

/**
 * The first command creates the resources of the settings, and seeds the demo, as the first start would. A store is empty only
 * once, and the next start announces people that have to exist.
 */
export const seedFirst = async (parts: StoreParts): Promise<void> => {
  await seedResources({ ...parts, tell: () => {} })
  if (!parts.settings.demo) return
  const { vault } = await parts.openRoot()
  if (!(await seedDemo({ ...parts, vault }, builtIn))) return
  // Operators who set no issuer yet do not mean the demo.
  process.stderr.write(
    'latchkey: the new database gets the demo, since no other LATCHKEY_ISSUER is set. For a service of your own, set it first and use another database.\n',
  )
}

/**
 * Names the caller of `sudo`, or else the user of the process. In a container there may be a number and no
 * name.
 */
export const getSystemUser = (caller = findSudoUser()): string => {
  if (caller !== '') return caller
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

/** With the traces of a command that this user of the system has typed. */
export const addTraces = (parts: OperatedParts, user: string): StoreParts => ({
  ...parts,
  trace: () => ({
    eventId: makeId(parts),
    at: Math.floor(parts.clock() / 1000),
    requestId: null,
    actor: { type: 'cli', user },
  }),
})

/**
 * Refuses an embedded database that is not there. Opening it would make an empty one, and a mistyped
 * path would look like a store in which there is nothing.
 */
export const checkDatabaseExists = (settings: Settings): void => {
  const path = findSqlitePath(settings)
  if (path === null || existsSync(path)) return
  throw new Error(`there is no database ${path}`)
}

/** Null where another process holds the store. */
export const forgiveInUse = <Opened>(opening: Promise<Opened>): Promise<Opened | null> =>
  opening.catch((fault: unknown) => {
    if (fault instanceof StoreRefusal && fault.inUse) return null
    throw fault
  })

/** Opens the store of the settings; null where another process holds it. */
export const openAlone = async (
  settings: Settings,
): Promise<(StoreParts & { readonly close: () => Promise<void> }) | null> => {
  const path = findSqlitePath(settings)
  const store = await forgiveInUse(openStore(settings))
  if (store === null) return null
  const openRoot = async (): Promise<RootSecret> => {
    const isNew = (await store.listKeys()).length === 0
    const secrets = await readSecrets(settings, path, isNew, drawRandom)
    return openRootSecret({ store, random: drawRandom }, secrets)
  }
  const clock = Date.now
  const resources = await openResources({ settings, store, clock })
  const refusals = keepRefusals(store)
  // A command counts nothing.
  const counts = { flush: async () => {} }
  const given = { settings, store, clock, random: drawRandom, openRoot, counts }
  const passwords = createPasswords(undefined, undefined, measureWork(readRunningTime))
  const parts = addTraces({ ...given, resources, refusals, passwords }, getSystemUser())
  return { ...parts, close: () => store.close() }
}
