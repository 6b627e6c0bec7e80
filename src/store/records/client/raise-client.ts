/**
 * A wider part of the admin API for a client. Another program that made the client or its secret knows
 * the secret. It would get into the admin API with the client.
 */

import { limits } from '../../../config/limits.ts'
import { operatorKey } from '../../../model/actor.ts'
import type { ClientChange } from '../../../model/client.ts'
import { operatorChangeOf, raisedOf } from '../../../model/client-change.ts'
import type { ClientId } from '../../../model/ids.ts'
import type { Steps } from '../../sql/record.ts'
import { first, integerOrNull, text } from '../../sql/row.ts'
import { type Step, statement } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'
import { tellChange } from './client-events.ts'
import { findForChange, writeChange } from './clients.ts'

/**
 * When trusted ones and when others last made the secret. Commands of the machine, the console and the
 * service itself are trusted.
 */
const makers = `with made as (select id, at, case when operator like 'cli:%' or operator like 'owner:%'
      or actor like '{"type":"service"%' or (operator <> '' and operator = ?) then 1 else 0 end as trusted
    from events where client_id = ? and (type in ('client.registered', 'client.secret_rotated')
      or (type = 'client.changed_itself' and details like '%secretDigest%')))
  select max(case when trusted = 1 then at end) as trusted_at,
    max(case when trusted = 0 then at end) as others_at, max(case when trusted = 0 then id end) as id
  from made`

/** Names this state of the secret: another secret is another way. Null: nobody else knows it. */
function* wayOfOthers(clientId: ClientId, trace: Trace): Step<string | null> {
  const made = first(yield statement(makers, operatorKey(trace.actor), clientId))
  const othersAt = integerOrNull(made?.others_at ?? null)
  const trustedAt = integerOrNull(made?.trusted_at ?? null)
  // Events do not last. Nobody can say any more who made the secret.
  if (othersAt === null && trustedAt === null) return 'secret:forgotten'
  // Events of one second have no order.
  const isOthers = othersAt !== null && (trustedAt === null || othersAt >= trustedAt)
  return isOthers ? `secret:${text(made?.id)}` : null
}

export const raiseClient: Steps['raiseClient'] = function* (
  id,
  change,
  { keep, replacement },
  trace,
  checked,
) {
  for (;;) {
    const found = yield* findForChange(id, checked)
    if (found === null) return { outcome: 'gone' }
    const { secretDigest } = found.client
    const isNew = secretDigest === null || change.secretDigest !== undefined
    const way = isNew ? null : yield* wayOfOthers(id, trace)
    if (way !== null && keep === null) return { outcome: 'asks', way }
    const isReplaced = way !== null && keep?.includes(way) !== true
    const whole: ClientChange = isReplaced ? { ...change, secretDigest: replacement } : change
    const changed = operatorChangeOf(found.client, whole, trace.at)
    const adds = change.addedRedirectUris !== undefined
    if (adds && changed.redirectUris.length > limits.redirectUris) {
      return { outcome: 'raised', client: found.client, isReplaced: false }
    }
    const client = raisedOf(changed, change.newSalt)
    if (!(yield* writeChange(client, found))) continue
    yield* tellChange(found.client, client, whole, trace)
    return { outcome: 'raised', client, isReplaced }
  }
}
