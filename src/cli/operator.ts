/** `latchkey operator`: a code with which a browser shows to be the operator's. */
import { limits } from '../config/limits.ts'
import { newSecret } from '../crypto/digest.ts'
import { sealOperatorCode } from '../endpoints/door/operator-view.ts'
import { currentKey } from '../tokens/keys.ts'
import { paragraphs, renderTime } from './counts.ts'
import type { Flags, StoreParts } from './store.ts'

export const operator = async (_flags: Flags, parts: StoreParts): Promise<string> => {
  const { settings, store, clock, random, openRoot } = parts
  const keys = await store.listKeys()
  if (keys.length === 0) {
    throw new Error('no service has run on this store yet: start it first')
  }
  // The services go on from the latest time, however far the clock was set back (decision 0011).
  const at = Math.max(Math.floor(clock() / 1000), (await store.latestTime()) ?? 0)
  const key = currentKey(keys, (await openRoot()).vault, settings.issuer, at)
  const expiresAt = at + limits.operatorCodeSeconds
  const code = sealOperatorCode({ id: newSecret('', random), expiresAt }, key)
  return paragraphs(
    `page  ${settings.issuer}/operator\ncode  ${code}`,
    `It counts once, until ${renderTime(expiresAt)}. For eight hours refused pages then show that browser the value received, the value expected, and a command as the remedy.`,
    'The reference on a refused page is the requestId of that request in the log.',
  )
}
