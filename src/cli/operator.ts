/** `latchkey operator`: a code with which a browser shows to be the operator's. And the sealing key of the service. */

import { findSqlitePath } from '../config/places.ts'
import { makeSecret } from '../crypto/digest.ts'
import type { SealingKey } from '../crypto/seal.ts'
import { joinTexts, renderTime } from '../operations/surface/said.ts'
import { sealOperatorCode } from '../rooms/operator-view.ts'
import { openKeyring, openNewest } from '../tokens/keys/keyring.ts'
import { sealingKind } from '../tokens/keys/kinds.ts'
import { beginRootSecret, checkSecret, readSecrets } from '../tokens/keys/root-secret.ts'
import { listStored, timeOf } from './keys.ts'
import { cliLimits } from './limits.ts'
import type { Flags, StoreParts } from './store.ts'

interface Sealing {
  readonly key: SealingKey
  /** Unix seconds. */
  readonly at: number
}

const requireSealing = async (parts: StoreParts): Promise<Sealing> => {
  const keys = await listStored(parts)
  const at = await timeOf(parts)
  return { key: openNewest(keys, (await parts.openRoot()).vault, parts.settings.issuer, at), at }
}

/** Makes the first sealing key where there is none, as the first start of a service would. */
export const beginSealing = async (parts: StoreParts): Promise<Sealing> => {
  const { settings, store, random } = parts
  const path = findSqlitePath(settings)
  checkSecret(settings, path !== null)
  const isNew = (await store.listKeys()).length === 0
  const secrets = await readSecrets(settings, path, isNew, random)
  // The start of the service says again what is to be said about the secret.
  const root = await beginRootSecret(parts, secrets, () => {})
  await openKeyring(parts, root, settings.issuer, [sealingKind])
  return requireSealing(parts)
}

export const issueOperatorCode = async (_flags: Flags, parts: StoreParts): Promise<string> => {
  const { settings, random } = parts
  const { key, at } = await requireSealing(parts)
  const expiresAt = at + cliLimits.operatorCodeSeconds
  const code = sealOperatorCode({ id: makeSecret('', random), expiresAt }, key)
  return joinTexts(
    `page  ${settings.issuer}/operator\ncode  ${code}`,
    `It counts once, until ${renderTime(expiresAt)}. For eight hours refused pages then show that browser the value received, the value expected, and a command as the remedy.`,
    'The reference on a refused page is the requestId of that request in the log.',
  )
}
