/** One page of `latchkey verify`, beside the store. The command asks for pages until there is no further one. */
import { findClient } from '../../clients/find.ts'
import { findSealKey, hashSeal } from '../../events/seals/key.ts'
import { type SealQuestion, type VerifiedPage, verifySeals } from '../../events/seals/verify.ts'
import { timeOfId } from '../../model/ids.ts'
import type { PublicKey } from '../../model/key.ts'
import type { Flags, StoreParts } from '../store.ts'

export interface SealedPage extends VerifiedPage {
  /** Null where nothing is sealed. */
  readonly newest: {
    readonly seal: number
    readonly hash: string
    /** Unix seconds: events from then on are not sealed. */
    readonly until: number
  } | null
  /** The key that signs seals. */
  readonly publicKey: PublicKey | null
}

type VerifiedParts = Pick<StoreParts, 'settings' | 'store' | 'openRoot' | 'clock'>

const number = (given: unknown): number | null => (typeof given === 'number' ? given : null)

/** @throws StoreFault for a key under another root secret */
export const readPage = async (
  asked: SealQuestion,
  { settings, store, openRoot, clock }: VerifiedParts,
): Promise<SealedPage> => {
  const key = await findSealKey(store, (await openRoot()).vault)
  const last = await store.findLastSeal()
  const page = await verifySeals(asked, {
    ...{ store, settings, key },
    now: Math.floor(clock() / 1000),
    isClient: async (id) => (await findClient(id, { store }, 'disabled')) !== null,
  })
  const newest =
    last === null
      ? null
      : {
          seal: last.number,
          hash: hashSeal(last),
          until: Math.floor(timeOfId(last.until) / 1000),
        }
  return { ...page, newest, publicKey: key?.publicKey ?? null }
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
