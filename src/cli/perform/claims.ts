/** The claims of the JWTs in a token response, as they stand there: their signatures are not verified. */
import {
  asJson,
  type CommandOutput,
  isObject,
  type JsonRow,
  renderRows,
  shown,
} from '../../operations/surface/said.ts'

const claimsOf = (token: unknown): JsonRow | null => {
  const [, payload = '', ...rest] = typeof token === 'string' ? token.split('.') : []
  if (rest.length !== 1) return null
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return isObject(claims) ? claims : null
  } catch {
    return null
  }
}

interface IntrospectionOutcome {
  /** Of the access token; null if the service was not asked, or did not tell. */
  readonly introspection: JsonRow | null
  /** Why it failed; null if it did not. */
  readonly fault: string | null
}

export const saidTokens = (
  grantType: string,
  response: JsonRow,
  { introspection, fault }: IntrospectionOutcome,
): CommandOutput => {
  const claims = Object.fromEntries(
    ['access_token', 'id_token'].flatMap((name) => {
      const found = claimsOf(response[name])
      return found === null ? [] : [[name, found]]
    }),
  )
  const rows = Object.entries(response).map(([name, value]) => [name, shown(value)])
  const decoded = Object.entries(claims).map(
    ([name, found]) => `Claims of the ${name} (signature not verified):\n${asJson(found)}`,
  )
  return {
    json: {
      grant_type: grantType,
      response,
      claims,
      introspection,
      ...(fault === null ? {} : { introspection_fault: fault }),
    },
    text: [
      renderRows(rows),
      ...decoded,
      ...(introspection === null
        ? []
        : [`Introspection of the access_token:\n${asJson(introspection)}`]),
      ...(fault === null ? [] : [`The introspection of the access_token failed: ${fault}`]),
    ].join('\n\n'),
  }
}
