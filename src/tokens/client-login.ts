/** The login behind an ID token, for clients that want to hear of its end. */

import type { Client } from '../model/client.ts'
import type { OwnerId, SessionHandle, SessionId } from '../model/ids.ts'
import type { Terms } from '../model/terms.ts'
import { clientSession } from '../owners/session.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import type { ClientLogin } from '../store/contract/queue.ts'
import type { Store } from '../store/store.ts'

/** The session that the client knows by the `sid` of the terms; null if it has ended. */
const findSession = async (
  { session: sid }: Terms,
  client: Client,
  ownerId: OwnerId,
  at: number,
  { store }: { readonly store: Store },
): Promise<SessionId | null> => {
  for (let before: SessionHandle | null = null; ; ) {
    const page = await store.listSessions(ownerId, before, parameterLimits.pageRows, at)
    const found = page.rows.find((session) => clientSession(session, client) === sid)
    if (found !== undefined || page.next === null) return found?.id ?? null
    before = page.next as SessionHandle
  }
}

/** Undefined for the many clients that registered no address for logouts: for them nothing is read. */
export const findClientLogin = async (
  client: Client,
  ownerId: OwnerId,
  terms: Terms,
  at: number,
  parts: { readonly store: Store },
): Promise<ClientLogin | undefined> => {
  const { backchannel_logout_uri: back, frontchannel_logout_uri: front } = client.openid
  const { session: sid, permissions } = terms
  if (sid === null || (back ?? front) === undefined) return undefined
  if (!permissions.includes('openid')) return undefined
  const sessionId = await findSession(terms, client, ownerId, at, parts)
  return { clientId: client.id, ownerId, sid, sessionId, backChannel: back !== undefined }
}
