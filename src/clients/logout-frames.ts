/** Frames of clients on the logged-out page (OpenID Connect Front-Channel Logout 1.0 section 2). */

import type { Settings } from '../config/settings.ts'
import type { Client } from '../model/client.ts'
import type { Session } from '../model/session.ts'
import type { ClientLogin } from '../store/contract/queue.ts'
import type { Store } from '../store/store.ts'
import { findClient } from './find.ts'

/** The logged-out page shows so many frames, and goes on after so long. */
const mostFrames = 20

/** `iss` and `sid` come where the client requires them. */
const makeFrame = ({ openid }: Client, { sid }: ClientLogin, issuer: string): readonly string[] => {
  const { frontchannel_logout_uri: uri, frontchannel_logout_session_required: named } = openid
  if (uri === undefined) return []
  if (named !== true) return [uri]
  return [`${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ iss: issuer, sid })}`]
}

export const findLogoutFrames = async (
  { id }: Session,
  parts: { readonly settings: Settings; readonly store: Store },
): Promise<readonly string[]> => {
  const logins = await parts.store.listClientLogins(id)
  const frames = await Promise.all(
    logins.map(async (login) => {
      const client = await findClient(login.clientId, parts)
      return client === null ? [] : makeFrame(client, login, parts.settings.issuer)
    }),
  )
  return [...new Set(frames.flat())].slice(0, mostFrames)
}
