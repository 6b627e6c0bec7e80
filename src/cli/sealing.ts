/** The sealing key of the service, for commands that make something it accepts. */
import type { SealingKey } from '../crypto/seal.ts'
import { currentKey } from '../tokens/keys.ts'
import type { StoreParts } from './store.ts'

export interface Sealing {
  readonly key: SealingKey
  /** Unix seconds. */
  readonly at: number
}

/** Null where no service has run on the store yet, so that there is no key. */
export const findSealing = async ({
  settings,
  store,
  clock,
  openRoot,
}: StoreParts): Promise<Sealing | null> => {
  const keys = await store.listKeys()
  if (keys.length === 0) return null
  // The services go on from the latest time, however far the clock was set back (decision 0011).
  const at = Math.max(Math.floor(clock() / 1000), (await store.latestTime()) ?? 0)
  return { key: currentKey(keys, (await openRoot()).vault, settings.issuer, at), at }
}

export const requireSealing = async (parts: StoreParts): Promise<Sealing> => {
  const sealing = await findSealing(parts)
  if (sealing === null) {
    throw new Error('no service has run on this store yet: start it first')
  }
  return sealing
}
