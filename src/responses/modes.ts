/**
 * How an authorization response gets to the client: by redirect (RFC 6749 sections 4.1.2 and 4.2.2), or
 * by a page that posts itself (OAuth 2.0 Form Post Response Mode). Its parameters may travel in one signed JWT (JARM).
 */
import type { FetchAsker } from '../clients/site-fetch.ts'
import type { Settings } from '../config/settings.ts'
import { getProfile, pickAlgorithm } from '../protocol/profile.ts'
import { type Refusal, tellRefusal } from '../protocol/refusal.ts'
import type { Target } from '../requests/authorization-request.ts'
import type { Signer } from '../tokens/keys/signing.ts'
import type { Tokens } from '../tokens/tokens.ts'

/** The lifetime of a signed response. JARM section 2.1 recommends ten minutes at most. */
const signedSeconds = 600

type ResponseParameters = Readonly<Record<string, string>>

/** How a response leaves. A further way is one more member, and the compiler names what lacks it. */
export type AuthorizationResponse =
  | { readonly by: 'redirect'; readonly location: string }
  | { readonly by: 'form'; readonly action: string; readonly fields: ResponseParameters }

const encodeQuery = (parameters: ResponseParameters): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

/** A query that the registered URI has stays as it is. */
const carry = (
  { redirectUri, mode }: Pick<Target, 'redirectUri' | 'mode'>,
  fields: ResponseParameters,
): AuthorizationResponse => {
  switch (mode) {
    case 'query': {
      const separator = redirectUri.includes('?') ? '&' : '?'
      return { by: 'redirect', location: `${redirectUri}${separator}${encodeQuery(fields)}` }
    }
    case 'fragment':
      return { by: 'redirect', location: `${redirectUri}#${encodeQuery(fields)}` }
    case 'form_post':
      return { by: 'form', action: redirectUri, fields }
  }
}

interface ResponseNeeds {
  readonly settings: Settings
  readonly signer: Signer
  readonly tokens: Pick<Tokens, 'encryptFor'>
}

export const openResponses = ({ settings, signer, tokens }: ResponseNeeds) => {
  const { issuer, errorUri } = settings

  /** The parameters as one JWT for the client (JARM section 2.1), encrypted if it registered for that. */
  const sign = async (
    { client }: Target,
    fields: ResponseParameters,
    asker: FetchAsker,
  ): Promise<string> => {
    const exp = asker.at + signedSeconds
    const claims = { ...fields, iss: issuer, aud: client.id, exp }
    const { authorization_signed_response_alg: chosen } = client.openid
    const algorithm = pickAlgorithm(chosen, getProfile(client, settings))
    const signed = await signer.sign(claims, algorithm, 'JWT')
    return tokens.encryptFor(client, 'authorization', signed, 'JWT', asker)
  }

  /**
   * The response with the client's `state` and our `iss` (RFC 9207).
   *
   * @throws Refusal `temporarily_unavailable`, `invalid_request` where it cannot be encrypted to the client
   */
  const make = async (
    target: Target,
    parameters: ResponseParameters,
    asker: FetchAsker,
  ): Promise<AuthorizationResponse> => {
    const { state, isSigned } = target
    const fields = { ...parameters, ...(state === null ? {} : { state }), iss: issuer }
    return carry(target, isSigned ? { response: await sign(target, fields, asker) } : fields)
  }

  return {
    make,
    /**
     * The response that carries a refusal (RFC 6749 sections 4.1.2.1 and 4.2.2.1). Clients ignore what they
     * do not know of it.
     */
    makeRefusal: (
      target: Target,
      refusal: Refusal,
      reference: string,
      asker: FetchAsker,
    ): Promise<AuthorizationResponse> =>
      make(target, tellRefusal(refusal, errorUri, reference), asker),
  }
}
