/** An owner from another server. */
import { type EventId, idBefore } from '../../../model/ids.ts'
import type { Steps } from '../../sql/record.ts'
import { listOf, sql } from '../../sql/statement.ts'
import { addImportedCodes } from '../factor/record.ts'
import { setOwnerGroups } from '../group/record.ts'
import { createOwner } from './owners.ts'

/** With the groups and the second factor from another server. */
export const importOwner: Steps['importOwner'] = function* (owner, { groups, codes }, trace) {
  const names = [...new Set(groups)]
  if (names.length > 0) {
    // Held until the step ends: no owner comes without a group.
    const held = yield sql`update groups set revision = revision
      where name in ${listOf(names)} returning name`
    if (held.length < names.length) return 'unknown_group'
  }
  const isGiven = owner.passwordHash !== '' || codes !== null
  if ((yield* createOwner(owner, trace, isGiven ? 'given' : undefined)) === 'taken') return 'taken'
  const tellAs = (i: number) => ({ ...trace, eventId: idBefore<EventId>(trace.eventId, i) })
  if (codes !== null) yield* addImportedCodes(owner.id, codes, tellAs(1))
  if (names.length > 0) {
    yield* setOwnerGroups(owner.id, { upstream: null, names, ids: null }, tellAs(2))
  }
  return 'created'
}
