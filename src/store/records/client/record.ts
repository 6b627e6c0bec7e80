/** Changes of clients, and the record of clients, their logos, and the places that strangers take. */

import { hashText } from '../../../crypto/digest.ts'
import { getOperatorKey } from '../../../model/actor.ts'
import { type Client, type ClientChange, isPublic } from '../../../model/client.ts'
import {
  applyDocumentChange,
  applyOperatorChange,
  changeOf,
  endTokens,
  listCertificateNames,
  listHeldAgainst,
} from '../../../model/client-change.ts'
import type { ClientId, Digest } from '../../../model/ids.ts'
import { describeRequester, requesterChange } from '../../../model/requester.ts'
import { getClientKey, listClientKeys } from '../../cache/things.ts'
import type { ClientSteps } from '../../contract/client.ts'
import type { Trace } from '../../contract/trace.ts'
import { storeLimits } from '../../limits.ts'
import { purgeAtEnd, type Steps, type StoreRecord } from '../../sql/record.ts'
import { findFirst, integerOrNull, permissionsText, text } from '../../sql/row.ts'
import { all, type Step, sql, statement } from '../../sql/statement.ts'
import { tell } from '../event/events.ts'
import { isKeeper, removeClient } from '../removal.ts'
import { noteClient } from '../revocation.ts'
import { listNamed, tellChange, tellRequester } from './client-events.ts'
import {
  clientReads,
  clientTable,
  clientWords,
  createClient,
  findForChange,
  keepClientLogo,
  logos,
  noteClientWords,
  rewrapClientSecrets,
  writeChange,
} from './clients.ts'
import {
  freePlace,
  listDueRegistrations,
  registrationCounts,
  registrationSteps,
  registrationTable,
} from './registrations.ts'

/** The changes that a client has made of itself by now; or the seconds to wait after too many. */
const countChange = ({ ownChanges }: Client, at: number): (Client['ownChanges'] & {}) | number => {
  const { since, times } = ownChanges ?? { since: 0, times: 0 }
  const seconds = since + storeLimits.ownChangesSeconds - at
  if (seconds <= 0) return { since: at, times: 1 }
  return times >= storeLimits.ownChanges ? seconds : { since, times: times + 1 }
}

const keepClientDocument: Steps['keepClientDocument'] = function* (fetched, trace) {
  for (;;) {
    const found = yield* findForChange(fetched.id)
    const before = found?.client
    if (!found || before?.document === undefined || !fetched.document) return { outcome: 'gone' }
    const isOlder = fetched.document.fetchedAt < before.document.fetchedAt
    // The operator's values stay, and so does a newer copy of another node.
    if (before.pinned === true || isOlder) return { outcome: 'kept' }
    const after = applyDocumentChange(before, fetched)
    const visible = requesterChange(describeRequester(before), describeRequester(after))
    const ownChanges = visible === null ? before.ownChanges : countChange(before, trace.at)
    if (typeof ownChanges === 'number') return { outcome: 'too_often' }
    const client = ownChanges === undefined ? after : { ...after, ownChanges }
    if (!(yield* writeChange(client, found))) continue
    if (visible !== null) {
      const changed = Object.keys(visible).toSorted().join(' ')
      const told = { changed, ...tellRequester(visible) }
      yield* tell('client.changed_itself', { clientId: client.id }, told, trace)
    } else if (client.salt !== before.salt && !isPublic(client)) yield* noteClient(client.id, trace)
    return { outcome: 'kept' }
  }
}

/**
 * When trusted ones and when others last made the secret. Commands of the machine, the console and the
 * service itself are trusted. A secret from another server is one of others, whoever brought it.
 */
const makers = `with made as (select id, at, case
      when type = 'client.registered' and details like '%"secret":"given"%' then 0
      when operator like 'cli:%' or operator like 'owner:%'
      or actor like '{"type":"service"%' or (operator <> '' and operator = ?) then 1 else 0 end as trusted
    from events where client_id = ? and (type in ('client.registered', 'client.secret_rotated')
      or (type = 'client.changed_itself' and details like '%secretDigest%')))
  select max(case when trusted = 1 then at end) as trusted_at,
    max(case when trusted = 0 then at end) as others_at, max(case when trusted = 0 then id end) as id
  from made`

/** Names this state of the secret: another secret is another way. Null: nobody else knows it. */
function* findWayOfOthers(clientId: ClientId, trace: Trace): Step<string | null> {
  const made = findFirst(yield statement(makers, getOperatorKey(trace.actor), clientId))
  const othersAt = integerOrNull(made?.others_at ?? null)
  const trustedAt = integerOrNull(made?.trusted_at ?? null)
  // Events do not last. Nobody can say any more who made the secret.
  if (othersAt === null && trustedAt === null) return 'secret:forgotten'
  // Events of one second have no order.
  const isOthers = othersAt !== null && (trustedAt === null || othersAt >= trustedAt)
  return isOthers ? `secret:${text(made?.id)}` : null
}

/**
 * Ways of a client besides its secret, whatever its method is now: another method makes them count. Each names
 * its state: other keys are another way.
 */
const listKeyWays = ({ openid, identity }: Client): readonly string[] => {
  const { jwks, jwks_uri: uri } = openid
  const { federated_credentials: platforms } = identity
  return [
    ...((jwks ?? uri) === undefined ? [] : [`keys:${hashText(JSON.stringify([jwks, uri]))}`]),
    ...listCertificateNames(openid).map((name) => `certificate:${hashText(JSON.stringify(name))}`),
    ...(platforms === undefined ? [] : [`platforms:${hashText(JSON.stringify(platforms))}`]),
  ]
}

/** The first way that was there before a change, stays after it, and that nobody has named. */
const findKeyWay = (before: Client, after: Client, named: readonly string[]): string | null => {
  const former = listKeyWays(before)
  const left = listKeyWays(after).filter((way) => former.includes(way) && !named.includes(way))
  return left[0] ?? null
}

const raiseClient: Steps['raiseClient'] = function* (id, change, kept, trace, checked, seen) {
  const { keep, replacement } = kept
  for (;;) {
    const found = yield* findForChange(id, checked, seen)
    if (found === null) return { outcome: 'gone' }
    const { secretDigest } = found.client
    const isNew = secretDigest === null || change.secretDigest !== undefined
    const way = isNew ? null : yield* findWayOfOthers(id, trace)
    if (way !== null && keep === null) return { outcome: 'asks', way }
    const isReplaced = way !== null && keep?.includes(way) !== true
    const whole: ClientChange = isReplaced ? { ...change, ...replacement } : change
    const changed = applyOperatorChange(found.client, whole, trace.at)
    // Keys and certificates have no replacement: they stay by their name, or the operator sets others.
    const keyWay = findKeyWay(found.client, changed, keep ?? [])
    if (keyWay !== null) return { outcome: 'asks', way: keyWay }
    const adds = change.addedRedirectUris !== undefined
    if (adds && changed.redirectUris.length > storeLimits.redirectUris) {
      return { outcome: 'raised', client: found.client, isReplaced: false }
    }
    // The current secret is the only way in.
    const onlyWay = { salt: change.newSalt, oldSecret: null, registrationDigest: null }
    const client = { ...changed, ...onlyWay }
    if (!(yield* writeChange(client, found))) continue
    yield* tellChange(found.client, client, whole, trace)
    return { outcome: 'raised', client, isReplaced }
  }
}

const changeClient: Steps['changeClient'] = function* (id, change, trace, checked, seen) {
  for (;;) {
    const found = yield* findForChange(id, checked, seen)
    if (found === null) return null
    const client = applyOperatorChange(found.client, change, trace.at)
    const adds = change.addedRedirectUris !== undefined
    if (adds && client.redirectUris.length > storeLimits.redirectUris) return found.client
    if (!(yield* writeChange(client, found))) continue
    yield* tellChange(found.client, client, change, trace)
    return client
  }
}

const endClientTokens: Steps['endClientTokens'] = function* (id, salts, trace, checked) {
  for (;;) {
    const found = yield* findForChange(id, checked)
    if (found === null) return null
    const client = endTokens(found.client, salts.own, salts.family)
    if (!(yield* writeChange(client, found))) continue
    yield* tell('client.tokens_ended', { clientId: id }, {}, trace)
    return client
  }
}

const isManagedBy = ({ registrationDigest, disabled }: Client, registration: Digest): boolean =>
  registrationDigest === registration && !disabled

const changeOwnClient: Steps['changeOwnClient'] = function* (id, registration, change, trace) {
  for (;;) {
    const found = yield* findForChange(id)
    if (found === null || !isManagedBy(found.client, registration)) return { outcome: 'gone' }
    const before = found.client
    const wanted = changeOf(before, change, trace.at)
    const members = listHeldAgainst(before, wanted)
    if (members.length > 0) return { outcome: 'held', members }
    if (listNamed(change).length === 0) return { outcome: 'changed', client: before }
    const ownChanges = countChange(before, trace.at)
    if (typeof ownChanges === 'number') return { outcome: 'too_often', seconds: ownChanges }
    const client = { ...wanted, ownChanges }
    if (!(yield* writeChange(client, found))) continue
    yield* tellChange(before, client, change, trace, 'itself')
    return { outcome: 'changed', client }
  }
}

function* tellDeleted(id: ClientId, name: string, trace: Trace): Step<true> {
  yield* freePlace(id, trace)
  yield* tell('client.deleted', { clientId: id }, { name }, trace)
  return true
}

const deleteOwnClient: Steps['deleteOwnClient'] = function* (id, registration, trace) {
  for (;;) {
    const found = yield* findForChange(id)
    if (found === null || !isManagedBy(found.client, registration)) return false
    if (yield* isKeeper(id)) return false
    const name = yield* removeClient(id, trace, sql`revision = ${found.revision}`)
    if (name === null) continue
    return yield* tellDeleted(id, name, trace)
  }
}

const deleteClient: Steps['deleteClient'] = function* (id, trace, checked, seen) {
  const found = seen === undefined ? undefined : yield* findForChange(id, checked, seen)
  if (found === null || (yield* isKeeper(id))) return false
  const only = all([
    checked !== undefined && sql`scope = ${permissionsText(checked)}`,
    found !== undefined && sql`revision = ${found.revision}`,
  ])
  const name = yield* removeClient(id, trace, only)
  return name !== null && (yield* tellDeleted(id, name, trace))
}

export const clientRecord: StoreRecord<ClientSteps> = {
  tables: [clientTable, clientWords, logos, registrationTable, registrationCounts],
  reads: { ...clientReads, listDueRegistrations },
  steps: {
    ...registrationSteps,
    createClient,
    changeClient,
    raiseClient,
    endClientTokens,
    changeOwnClient,
    keepClientDocument,
    keepClientLogo,
    rewrapClientSecrets,
    deleteClient,
    deleteOwnClient,
    noteClientWords,
  },
  invalidates: {
    // The cache never holds that there is no such client.
    createClient: 'nothing',
    registerClient: 'nothing',
    noteClientUse: 'nothing',
    postponeRegistration: 'nothing',
    removeIdleClient: listClientKeys,
    changeClient: (id) => [getClientKey(id)],
    raiseClient: (id) => [getClientKey(id)],
    endClientTokens: (id) => [getClientKey(id)],
    changeOwnClient: (id) => [getClientKey(id)],
    keepClientDocument: ({ id }) => [getClientKey(id)],
    keepClientLogo: 'nothing',
    noteClientWords: 'nothing',
    rewrapClientSecrets: (changes) => changes.map(({ clientId }) => getClientKey(clientId)),
    deleteClient: listClientKeys,
    deleteOwnClient: listClientKeys,
  },
  alone: ['removeIdleClient', 'raiseClient', 'noteClientWords', 'deleteClient', 'deleteOwnClient'],
  endPurges: [purgeAtEnd('registration_counts', 'id', 'ends_at')],
}
