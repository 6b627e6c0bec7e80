/**
 * The secret behind pairwise subjects. A store has one, made when it is first needed. The secret never changes:
 * with another one, clients would take every owner for somebody new.
 */
import { computeHmac, type HmacKey, makeHmacKey } from '../crypto/digest.ts'
import { isPlain, pairwiseSubjects, unwrapKey, type Vault, wrapKey } from '../crypto/wrap.ts'
import type { Client } from '../model/client.ts'
import type { OwnerId, Random } from '../model/ids.ts'
import { getSector, isPairwise, type Sectored } from '../model/sector.ts'
import { StoreFault } from '../store/fault.ts'
import type { Store } from '../store/store.ts'

type SecretParts = { readonly store: Store; readonly random: Random }

const fact = 'pairwise secret'

/** Subjects of clients that share none with others (OpenID Connect Core section 8.1). */
export const createSubjects = ({ store, random }: SecretParts, vault: Vault) => {
  let opened: HmacKey | null = null

  const stored = async (): Promise<string> => {
    const found = await store.findFact(fact)
    if (found !== null) return found
    const made = vault.wrap(random(32), pairwiseSubjects)
    // Of two nodes that do this at once, one makes it.
    return (await store.setFact(fact, null, made)) ? made : stored()
  }

  const open = async (): Promise<HmacKey> => {
    const secret = vault.unwrap(await stored(), pairwiseSubjects)
    if (secret === null) throw new StoreFault('unreadable', pairwiseLost)
    return makeHmacKey(secret)
  }

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

export const pairwiseLost =
  'the secret of pairwise subjects is wrapped under another root secret. Give that as LATCHKEY_PREVIOUS_SECRET and run latchkey key rewrap'

/**
 * Wraps the secret under the root secret in force. The rewrap may be done again at any time.
 *
 * @param known all secrets that it may be wrapped under
 * @returns `lost` where none of them opens it
 */
export const wrapPairwiseSecret = async (
  { store, random }: SecretParts,
  secret: string,
  known: readonly string[],
): Promise<'kept' | 'moved' | 'lost'> => {
  const from = await store.findFact(fact)
  if (from === null || unwrapKey(from, secret, pairwiseSubjects) !== null) return 'kept'
  const candidates = isPlain(from) ? [null] : known
  const bytes = candidates
    .map((one) => unwrapKey(from, one, pairwiseSubjects))
    .find((one) => one !== null)
  if (bytes == null) return 'lost'
  await store.setFact(fact, from, wrapKey(bytes, secret, random(12), pairwiseSubjects))
  return 'moved'
}

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
