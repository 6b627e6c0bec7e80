/** The sealing key of the service, for commands that make something it accepts. */

import { sqlitePath } from '../config/store-url.ts'
import type { SealingKey } from '../crypto/seal.ts'
import { currentKey, openKeyring } from '../tokens/keys/keyring.ts'
import { sealingKind } from '../tokens/keys/kinds.ts'
import { beginRootSecret, checkSecret, givenSecrets } from '../tokens/keys/root-secret.ts'
import type { StoreParts } from './store.ts'

export interface Sealing {
  readonly key: SealingKey
  /** Unix seconds. */
  readonly at: number
}

/** Null where no service has run on the store yet, so that there is no key. */
const findSealing = async ({
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

/** Makes the first sealing key where there is none, as the first start of a service would. */
export const beginSealing = async (parts: StoreParts): Promise<Sealing> => {
  const { settings, store, random } = parts
  const path = sqlitePath(settings)
  checkSecret(settings, path !== null)
  const isNew = (await store.listKeys()).length === 0
  const secrets = await givenSecrets(settings, path, isNew, random)
  // The start of the service says again what is to be said about the secret.
  const root = await beginRootSecret(parts, secrets, () => {})
  await openKeyring(parts, root, settings.issuer, [sealingKind])
  return requireSealing(parts)
}

export const requireSealing = async (parts: StoreParts): Promise<Sealing> => {
  const sealing = await findSealing(parts)
  if (sealing === null) {
    throw new Error('no service has run on this store yet: start it first')
  }
  return sealing
}
