/**
 * Requests that end at our page in place of a redirect to the client, as those of devices do. Nobody sends
 * them to `/authorize`: the service itself begins their journeys.
 */
import { parseDetails } from '../access/details/parse.ts'
import { isCommandLine } from '../clients/command-line.ts'
import { findClient } from '../clients/find.ts'
import type { Client } from '../model/client.ts'
import { type Parameters, refuseRepeated } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { parseClaims, parseLogin } from './asked-login.ts'
import {
  type AuthorizationRequest,
  parseAsked,
  type RequestParts,
} from './authorization-request.ts'

/** The answer is exchanged for tokens later, as a code is. */
const asCode = { exchanged: true, tellsLogin: false } as const

/** No redirect leads to its client. */
export interface EndingTarget {
  readonly client: Client
  readonly isCommandLine: boolean
  readonly redirectUri: null
}

/** @throws Refusal for a page */
export const findEndingTarget = async (
  parameters: Parameters,
  { store }: Pick<RequestParts, 'store'>,
): Promise<EndingTarget> => {
  const client = await findClient(parameters.find('client_id') ?? '', { store })
  if (client === null) {
    const said = 'the application that asked is not there any more'
    throw new Refusal('invalid_request', 'client_of_request_gone', said)
  }
  return { client, isCommandLine: isCommandLine(client), redirectUri: null }
}

/**
 * What such a request asks for. Its owner is always shown the consent page.
 *
 * @throws Refusal `invalid_scope`, `invalid_target`, `invalid_authorization_details`
 */
export const parseEndingRequest = async (
  parameters: Parameters,
  client: Client,
  parts: RequestParts,
): Promise<AuthorizationRequest> => {
  refuseRepeated(parameters)
  const claims = parseClaims(parameters, parts.resources.words)
  const written = parameters.find('authorization_details')
  const details = written === null ? [] : await parseDetails(written, client, parts.resources)
  return {
    responseType: '',
    ...parseAsked(parameters, client, asCode, claims, details, parts),
    challenge: null,
    prompt: ['consent'],
    login: await parseLogin(parameters, client, claims, parts),
  }
}
