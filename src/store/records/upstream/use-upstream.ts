/** Using a link to an account at an upstream, for a login. */
import type { OwnerId } from '../../../model/ids.ts'
import type { UpstreamAccount } from '../../../model/upstream.ts'
import { type Step, statement } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'

/** Whether the account is still linked to the owner. Notes the use. */
export function* useLink(
  ownerId: OwnerId,
  { upstream, issuer, subject }: UpstreamAccount,
  trace: Trace,
): Step<boolean> {
  const used = yield statement(
    `update upstream_links set last_used_at = ?
     where upstream = ? and issuer = ? and subject = ? and owner_id = ? returning upstream`,
    trace.at,
    upstream,
    issuer,
    subject,
    ownerId,
  )
  return used.length > 0
}
