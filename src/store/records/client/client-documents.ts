/** Clients that are metadata documents: a newer copy takes the place of the one before. */

import { limits } from '../../../config/limits.ts'
import type { Client } from '../../../model/client.ts'
import { documentChangeOf } from '../../../model/client-change.ts'
import { describeRequester, requesterChange } from '../../../model/requester.ts'
import type { Steps } from '../../sql/record.ts'
import { tell } from '../event/events.ts'
import { tellRequester } from './client-events.ts'
import { findForChange, writeChange } from './clients.ts'

/** The changes that it has made by now; null if it makes too many. */
const countedChange = ({ ownChanges }: Client, at: number): Client['ownChanges'] | null => {
  const { since, times } = ownChanges ?? { since: 0, times: 0 }
  if (since + limits.ownChangesSeconds <= at) return { since: at, times: 1 }
  return times >= limits.ownChanges ? null : { since, times: times + 1 }
}

export const keepClientDocument: Steps['keepClientDocument'] = function* (fetched, trace) {
  for (;;) {
    const found = yield* findForChange(fetched.id)
    const before = found?.client
    if (!found || before?.document === undefined || !fetched.document) return { outcome: 'gone' }
    const isOlder = fetched.document.fetchedAt < before.document.fetchedAt
    // The operator's values stay, and so does a newer copy of another node.
    if (before.pinned === true || isOlder) return { outcome: 'kept' }
    const after = documentChangeOf(before, fetched)
    const visible = requesterChange(describeRequester(before), describeRequester(after))
    const ownChanges = visible === null ? before.ownChanges : countedChange(before, trace.at)
    if (ownChanges === null) return { outcome: 'too_often' }
    const client = ownChanges === undefined ? after : { ...after, ownChanges }
    if (!(yield* writeChange(client, found))) continue
    if (visible !== null) {
      const details = { changed: Object.keys(visible).toSorted().join(' ') }
      yield* tell(
        'client.changed_itself',
        { clientId: client.id },
        { ...details, ...tellRequester(visible) },
        trace,
      )
    }
    return { outcome: 'kept' }
  }
}
