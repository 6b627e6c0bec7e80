/** The picture of a client, as this service keeps it. */
import { type Answer, answerPicture } from '../../http/answer.ts'
import { type Exchange, queryOf } from '../../http/exchange.ts'
import type { ClientId } from '../../model/ids.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'

/** `GET /assets/client-logo?client_id=ID&version=VERSION` */
export const serveClientLogo = async (
  { request }: Exchange,
  { store }: Pick<ServiceParts, 'store'>,
): Promise<Answer> => {
  const query = queryOf(request)
  const logo = await store.findClientLogo(query.require('client_id') as ClientId)
  if (logo === null || logo.version !== query.require('version')) {
    throw new Refusal('not_found', 'no_client_logo', 'there is no such logo')
  }
  return answerPicture(logo.type, Uint8Array.from(Buffer.from(logo.content, 'base64')))
}
