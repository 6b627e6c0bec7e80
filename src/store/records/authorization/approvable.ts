/** Conditions of an approval: read before the write, and compared in the writing statement. */
import type { Approval, Proof } from '../../contract/authorization.ts'
import { integer, permissions, text } from '../../sql/row.ts'
import { type Piece, type Row, type Step, sql, touches } from '../../sql/statement.ts'
import type { Trace } from '../../store.ts'
import { holdOwner, proven } from '../factor/proof.ts'
import { running, unexpiredAt } from './authorization-row.ts'

/** An approval for a visit goes by the login that it is for. */
const proofOf = ({ proof, sessionId }: Approval): Proof | null =>
  proof ?? (sessionId === null ? null : { session: sessionId })

/**
 * The proof holds, owner and client are enabled, the owner does not leave, and the request has no
 * family yet. A repeated or
 * delayed form must not bring back an access that its owner has ended since. A null id of a family
 * matches none.
 */
const possible = (approval: Approval, trace: Trace): Piece =>
  sql`${proven(approval.ownerId, proofOf(approval), trace)} and o.deletion_at is null
    and exists (select 1 from clients c where c.id = ${approval.clientId} and c.disabled = 0)
    and not exists (select 1 from families where id = cast(${approval.journeyId ?? null} as text))`

/** Nothing that the owner approved for the client is paused. */
const notPaused = ({ clientId }: Approval, { at }: Trace): Piece =>
  sql`not exists (select 1 from authorizations a where a.owner_id = o.id
    and a.client_id = ${clientId} and not ${running} and ${unexpiredAt(at)})`

const holds = (condition: Piece): Step<boolean> =>
  touches(sql`select 1 as holds from owners o where ${condition}`)

/**
 * The authorizations without an end that hold the settled permissions. The rows are locked until
 * the step ends, so other transactions change them before it or after. Steps in the same
 * transaction are compared by revision.
 *
 * @returns null where one of the permissions stands for good no more
 */
function* holdSettled({ settled = [], ownerId, clientId }: Approval): Step<readonly Row[] | null> {
  if (settled.length === 0) return []
  const rows = yield sql`update authorizations set revision = revision
    where owner_id = ${ownerId} and client_id = ${clientId} and session_id = ''
      and expires_at is null returning id, permissions, revision`
  const held = rows.map((row) => ({ row, allows: permissions(row.permissions) }))
  const found = settled.map((one) => held.find(({ allows }) => allows.includes(one))?.row ?? null)
  // One row for each is enough, and keeps the texts of SQL as few as there are permissions.
  return found.includes(null) ? null : [...new Set(found)].filter((row) => row !== null)
}

/** A condition on an owner `o` and on a row that is as it was found. */
const andUnchanged = (condition: Piece, row: Row): Piece =>
  sql`${condition} and exists (select 1 from authorizations s
    where s.id = ${text(row.id)} and s.revision = ${integer(row.revision)})`

/**
 * Finds what has to hold when an approval is first written, or why it is not. The owner's row is held
 * until the step ends.
 */
export function* findNeeded(
  approval: Approval,
  trace: Trace,
): Step<Piece | 'unsettled' | 'impossible' | 'paused'> {
  const isProven = yield* holdOwner(approval.ownerId, proofOf(approval), trace)
  const needed = sql`${possible(approval, trace)} and ${notPaused(approval, trace)}`
  if (!isProven) return 'impossible'
  if (!(yield* holds(needed))) {
    return (yield* holds(possible(approval, trace))) ? 'paused' : 'impossible'
  }
  const settledIn = yield* holdSettled(approval)
  if (settledIn === null) return 'unsettled'
  return settledIn.reduce(andUnchanged, needed)
}

/** The same after a part is written: impossible only if owner or client is gone, too. */
export function* findRemaining({ ownerId, clientId }: Approval): Step<Piece | 'impossible'> {
  const remaining = sql`o.id = ${ownerId} and o.deleted_at is null
    and exists (select 1 from clients c where c.id = ${clientId} and c.deleted_at is null)`
  return (yield* holds(remaining)) ? remaining : 'impossible'
}
