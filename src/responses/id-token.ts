/** The implicit response of OpenID Connect (OpenID Connect Core section 3.2.2.5): an ID token in the fragment. */
import { Refusal } from '../protocol/refusal.ts'
import { findClientLogin, type ToldLogin } from '../tokens/id-token.ts'
import type { Approved, ResponseParts, ResponseType } from './response.ts'

/** What the ID token is bound to by `at_hash` and `c_hash` (section 3.3.2.11), or nothing. */
type Beside = Pick<ToldLogin, 'accessToken' | 'code' | 'isAlone'>

/** @throws Refusal where the owner has taken `openid` back since */
export const answerIdToken = async (
  { client, authorization, terms, trace }: Approved,
  beside: Beside,
  { store, tokens }: ResponseParts,
): Promise<Readonly<Record<string, string>>> => {
  if (!terms.permissions.includes('openid')) {
    const said = 'the approval has just changed: start again at the application'
    throw new Refusal('invalid_request', 'login_untold', said)
  }
  const { ownerId } = authorization
  const login = await findClientLogin(client, ownerId, terms, trace.at, store)
  if (login !== undefined) await store.noteClientLogin(login, trace)
  const told = { client, ownerId, terms, at: trace.at, ...beside }
  return { id_token: await tokens.issueIdToken(told) }
}

export const idToken: ResponseType = {
  type: 'id_token',
  grantTypes: ['implicit'],
  mode: 'fragment',
  modes: ['fragment', 'form_post'],
  namesRedirectUri: true,
  exchanged: false,
  tellsLogin: true,
  open: (parts) => (approved) => answerIdToken(approved, { isAlone: true }, parts),
}
