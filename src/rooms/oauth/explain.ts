/**
 * `/explain`: a client asks why one of its own requests was refused. The client authenticates as at the other
 * endpoints: in the header with GET, in any way with POST.
 */
import { readClientForm } from '../../clients/authenticate.ts'
import { invalidClient } from '../../clients/methods/method.ts'
import { explainToClient, findKept } from '../../events/explain-refusal.ts'
import { type Answer, answerJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { isPublic } from '../../model/client.ts'
import { type Parameters, parseParameters } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { type Handler, json, type RouteRow } from '../../route.ts'
import type { ClientNeeds } from './needs.ts'

export const openExplain = ({ authenticate, ...needs }: ClientNeeds): readonly RouteRow[] => {
  const answer = async (
    reference: string,
    parameters: Parameters,
    exchange: Exchange,
  ): Promise<Answer> => {
    const client = await authenticate(exchange, parameters)
    if (isPublic(client)) {
      throw invalidClient('public_client_asks', 'this is for clients that authenticate')
    }
    const kept = await findKept(reference, exchange.at, needs)
    if (kept?.clientId === client.id) return answerJson(explainToClient(kept))
    // The reference of another client looks like one that nobody has.
    const said = 'no refused request of this client is kept under this reference'
    throw new Refusal('not_found', 'unknown_reference', said)
  }

  const explainReference: Handler = (exchange) =>
    answer(exchange.params.reference ?? '', parseParameters(''), exchange)

  const explainPosted: Handler = async (exchange) => {
    const parameters = await readClientForm(exchange.request)
    return answer(parameters.find('reference') ?? '', parameters, exchange)
  }

  return [
    { ...json, method: 'GET', path: '/explain/:reference', handler: explainReference },
    { ...json, method: 'POST', path: '/explain', handler: explainPosted },
  ]
}
