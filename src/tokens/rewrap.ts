/** Wrapping everything anew under another root secret. */

import { fitsCheck, keysFor, unwrapKey, wrapCheck, wrapKey } from '../crypto/wrap.ts'
import type { Random } from '../model/ids.ts'
import { wrapPairwiseSecret } from '../owners/pairwise-secret.ts'
import type { StoredKey } from '../store/contract/key.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { type GivenSecrets, WrongRootSecret } from './root-secret.ts'
import { type Moved, wrapOneTimeCodes } from './wrapped-codes.ts'

export interface Rewrapped {
  readonly keys: number
  readonly codes: Moved
  /** The secret of pairwise subjects; `kept` also where there is none. */
  readonly pairwise: 'kept' | 'moved' | 'lost'
}

/**
 * Wraps everything under the new secret, and puts that in force. Until every node has noticed, one
 * may still wrap under the previous secret. So the command runs twice.
 *
 * @throws WrongRootSecret
 */
export const rewrap = async (
  parts: { readonly store: Store; readonly random: Random },
  { secret, previous }: GivenSecrets,
  trace: Trace,
): Promise<Rewrapped> => {
  const { store, random } = parts
  const from = await store.findFact('root secret')
  if (secret === null || from === null) {
    throw new Error('no service has run on this store with a root secret yet: start it first')
  }
  const isInForce = fitsCheck(from, secret)
  if (!isInForce && (previous === null || !fitsCheck(from, previous))) throw new WrongRootSecret()
  const wrapAnew = ({
    id,
    use,
    wrapped,
  }: StoredKey): readonly Pick<StoredKey, 'id' | 'wrapped'>[] => {
    if (unwrapKey(wrapped, secret, keysFor(use)) !== null) return []
    const bytes = previous === null ? null : unwrapKey(wrapped, previous, keysFor(use))
    if (bytes === null) throw new WrongRootSecret()
    return [{ id, wrapped: wrapKey(bytes, secret, random(12), keysFor(use)) }]
  }
  const keys = (await store.listKeys()).flatMap(wrapAnew)
  const to = isInForce ? from : wrapCheck(secret, random(12))
  const isNeeded = keys.length > 0 || !isInForce
  if (isNeeded && !(await store.rewrapKeys({ from, to, keys }, trace))) {
    throw new Error(
      'the root secret was changed at the same moment by another command: run this again',
    )
  }
  const known = previous === null ? [] : [previous]
  return {
    keys: keys.length,
    codes: await wrapOneTimeCodes(parts, secret, known),
    pairwise: await wrapPairwiseSecret(parts, secret, known),
  }
}
