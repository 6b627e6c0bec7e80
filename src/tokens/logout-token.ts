/** Logout tokens (OpenID Connect Back-Channel Logout 1.0 section 2.4): a login at one client has ended. */
import { logoutLimits } from '../config/logout-limits.ts'
import type { Client } from '../model/client.ts'
import { idTokenAlgorithm } from '../model/client-openid.ts'
import { subjectOf } from '../owners/subject.ts'
import { makeId, type Parts } from '../parts.ts'
import type { LogoutNotice } from '../store/contract/logout.ts'

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** Its `typ` keeps it from being an ID token, and no ID token has its `events`. */
export const issueLogoutToken = async (
  ended: { readonly client: Client; readonly notice: LogoutNotice; readonly at: number },
  parts: Pick<Parts, 'settings' | 'signer' | 'subjects' | 'clock' | 'random'>,
): Promise<string> => {
  const { client, notice, at } = ended
  const claims = {
    iss: parts.settings.issuer,
    sub: await subjectOf(client, notice.ownerId, parts),
    aud: client.id,
    iat: at,
    exp: at + logoutLimits.tokenSeconds,
    jti: makeId<string>(parts),
    sid: notice.sid,
    events: { [logoutEvent]: {} },
  }
  return parts.signer.sign(claims, idTokenAlgorithm(client.openid), 'logout+jwt')
}
