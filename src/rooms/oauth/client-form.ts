/** The form that a client sends to the token, revocation and introspection endpoints. */
import { readForm } from '../../http/body.ts'
import { type HttpRequest, rawQuery } from '../../http/request.ts'
import { type Parameters, refuseRepeated } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'

/**
 * The form of a request by a client. Its parameters stand in the body alone: a query ends up in
 * logs (RFC 6749 section 2.3.1).
 */
export const readClientForm = async (request: HttpRequest): Promise<Parameters> => {
  if (rawQuery(request) !== '') {
    throw new Refusal('invalid_request', 'query_parameters', 'parameters belong in the body')
  }
  return refuseRepeated(await readForm(request))
}
