/** The ledger of one application as JSON, to keep. */
import { answerJson } from '../../../http/answer.ts'
import { loggedDays } from '../../../model/use.ts'
import { Refusal } from '../../../protocol/refusal.ts'
import { forOwner } from '../../former.ts'
import { accountLimits } from '../limits.ts'
import { describeDay, describeUse, iso, isoOrNull } from '../stored.ts'
import { cursorOf, findLedger } from './find.ts'

/** A file that is kept must not turn out to be the login page. */
const refuseStranger = (): never => {
  throw new Refusal(
    'access_denied',
    'not_logged_in',
    'the login is missing or has ended: log in at /account, then ask again',
  )
}

/**
 * `GET /account/ledger.json?authorization=ID`: the entries, newest first, and the counts of every day.
 * A file has a limit; `next` is the URL of older entries.
 */
export const downloadLedger = forOwner(async (visit, parts) => {
  const { at } = visit
  const { settings, store } = parts
  const { authorization, endedAt, before } = await findLedger(visit, parts)
  const { id, ownerId } = authorization
  const of = { authorizationId: id, ownerId }
  const days = loggedDays(settings.accessLogSeconds, at)
  const page = await store.listUses(of, days, before, accountLimits.ledgerRows, at)
  const counted = await store.countUses(of, days, at)
  const next = cursorOf(page.next)
  return answerJson(
    {
      client_id: authorization.clientId,
      client_name: authorization.clientName,
      permissions: authorization.permissions,
      allowed_at: iso(authorization.createdAt),
      expires_at: endedAt === null ? isoOrNull(authorization.expiresAt) : null,
      ended_at: isoOrNull(endedAt),
      last_used_at: isoOrNull(authorization.lastUsedAt),
      taken_at: iso(at),
      days: counted.map(describeDay),
      entries: page.rows.map(describeUse),
      next:
        next === null
          ? null
          : `${settings.issuer}/account/ledger.json?authorization=${id}&before=${next}`,
    },
    200,
    { 'Content-Disposition': 'attachment; filename="ledger.json"' },
  )
}, refuseStranger)
