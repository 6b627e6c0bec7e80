/**
 * What a request asks about the owner: single claims by the parameter `claims` (OpenID Connect Core
 * section 5.5), and the age, the owner and the context of the login (section 3.1.2.1).
 */

import type { z } from 'zod'
import type { Settings } from '../config/settings.ts'
import type { Client } from '../model/client.ts'
import { type JsonObject, parseJson } from '../model/json.ts'
import { findClaimWord, type OwnClaims } from '../model/scope-word.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { invalidRequest, type Refusal } from '../protocol/refusal.ts'
import { makeSchema } from '../protocol/schema.ts'
import { requestLimits } from './limits.ts'

export type AskedClaims = ReturnType<typeof readClaims>

const schema = makeSchema((z) => {
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

const malformed = (): Refusal =>
  invalidRequest(
    'bad_claims',
    'claims has to be JSON as OpenID Connect Core section 5.5 describes it',
  )

const parseMembers = (text: string): ClaimsMembers => {
  if (text.length > requestLimits.claimsCharacters) {
    const said = `claims is longer than ${requestLimits.claimsCharacters} characters`
    throw invalidRequest('claims_too_long', said)
  }
  const { success, data } = schema().safeParse(parseJson(text))
  if (!success) throw malformed()
  return data
}

/** Both members may come: then the one value is among the several. */
const listValues = (claim: ClaimMember | null | undefined): readonly string[] | null => {
  if (claim == null || (claim.value === undefined && claim.values === undefined)) return null
  const given = claim.value === undefined ? (claim.values ?? []) : [claim.value]
  return given.filter((value) => typeof value === 'string')
}

const intersect = (
  some: readonly string[] | null,
  others: readonly string[] | null,
): readonly string[] | null =>
  some === null || others === null ? (some ?? others) : some.filter((one) => others.includes(one))

/** A claim that has to be, or should be, one of some values. */
const readContext = (claim: ClaimMember | null | undefined) =>
  claim == null
    ? null
    : {
        values: (listValues(claim) ?? []).slice(0, requestLimits.contexts),
        isEssential: claim.essential === true,
      }

const readClaims = ({ userinfo, id_token: idToken }: ClaimsMembers, own: readonly OwnClaims[]) => {
  const named = (members: object | null | undefined): readonly string[] =>
    Object.keys(members ?? {}).filter((name) => findClaimWord(name, own) !== null)
  const claims = { userinfo: named(userinfo), idToken: named(idToken) }
  const words = [...claims.userinfo, ...claims.idToken].flatMap(
    (name) => findClaimWord(name, own) ?? [],
  )
  return {
    ...claims,
    /** The words that have these claims. */
    words: [...new Set(words)].sort(),
    /** The subjects that the answer may be about; null = any. */
    subjects: intersect(listValues(userinfo?.sub), listValues(idToken?.sub)),
    /** `acr`; null where it is not asked for. */
    context: readContext(idToken?.acr),
  }
}

const noClaims = readClaims({}, [])

/**
 * What the parameter asks for. Claims that the service does not know are left out (section 5.5.1).
 *
 * @throws Refusal `invalid_request`
 */
export const parseClaims = (parameters: Parameters, own: readonly OwnClaims[]): AskedClaims => {
  const text = parameters.find('claims')
  return text === null ? noClaims : readClaims(parseMembers(text), own)
}

/** Reads the ID token of a hint; null where this service did not sign it. */
export interface HintReader {
  read(text: string, typ: 'JWT'): Promise<JsonObject | null>
}

export interface AskedLogin {
  /** The login may be at most so many seconds old; null = any. */
  readonly maxAgeSeconds: number | null
  /** Values of `acr`, the preferred first. */
  readonly contexts: readonly string[]
  /** Whether the login has to reach one of them (section 5.5.1.1). */
  readonly needsContext: boolean
  /** The subjects that the client expects; null = any. */
  readonly subjects: readonly string[] | null
}

/** The request counts before the registration, and `claims` before `acr_values`. */
const parseContexts = (
  parameters: Parameters,
  { openid }: Client,
  { context }: AskedClaims,
): Pick<AskedLogin, 'contexts' | 'needsContext'> => {
  if (context !== null && (context.values.length > 0 || context.isEssential)) {
    const { values, isEssential } = context
    return { contexts: values, needsContext: isEssential && values.length > 0 }
  }
  const asked = parameters.find('acr_values')?.split(' ') ?? openid.default_acr_values ?? []
  return { contexts: asked.slice(0, requestLimits.contexts), needsContext: false }
}

/**
 * The subject of an ID token that the client got earlier. The login may have ended: it only names somebody.
 *
 * @throws Refusal `invalid_request` for every other text, without a word on why
 */
const readHint = async (
  hint: string,
  client: Client,
  { settings, signer }: { readonly settings: Settings; readonly signer: HintReader },
): Promise<string> => {
  const claims = hint.length > requestLimits.hintCharacters ? null : await signer.read(hint, 'JWT')
  // Only ID tokens name an authorized party.
  const isOurs = claims?.iss === settings.issuer && claims.azp === client.id
  if (isOurs && claims.aud === client.id && typeof claims.sub === 'string') return claims.sub
  const said = 'id_token_hint has to be an ID token that this service issued to the client'
  throw invalidRequest('bad_id_token_hint', said)
}

/** @throws Refusal which goes back to the client */
export const parseLogin = async (
  parameters: Parameters,
  client: Client,
  claims: AskedClaims,
  parts: { readonly settings: Settings; readonly signer: HintReader },
): Promise<AskedLogin> => {
  const hint = parameters.find('id_token_hint')
  const hinted = hint === null ? null : await readHint(hint, client, parts)
  const { subjects } = claims
  const age = parameters.find('max_age')
  if (age !== null && !/^\d{1,9}$/.test(age)) {
    throw invalidRequest('bad_max_age', 'max_age has to be a number of seconds')
  }
  return {
    maxAgeSeconds: age === null ? (client.openid.default_max_age ?? null) : Number(age),
    ...parseContexts(parameters, client, claims),
    subjects:
      hinted === null ? subjects : (subjects ?? [hinted]).filter((subject) => subject === hinted),
  }
}
