/** Using a link to an account at an upstream, for a login. */

import type { UpstreamAccount } from '../../../model/factor.ts'
import type { OwnerId } from '../../../model/ids.ts'
import { type Step, sql, touches } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'

/** Whether the account is still linked to the owner. Notes the use. */
export function* useLink(
  ownerId: OwnerId,
  { upstream, issuer, subject }: UpstreamAccount,
  trace: Trace,
): Step<boolean> {
  return yield* touches(sql`update upstream_links set last_used_at = ${trace.at}
    where upstream = ${upstream} and issuer = ${issuer} and subject = ${subject}
      and owner_id = ${ownerId} returning upstream`)
}
