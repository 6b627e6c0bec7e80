/** What a request wants of the login: its age, its owner, its context (OpenID Connect Core section 3.1.2.1). */
import type { Settings } from '../config/settings.ts'
import type { Client } from '../model/client.ts'
import type { JsonObject } from '../model/json.ts'
import type { Parameters } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { AskedClaims } from './claims-parameter.ts'
import { requestLimits } from './limits.ts'

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

const invalid = (reason: string, description: string): Refusal =>
  new Refusal('invalid_request', reason, description)

const parseMaxAge = (parameters: Parameters, { openid }: Client): number | null => {
  const text = parameters.find('max_age')
  if (text === null) return openid.default_max_age ?? null
  if (!/^\d{1,9}$/.test(text)) throw invalid('bad_max_age', 'max_age has to be a number of seconds')
  return Number(text)
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
 * The subject of an ID token that the client got earlier. It may have ended: it only names somebody.
 *
 * @throws Refusal `invalid_request` for every other text, without a word on why
 */
const readHint = async (
  parameters: Parameters,
  client: Client,
  { settings, signer }: { readonly settings: Settings; readonly signer: HintReader },
): Promise<string | null> => {
  const hint = parameters.find('id_token_hint')
  if (hint === null) return null
  const claims = hint.length > requestLimits.hintCharacters ? null : await signer.read(hint, 'JWT')
  // Only ID tokens name an authorized party.
  const isOurs = claims?.iss === settings.issuer && claims.azp === client.id
  if (isOurs && claims.aud === client.id && typeof claims.sub === 'string') return claims.sub
  const said = 'id_token_hint has to be an ID token that this service issued to the client'
  throw invalid('bad_id_token_hint', said)
}

/** @throws Refusal which goes back to the client */
export const parseLogin = async (
  parameters: Parameters,
  client: Client,
  claims: AskedClaims,
  parts: { readonly settings: Settings; readonly signer: HintReader },
): Promise<AskedLogin> => {
  const hinted = await readHint(parameters, client, parts)
  const { subjects } = claims
  return {
    maxAgeSeconds: parseMaxAge(parameters, client),
    ...parseContexts(parameters, client, claims),
    subjects:
      hinted === null ? subjects : (subjects ?? [hinted]).filter((subject) => subject === hinted),
  }
}
