/**
 * Several answers in one response (OAuth 2.0 Multiple Response Type Encoding Practices section 5): the
 * hybrid flow, and an access token with an ID token (OpenID Connect Core sections 3.2 and 3.3).
 */
import { frontFamily } from '../tokens/code.ts'
import type { IssueParts } from '../tokens/issue.ts'
import { code } from './code.ts'
import { answerIdToken, idToken } from './id-token.ts'
import type { Approved, ResponseType } from './response.ts'
import { token } from './token.ts'

type ResponseValues = Readonly<Record<string, string>>

/** Beside a code, the token has a family of its own: that of the code begins when it is redeemed. */
const answerToken = (approved: Approved, types: readonly ResponseType[], parts: IssueParts) =>
  types.includes(code)
    ? token.answer({ ...approved, journeyId: frontFamily(approved.journeyId) }, parts)
    : token.answer(approved, parts)

const answerAll = async (
  approved: Approved,
  types: readonly ResponseType[],
  parts: IssueParts,
): Promise<ResponseValues> => {
  // First, since it happens once: a request that was answered already gets no second code.
  const access: ResponseValues = types.includes(token)
    ? await answerToken(approved, types, parts)
    : {}
  const exchanged: ResponseValues = types.includes(code) ? await code.answer(approved, parts) : {}
  const answered = { ...exchanged, ...access }
  if (!types.includes(idToken)) return answered
  const { access_token: accessToken } = access
  const beside = {
    ...(accessToken === undefined ? {} : { accessToken }),
    ...(exchanged.code === undefined ? {} : { code: exchanged.code }),
  }
  return { ...answered, ...(await answerIdToken(approved, beside, parts)) }
}

/** @param types single ones, in the order of the name */
const combined = (...types: readonly ResponseType[]): ResponseType => ({
  type: types.map(({ type }) => type).join(' '),
  grantTypes: [...new Set(types.flatMap(({ grantTypes }) => grantTypes))],
  mode: 'fragment',
  modes: ['fragment', 'form_post'],
  namesRedirectUri: true,
  exchanged: types.some(({ exchanged }) => exchanged),
  tellsLogin: types.includes(idToken),
  answer: (approved, parts) => answerAll(approved, types, parts),
})

export const combinedTypes: readonly ResponseType[] = [
  combined(idToken, token),
  combined(code, idToken),
  combined(code, token),
  combined(code, idToken, token),
]
