/**
 * The secret behind pairwise subjects. A store has one, made when it is first needed. The secret never changes:
 * with another one, clients would take every owner for somebody new.
 */
import { computeHmac, type HmacKey, makeHmacKey } from '../crypto/digest.ts'
import { pairwiseSubjects, type Vault } from '../crypto/wrap.ts'
import type { Client } from '../model/client.ts'
import type { OwnerId, Random } from '../model/ids.ts'
import { getSector, isPairwise, type Sectored } from '../model/sector.ts'
import type { Store } from '../store/store.ts'
import { takeWrappedFact, type WrappedFact } from '../store/wrapped-fact.ts'

type SecretParts = { readonly store: Store; readonly random: Random }

export const pairwiseFact: WrappedFact = {
  fact: 'pairwise secret',
  purpose: pairwiseSubjects,
  mayBePlain: true,
  lost: 'the secret of pairwise subjects is wrapped under another root secret. Give that as LATCHKEY_PREVIOUS_SECRET and run latchkey key rewrap',
}

/** Subjects of clients that share none with others (OpenID Connect Core section 8.1). */
export const createSubjects = ({ store, random }: SecretParts, vault: Vault) => {
  let opened: HmacKey | null = null

  const open = async (): Promise<HmacKey> =>
    makeHmacKey(await takeWrappedFact(pairwiseFact, store, vault, async () => random(32)))

  return {
    /**
     * A keyed digest of a word that others could guess from a plain one. Sectors are hosts, so a kind has a blank.
     *
     * @throws StoreFault where the secret behind it does not open
     */
    async hide(kind: `${string} ${string}`, word: string): Promise<string> {
      opened ??= await open()
      return computeHmac(opened, `${kind}\n${word}`)
    },
    /**
     * The subject of an owner in one sector: always the same.
     *
     * @throws StoreFault where the secret behind it does not open
     */
    async of(sector: string, ownerId: OwnerId): Promise<string> {
      opened ??= await open()
      return computeHmac(opened, `${sector}\n${ownerId}`)
    },
  }
}

export type Subjects = ReturnType<typeof createSubjects>

/**
 * @param isHidden whether the subject is pairwise although that of the client is public
 * @throws StoreFault where the secret behind pairwise subjects does not open
 */
export const getSub = async (
  client: Sectored,
  ownerId: OwnerId,
  { subjects }: { readonly subjects: Subjects },
  isHidden = false,
): Promise<string> =>
  isHidden || isPairwise(client) ? subjects.of(getSector(client), ownerId) : ownerId

/** The owner behind an access token, as its client and resource servers may know the owner. */
export interface ToldSubject {
  /** Null for a token of the client itself. */
  readonly client: Client | null
  /** The client itself where no owner stands behind the token. */
  readonly sub: string
  /** Null where there is no owner. Null for a pairwise subject, too: the name would give it away. */
  readonly username: string | null
}
