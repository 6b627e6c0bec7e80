/** Unsupported parameters. Ignoring one would grant something else than the request. */
import type { Parameters } from '../protocol/parameters.ts'
import { type ErrorCode, Refusal } from '../protocol/refusal.ts'

type Unsupported = readonly [name: string, code: ErrorCode, description: string]

/** At the token endpoint. */
export const unsupportedAtToken: readonly Unsupported[] = [
  [
    'authorization_details',
    'invalid_authorization_details',
    'authorization_details is not supported: ask with scope',
  ],
  [
    'audience',
    'invalid_request',
    'audience is not supported: name the API with resource (RFC 8707)',
  ],
]

export const unsupportedAtAuthorize: readonly Unsupported[] = [
  ...unsupportedAtToken,
  ['dpop_jkt', 'invalid_request', 'DPoP is not supported: leave dpop_jkt out'],
]

/** @throws Refusal with the parameter's own code, if it has one */
export const refuseUnsupported = (
  parameters: Parameters,
  unsupported: readonly Unsupported[],
): void => {
  for (const [name, code, description] of unsupported) {
    if (parameters.find(name) !== null) {
      throw new Refusal(code, `unsupported_${name}`, description)
    }
  }
}
