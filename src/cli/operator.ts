/** `latchkey operator`: a code with which a browser shows to be the operator's, also while the service runs. */

import { limits } from '../config/limits.ts'
import { loadSettings } from '../config/load.ts'
import { rootSecretBeside } from '../config/root-secret.ts'
import type { Settings } from '../config/settings.ts'
import { newSecret, systemRandom } from '../crypto/digest.ts'
import { sealOperatorCode } from '../endpoints/operator-view.ts'
import { readKeys } from '../store/sql/read-keys.ts'
import { currentKey } from '../tokens/keys.ts'
import { paragraphs, renderTime } from './counts.ts'
import type { Flags } from './store.ts'

/** What the keys of the store are wrapped under; null where it is nothing. */
const rootSecretOf = async ({ secret, store }: Settings): Promise<string | null> => {
  if (secret !== null || !store.startsWith('sqlite:')) return secret
  return rootSecretBeside(store.slice('sqlite:'.length), false, systemRandom)
}

export const operator = async (flags: Flags): Promise<string> => {
  const settings = loadSettings({ flags })
  const { keys, notedAt } = await readKeys(settings.store)
  // The services go on from the latest time, however far the clock was set back (decision 0011).
  const at = Math.max(Math.floor(Date.now() / 1000), notedAt ?? 0)
  const secret = keys.length === 0 ? null : await rootSecretOf(settings)
  const key = currentKey(keys, secret, settings.issuer, at)
  if (key === null) throw new Error('no service has run on this store yet: start it first')
  const expiresAt = at + limits.operatorCodeSeconds
  const code = sealOperatorCode({ id: newSecret('', systemRandom), expiresAt }, key)
  return paragraphs(
    `page  ${settings.issuer}/operator\ncode  ${code}`,
    `It counts once, until ${renderTime(expiresAt)}. For eight hours refused pages then show that browser what came, what was expected, and the command that mends it.`,
    'The reference on a refused page is the requestId of that request in the log.',
  )
}
