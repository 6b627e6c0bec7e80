/** `latchkey operator`: a code with which a browser shows to be the operator's. And the sealing key of the service. */

import { sqlitePath } from '../config/places.ts'
import { newSecret } from '../crypto/digest.ts'
import type { SealingKey } from '../crypto/seal.ts'
import { paragraphs, renderTime } from '../operations/surface/said.ts'
import { sealOperatorCode } from '../rooms/operator-view.ts'
import { beginRootSecret, checkSecret } from '../tokens/begin-root-secret.ts'
import { sealingKind } from '../tokens/key-kinds.ts'
import { currentKey, openKeyring } from '../tokens/keys.ts'
import { givenSecrets } from '../tokens/root-secret.ts'
import { cliLimits } from './limits.ts'
import type { Flags, StoreParts } from './store.ts'

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

const requireSealing = async (parts: StoreParts): Promise<Sealing> => {
  const sealing = await findSealing(parts)
  if (sealing === null) {
    throw new Error('no service has run on this store yet: start it first')
  }
  return sealing
}

export const operator = async (_flags: Flags, parts: StoreParts): Promise<string> => {
  const { settings, random } = parts
  const { key, at } = await requireSealing(parts)
  const expiresAt = at + cliLimits.operatorCodeSeconds
  const code = sealOperatorCode({ id: newSecret('', random), expiresAt }, key)
  return paragraphs(
    `page  ${settings.issuer}/operator\ncode  ${code}`,
    `It counts once, until ${renderTime(expiresAt)}. For eight hours refused pages then show that browser the value received, the value expected, and a command as the remedy.`,
    'The reference on a refused page is the requestId of that request in the log.',
  )
}
