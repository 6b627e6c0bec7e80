/** The parameter `claims`: single claims, and where they are told (OpenID Connect Core section 5.5). */
import type { z } from 'zod'
import type { OwnClaims } from '../model/own-word.ts'
import { type ScopeWord, wordOfClaim } from '../model/scope-word.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { schemaOf } from '../protocol/schema.ts'
import { requestLimits } from './limits.ts'

/** A claim that has to be, or should be, one of some values. */
interface AskedValues {
  readonly values: readonly string[]
  readonly isEssential: boolean
}

/** What the parameter asks for. Claims that the service does not know are left out (section 5.5.1). */
export interface AskedClaims {
  readonly userinfo: readonly string[]
  readonly idToken: readonly string[]
  /** The words that have these claims. */
  readonly words: readonly ScopeWord[]
  /** The subjects that the answer may be about; null = any. */
  readonly subjects: readonly string[] | null
  /** `acr`; null where it is not asked for. */
  readonly context: AskedValues | null
}

const noClaims: AskedClaims = {
  userinfo: [],
  idToken: [],
  words: [],
  subjects: null,
  context: null,
}

const schema = schemaOf((z) => {
  const claim = z
    .object({
      essential: z.boolean().optional(),
      value: z.unknown().optional(),
      values: z.array(z.unknown()).optional(),
    })
    .nullable()
  const claims = z.record(z.string(), claim).nullish()
  return z.object({ userinfo: claims, id_token: claims })
})

type ClaimsMembers = z.output<ReturnType<typeof schema>>
type ClaimMember = NonNullable<NonNullable<ClaimsMembers['userinfo']>[string]>

const invalid = (reason: string, description: string): Refusal =>
  new Refusal('invalid_request', reason, description)

const malformed = (): Refusal =>
  invalid('bad_claims', 'claims has to be JSON as OpenID Connect Core section 5.5 describes it')

const parseMembers = (text: string): ClaimsMembers => {
  if (text.length > requestLimits.claimsCharacters) {
    const said = `claims is longer than ${requestLimits.claimsCharacters} characters`
    throw invalid('claims_too_long', said)
  }
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw malformed()
  }
  const { success, data } = schema().safeParse(given)
  if (!success) throw malformed()
  return data
}

/** Both members may come: then the one value is among the several. */
const valuesOf = (claim: ClaimMember | null | undefined): readonly string[] | null => {
  if (claim == null || (claim.value === undefined && claim.values === undefined)) return null
  const given = claim.value === undefined ? (claim.values ?? []) : [claim.value]
  return given.filter((value) => typeof value === 'string')
}

const within = (
  some: readonly string[] | null,
  others: readonly string[] | null,
): readonly string[] | null =>
  some === null || others === null ? (some ?? others) : some.filter((one) => others.includes(one))

const contextOf = (claim: ClaimMember | null | undefined): AskedValues | null =>
  claim == null
    ? null
    : {
        values: (valuesOf(claim) ?? []).slice(0, requestLimits.contexts),
        isEssential: claim.essential === true,
      }

/** @throws Refusal `invalid_request` */
export const parseClaims = (parameters: Parameters, own: readonly OwnClaims[]): AskedClaims => {
  const text = parameters.find('claims')
  if (text === null) return noClaims
  const { userinfo, id_token: idToken } = parseMembers(text)
  const named = (members: object | null | undefined): readonly string[] =>
    Object.keys(members ?? {}).filter((name) => wordOfClaim(name, own) !== null)
  const claims = { userinfo: named(userinfo), idToken: named(idToken) }
  const words = [...claims.userinfo, ...claims.idToken].flatMap(
    (name) => wordOfClaim(name, own) ?? [],
  )
  return {
    ...claims,
    words: [...new Set(words)].sort(),
    subjects: within(valuesOf(userinfo?.sub), valuesOf(idToken?.sub)),
    context: contextOf(idToken?.acr),
  }
}
