/** One page of `latchkey verify`, beside the store. The command asks for pages until there is no further one. */

import { timeOf } from '../../events/seals/findings.ts'
import { findSealKey, hashSeal } from '../../events/seals/key.ts'
import { type SealQuestion, type VerifiedPage, verifySeals } from '../../events/seals/verify.ts'
import type { PublicKey } from '../../model/key.ts'
import { StoreFault } from '../../store/fault.ts'
import type { Flags, StoreParts } from '../store.ts'

export interface SealedPage extends VerifiedPage {
  /** Null where nothing is sealed. */
  readonly newest: {
    readonly seal: number
    readonly hash: string
    /** Unix seconds: events from then on are not sealed. */
    readonly until: number | null
  } | null
  /** The key that signs seals. */
  readonly publicKey: PublicKey | null
  /** When it was made, in unix seconds. */
  readonly since: number | null
  /** Whether it took the place of a lost one. */
  readonly isAnew: boolean
}

type VerifiedParts = Pick<StoreParts, 'store' | 'openRoot' | 'clock'>

const number = (given: unknown): number | null => (typeof given === 'number' ? given : null)

const findKey = async ({ store, openRoot }: VerifiedParts) => {
  const { vault } = await openRoot()
  try {
    return await findSealKey(store, vault)
  } catch (fault) {
    if (fault instanceof StoreFault && fault.reason === 'unreadable') return 'lost'
    throw fault
  }
}

export const readPage = async (asked: SealQuestion, parts: VerifiedParts): Promise<SealedPage> => {
  const { store, clock } = parts
  const key = await findKey(parts)
  const last = await store.findLastSeal()
  const page = await verifySeals(asked, { store, key, now: Math.floor(clock() / 1000) })
  const newest =
    last === null
      ? null
      : {
          seal: last.number,
          hash: hashSeal(last),
          until: timeOf(last.until),
        }
  const { publicKey = null, since = null, isAnew = false } = key === 'lost' ? {} : (key ?? {})
  return { ...page, newest, publicKey, since, isAnew }
}

export const verifyPage = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const { after, from, to, expected } = flags
  const asked = {
    after: number(after),
    from: number(from),
    to: number(to),
    expected: typeof expected === 'string' ? expected : null,
  }
  return JSON.stringify(await readPage(asked, parts))
}
