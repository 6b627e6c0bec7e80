/** Endings of single access tokens (RFC 7009), looked up only where a row says that there are any. */
import type { EndedToken } from '../../contract/family.ts'
import { countOnly, type Read, type Step, sendOnly, statement } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'
import { tell, tellOfAuthorization } from '../event/events.ts'

export const isTokenEnded = async (read: Read, tokenId: string): Promise<boolean> =>
  (await read('select 1 as found from endings where id = ?', [tokenId], 'id')).length > 0

const insertEnding = `insert into endings (id, expires_at) values (?, ?)
  on conflict (id) do nothing ${countOnly}`

/** Where it is marked already nothing has to be written. */
const markClient = 'update clients set has_endings = 1 where id = ? and has_endings = 0'
const markFamily = 'update families set has_endings = 1 where id = ? and has_endings = 0'

export function* endToken({ of, tokenId, expiresAt }: EndedToken, trace: Trace): Step<void> {
  const ended = yield statement(insertEnding, tokenId, expiresAt)
  if (ended.length === 0) return
  if ('clientId' in of) {
    yield sendOnly(markClient, of.clientId)
    yield* tell('token.revoked', of, { tokenId }, trace)
    return
  }
  yield sendOnly(markFamily, of.familyId)
  yield* tellOfAuthorization('token.revoked', of.authorizationId, { tokenId }, trace)
}
