/** Codes and tokens of owners who were stored before, sealed here as the service seals them itself. */
import { drawRandom } from '../src/crypto/digest.ts'
import type { Keyring, SealingKey } from '../src/crypto/seal.ts'
import type { AuthorizationId, ClientId, Digest, FamilyId } from '../src/model/ids.ts'
import { createId } from '../src/model/ids.ts'
import { fillTerms } from '../src/model/terms.ts'
import { issueCode } from '../src/tokens/code.ts'
import { sealAccessToken } from '../src/tokens/formats/opaque.ts'
import { sealRefreshToken } from '../src/tokens/verify.ts'
import { application, challenge } from './load/job.ts'
import { confirmation } from './proofs.ts'

/**
 * So often has each family been refreshed, so each has had as many access tokens: of a thousand owners
 * more than are revoked in an hour without a pause.
 */
export const generations = 32_000

const accessSeconds = 3600
const refreshSeconds = 30 * 86_400
const terms = fillTerms(['photos:read'])
const boundTerms = fillTerms(['photos:read'], { confirmation })

/** An owner with one authorization, whose secrets are known. */
export interface Known {
  readonly authorizationId: AuthorizationId
  readonly salt: string
  /** The family that is refreshed, asked about and read with. */
  readonly familyId: FamilyId
  /** The family whose access tokens are revoked one by one, which makes each later use of it dearer. */
  readonly revokedFrom: FamilyId
  /** What a page of the owner's photos has to hold. */
  readonly shows: readonly string[]
}

/** The sealing key of the service at one issuer. */
export type SealsFor = (issuer: string) => SealingKey

const nowSeconds = (): number => Math.floor(Date.now() / 1000)

export class Mint {
  readonly #sealsFor: SealsFor
  #key: SealingKey | null = null
  readonly #known: readonly Known[]
  /** More owners than the service remembers; none where the database is too small. */
  readonly #many: readonly Known[]
  #revoked = 0

  constructor(sealsFor: SealsFor, known: readonly Known[], many: readonly Known[]) {
    this.#sealsFor = sealsFor
    this.#known = known
    this.#many = many
  }

  /** A seal holds for one issuer, which is known once the service listens. */
  servedAt(port: number): void {
    this.#key = this.#sealsFor(`http://127.0.0.1:${port}`)
  }

  get #keyring(): Keyring {
    const key = this.#key
    if (key === null) throw new Error('the service has not started yet')
    return { current: () => key, find: () => key, learn: async () => {} }
  }

  get hasMany(): boolean {
    return this.#many.length > 0
  }

  /** New codes, under one authorization after the other. Issuing them writes nothing. */
  codes(count: number): readonly string[] {
    const issuedAt = nowSeconds()
    const keyring = this.#keyring
    const clientId = application.id as string as ClientId
    const issued = {
      redirectUri: application.redirectUri,
      challenge: challenge as string as Digest,
      terms,
    }
    return this.#around(count, 0, ({ authorizationId: id, salt }) => {
      const familyId = createId(Date.now(), drawRandom(10)) as FamilyId
      const authorization = { id, clientId, salt }
      return issueCode(keyring, authorization, { ...issued, familyId }, issuedAt)
    })
  }

  refreshTokens(): readonly string[] {
    const issuedAt = nowSeconds()
    return this.#known.map(({ familyId, salt }) =>
      sealRefreshToken(this.#keyring, salt, {
        familyId,
        generation: generations,
        terms,
        takenBack: [],
        issuedAt,
        expiresAt: issuedAt + refreshSeconds,
      }),
    )
  }

  /** An access token of each, and behind it what it has to show. Those that are bound belong to the key of `proofs.ts`. */
  accessTokens(whose: 'known' | 'bound' | 'many'): readonly string[] {
    const owners = whose === 'many' ? this.#many : this.#known
    const of = whose === 'bound' ? boundTerms : terms
    return owners.map(({ familyId, salt, shows }) =>
      [this.#accessToken(familyId, salt, generations, of), ...shows].join(' '),
    )
  }

  /** Access tokens that were never given out before, for each may be revoked only once. */
  revocable(count: number): readonly string[] {
    const left = this.#known.length * generations - this.#revoked
    const from = this.#revoked
    this.#revoked += Math.min(count, left)
    return this.#around(Math.min(count, left), from, ({ revokedFrom, salt }, turn) =>
      this.#accessToken(revokedFrom, salt, turn),
    )
  }

  /** So many, of one owner after the other; `turn` counts how often all have had theirs. */
  #around(
    count: number,
    from: number,
    make: (owner: Known, turn: number) => string,
  ): readonly string[] {
    const owners = this.#known
    return Array.from({ length: count }, (_, i) => {
      const owner = owners[(from + i) % owners.length]
      if (owner === undefined) throw new Error('nobody is known')
      return make(owner, Math.floor((from + i) / owners.length))
    })
  }

  #accessToken(familyId: FamilyId, salt: string, generation: number, of = terms): string {
    const issuedAt = nowSeconds()
    return sealAccessToken(this.#keyring, salt, {
      of: { familyId, generation },
      terms: of,
      issuedAt,
      expiresAt: issuedAt + accessSeconds,
    })
  }
}
