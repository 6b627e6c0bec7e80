/**
 * The root secret: what sealing keys and the secrets of one-time codes are wrapped under. The store keeps a
 * value that only the secret in force opens, so a wrong one is noticed at the start.
 */
import { rootSecretBeside } from '../config/root-secret.ts'
import type { Settings } from '../config/settings.ts'
import { createVault, fitsCheck, type RootSecrets, type Vault } from '../crypto/wrap.ts'
import type { Random } from '../model/ids.ts'
import type { Store } from '../store/store.ts'

/** What the settings give. */
export interface GivenSecrets {
  readonly secret: string | null
  /** The one before, for as long as the store is still wrapped under it. */
  readonly previous: string | null
}

/** The root secret is not the one of this store: going on would mean that tokens silently end. */
export class WrongRootSecret extends Error {
  constructor(isGiven = true) {
    super(
      isGiven
        ? 'the root secret does not open the sealing keys in this store. Use the secret of its first start (LATCHKEY_SECRET, or the .key file beside the database). To change it, name the old one in LATCHKEY_PREVIOUS_SECRET'
        : 'no root secret was given, and the sealing keys in this store are wrapped under one: set LATCHKEY_SECRET to the one of the service',
    )
  }
}

export interface RootSecret extends RootSecrets {
  readonly given: GivenSecrets
  readonly vault: Vault
  /** Reads from the store which of the given secrets is in force. @throws WrongRootSecret */
  learn(): Promise<void>
}

/**
 * The secrets of the settings, or of the file beside an embedded database.
 *
 * @param database its path; null where the store is elsewhere
 * @param isNew whether the store has no keys yet: then the file is made where there is none
 */
export const givenSecrets = async (
  { secret, previousSecret }: Pick<Settings, 'secret' | 'previousSecret'>,
  database: string | null,
  isNew: boolean,
  random: Random,
): Promise<GivenSecrets> => {
  const isBeside = secret === null && database !== null
  return {
    secret: isBeside ? await rootSecretBeside(database, isNew, random) : secret,
    previous: previousSecret,
  }
}

export const knownOf = ({ secret, previous }: GivenSecrets): readonly string[] =>
  secret === null ? [] : [secret, previous].filter((one) => one !== null)

/** @throws WrongRootSecret */
export const openRootSecret = async (
  { store, random }: { readonly store: Store; readonly random: Random },
  given: GivenSecrets,
): Promise<RootSecret> => {
  const known = knownOf(given)
  let current = given.secret
  const secrets: RootSecrets = { known, inForce: () => current }
  const learn = async (): Promise<void> => {
    const check = await store.findFact('root secret')
    if (check === null) return
    const found = known.find((secret) => fitsCheck(check, secret))
    if (found === undefined) throw new WrongRootSecret(known.length > 0)
    current = found
  }
  await learn()
  return { ...secrets, given, vault: createVault(secrets, random), learn }
}
