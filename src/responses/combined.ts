/**
 * Several answers in one response (OAuth 2.0 Multiple Response Type Encoding Practices section 5): the
 * hybrid flow, and an access token with an ID token (OpenID Connect Core sections 3.2 and 3.3).
 */
import { getFrontFamily } from '../tokens/code.ts'
import { code } from './code.ts'
import { answerIdToken, idToken } from './id-token.ts'
import type { AnswerApproved, ResponseParts, ResponseType } from './response.ts'
import { token } from './token.ts'

type ResponseValues = Readonly<Record<string, string>>

const giveNothing = async (): Promise<ResponseValues> => ({})

const openAll = (types: readonly ResponseType[], parts: ResponseParts): AnswerApproved => {
  const answerCode = types.includes(code) ? code.open(parts) : giveNothing
  const answerToken = types.includes(token) ? token.open(parts) : giveNothing
  return async (approved) => {
    // Beside a code, the token has a family of its own: that of the code begins when it is redeemed.
    const { journeyId: id } = approved
    const journeyId = types.includes(code) ? getFrontFamily(id) : id
    // First, since it happens once: a request that was answered already gets no second code.
    const access = await answerToken({ ...approved, journeyId })
    const exchanged = await answerCode(approved)
    const answered = { ...exchanged, ...access }
    if (!types.includes(idToken)) return answered
    const { access_token: accessToken } = access
    const beside = {
      ...(accessToken === undefined ? {} : { accessToken }),
      ...(exchanged.code === undefined ? {} : { code: exchanged.code }),
    }
    return { ...answered, ...(await answerIdToken(approved, beside, parts)) }
  }
}

/** @param types single ones, in the order of the name */
const combineTypes = (...types: readonly ResponseType[]): ResponseType => ({
  type: types.map(({ type }) => type).join(' '),
  grantTypes: [...new Set(types.flatMap(({ grantTypes }) => grantTypes))],
  mode: 'fragment',
  modes: ['fragment', 'form_post'],
  namesRedirectUri: true,
  exchanged: types.some(({ exchanged }) => exchanged),
  tellsLogin: types.includes(idToken),
  open: (parts) => openAll(types, parts),
})

export const combinedTypes: readonly ResponseType[] = [
  combineTypes(idToken, token),
  combineTypes(code, idToken),
  combineTypes(code, token),
  combineTypes(code, idToken, token),
]
