/**
 * `/explain`: a client asks why one of its own requests was refused. It authenticates as at the other
 * endpoints: in the header with GET, in any way with POST.
 */
import { authenticateClient, readClientForm } from '../../clients/authenticate.ts'
import { invalidClient } from '../../clients/methods/method.ts'
import { explainToClient, findKept } from '../../events/explain-refusal.ts'
import { type Answer, answerJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { isPublic } from '../../model/client.ts'
import { type Parameters, parseParameters } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'

/** The reference of another client looks like one that nobody has. */
const unknownReference = (): Refusal =>
  new Refusal(
    'not_found',
    'unknown_reference',
    'no refused request of this client is kept under this reference',
  )

const answer = async (
  reference: string,
  parameters: Parameters,
  exchange: Exchange,
  parts: ServiceParts,
): Promise<Answer> => {
  const client = await authenticateClient(exchange, parameters, parts)
  if (isPublic(client)) {
    throw invalidClient('public_client_asks', 'this is for clients that authenticate')
  }
  const kept = await findKept(reference, exchange.at, parts)
  if (kept?.clientId !== client.id) throw unknownReference()
  return answerJson(explainToClient(kept))
}

/** `GET /explain/:reference` */
export const explainReference = async (
  exchange: Exchange,
  parts: ServiceParts,
): Promise<Answer> => {
  const { reference = '' } = exchange.params
  return answer(reference, parseParameters(''), exchange, parts)
}

/** `POST /explain`, a form with `reference` */
export const explainPosted = async (exchange: Exchange, parts: ServiceParts): Promise<Answer> => {
  const parameters = await readClientForm(exchange.request)
  return answer(parameters.find('reference') ?? '', parameters, exchange, parts)
}
