/** `latchkey operator`: a code with which a browser shows to be the operator's. */

import { newSecret } from '../crypto/digest.ts'
import { paragraphs, renderTime } from '../operations/surface/said.ts'
import { sealOperatorCode } from '../rooms/operator-view.ts'
import { cliLimits } from './limits.ts'
import { requireSealing } from './sealing.ts'
import type { Flags, StoreParts } from './store.ts'

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
