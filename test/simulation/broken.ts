/** Steps with bugs that others have shipped: a simulation has to find each of them. */

import type { Family } from '../../src/model/authorization.ts'
import type { Redeemed, Rotated } from '../../src/store/contract/family.ts'
import type { PolledRedeemed } from '../../src/store/contract/polled.ts'
import { decodeFamily, familyColumns } from '../../src/store/records/family/rotate.ts'
import { findFirst, integer, text } from '../../src/store/sql/row.ts'
import { type Step, statement } from '../../src/store/sql/statement.ts'
import { beginStep, type Call, type StepArguments } from '../../src/store/sql/steps.ts'
import type { Begin, Flaws, Link } from './shared-store.ts'

const insertFamily = `insert into families
    (id, authorization_id, generation, started_at, rotated_at, expires_at, ended, has_endings)
  values (?, ?, 0, ?, ?, ?, 0, 0) on conflict (id) do update set generation = 0
  returning ${familyColumns}`

/** Found, tested, then consumed: whoever looks before the other has written is let in, too. */
function* redeemFound(...[redemption, trace]: StepArguments<'redeemCode'>): Step<Redeemed> {
  const { familyId, authorizationId, codeIssuedAt, expiresAt, burn } = redemption
  const known = yield statement('select id from families where id = ?', familyId)
  if (known.length > 0 || burn) {
    return (yield* beginStep({ name: 'redeemCode', args: [redemption, trace] })) as Redeemed
  }
  const inserted = yield statement(
    insertFamily,
    familyId,
    authorizationId,
    codeIssuedAt,
    trace.at,
    expiresAt,
  )
  const row = findFirst(inserted)
  return row === null ? { outcome: 'ended' } : { outcome: 'redeemed', family: decodeFamily(row) }
}

/** Read, then moved on without comparing: each of two refreshes at once gets a successor of its own. */
function* rotateFound(...[rotation, trace]: StepArguments<'rotateRefreshToken'>): Step<Rotated> {
  const found = yield statement(
    'select generation from families where id = ? and ended = 0',
    rotation.familyId,
  )
  if (integer(findFirst(found)?.generation ?? -1) !== rotation.generation) {
    return (yield* beginStep({ name: 'rotateRefreshToken', args: [rotation, trace] })) as Rotated
  }
  const moved = findFirst(
    yield statement(
      `update families set generation = generation + 1, rotated_at = ?, expires_at = ?
       where id = ? returning ${familyColumns}`,
      trace.at,
      rotation.expiresAt,
      rotation.familyId,
    ),
  )
  const family: Family | null = moved && decodeFamily(moved)
  return family === null ? { outcome: 'ended' } : { outcome: 'rotated', family }
}

/** The request stays approved, so each poll redeems its code. */
function* redeemApproved(
  ...[{ familyId, authorizationId, expiresAt }, trace]: StepArguments<'redeemDevice'>
): Step<PolledRedeemed> {
  const inserted = yield statement(
    insertFamily,
    familyId,
    authorizationId,
    trace.at,
    trace.at,
    expiresAt,
  )
  const row = findFirst(inserted)
  return row === null ? { outcome: 'ended' } : { outcome: 'redeemed', family: decodeFamily(row) }
}

/** An approval does not look at what was decided before. */
function* approveAnew(
  ...[id, approval, trace]: StepArguments<'approveBackchannel'>
): Step<unknown> {
  yield statement("update backchannel_requests set state = 'pending' where id = ?", id)
  return yield* beginStep({ name: 'approveBackchannel', args: [id, approval, trace] })
}

/** Nobody remembers what the owner took from a branch. */
function* delegateAnew(...[delegation, trace]: StepArguments<'delegate'>): Step<unknown> {
  const { parent, clientId } = delegation
  yield statement(
    "update authorizations set taken_by = '' where owner_id = ? and client_id = ?",
    parent.ownerId,
    clientId,
  )
  return yield* beginStep({ name: 'delegate', args: [delegation, trace] })
}

/** A branch keeps its permissions. */
function* narrowApproved(...args: StepArguments<'narrowAuthorization'>): Step<unknown> {
  const [id] = args
  const before = yield statement(
    'select parent_id, permissions from authorizations where id = ?',
    id,
  )
  const left = yield* beginStep({ name: 'narrowAuthorization', args })
  const row = findFirst(before)
  if (row?.parent_id != null) {
    yield statement(
      'update authorizations set permissions = ? where id = ?',
      text(row.permissions),
      id,
    )
  }
  return left
}

/** An assertion may come again. */
function* redeemAgain(...[redemption, trace]: StepArguments<'redeemAssertion'>): Step<unknown> {
  return yield* beginStep({ name: 'redeemAssertion', args: [{ ...redemption, used: null }, trace] })
}

/** An issuer opens again what its owner has ended. */
function* redeemEnded(...[redemption, trace]: StepArguments<'redeemAssertion'>): Step<unknown> {
  yield statement(`delete from issuer_accesses where not exists
    (select 1 from authorizations a where a.id = issuer_accesses.authorization_id
      and a.session_id <> 'ended')`)
  return yield* beginStep({ name: 'redeemAssertion', args: [redemption, trace] })
}

/** The tokens stay that an issuer opened. */
function* forgetIssuer(...[id, trace]: StepArguments<'endTrustedIssuer'>): Step<unknown> {
  yield statement('delete from issuer_accesses where issuer_id = ?', id)
  return yield* beginStep({ name: 'endTrustedIssuer', args: [id, trace] })
}

/** The client gives a grant back, and the grant lives on. */
function* keepGrant(...args: StepArguments<'endAuthorization'>): Step<unknown> {
  return args[3] === undefined ? yield* beginStep({ name: 'endAuthorization', args }) : true
}

/** The tokens of before a change live on. */
function* changeSofter(...[approval, trace]: StepArguments<'approve'>): Step<unknown> {
  const { clientId, ownerId } = approval
  const query = 'select id, salt from authorizations where client_id = ? and owner_id = ?'
  const before = yield statement(query, clientId, ownerId)
  const outcome = yield* beginStep({ name: 'approve', args: [approval, trace] })
  for (const { id, salt } of before) {
    yield statement('update authorizations set salt = ? where id = ?', text(salt), text(id))
  }
  return outcome
}

/** An acknowledgement takes all, and also the entries to come. */
function* takeAll(...[id, revision, progress]: StepArguments<'moveSignalStream'>): Step<unknown> {
  const head = findFirst(yield statement('select max(position) as position from revocations'))
  const position = integer(head?.position ?? progress.position) + 1000
  return yield* beginStep({
    name: 'moveSignalStream',
    args: [id, revision, { ...progress, position }],
  })
}

/** No API hears of an end. */
function* endSilently(...args: StepArguments<'endAuthorization'>): Step<unknown> {
  const isEnded = yield* beginStep({ name: 'endAuthorization', args })
  yield statement('delete from revocations where subject_id = ?', args[0])
  return isEnded
}

/** Found, then written: two that look at once are both the first. */
function* spendFound(...[{ id, expiresAt }]: StepArguments<'finishCeremony'>): Step<boolean> {
  const known = yield statement('select id from finished_ceremonies where id = ?', id)
  if (known.length > 0) return false
  yield statement(
    'insert into finished_ceremonies (id, expires_at) values (?, ?) on conflict (id) do nothing',
    id,
    expiresAt,
  )
  return true
}

/** Used ids by node, in a memory that the other nodes do not have, and the next life of a node neither. */
const memories = new WeakMap<Link, { readonly life: number; readonly ids: Set<string> }>()

// biome-ignore lint/correctness/useYield: a step that asks the store nothing.
function* spendInMemory(link: Link, [{ id }]: StepArguments<'finishCeremony'>): Step<boolean> {
  const known = memories.get(link)
  const memory = known?.life === link.life ? known : { life: link.life, ids: new Set<string>() }
  memories.set(link, memory)
  const isFirst = !memory.ids.has(id)
  memory.ids.add(id)
  return isFirst
}

/** Permissions are taken away, and details are forgotten. */
function* narrowPermissions(
  ...[id, ownerId, keep, trace]: StepArguments<'narrowAuthorization'>
): Step<unknown> {
  return yield* beginStep({ name: 'narrowAuthorization', args: [id, ownerId, keep, trace] })
}

/** Whatever was asked for in detail counts as ticked. */
function* approveAsked(...[approval, trace]: StepArguments<'approve'>): Step<unknown> {
  const { details } = approval
  const all = details === undefined ? {} : { details: { ...details, approved: details.asked } }
  return yield* beginStep({ name: 'approve', args: [{ ...approval, ...all }, trace] })
}

/** A step in place of the real one of that name. */
const instead =
  (name: Call['name'], of: (...args: readonly never[]) => Step<unknown>): Begin =>
  (call) =>
    call.name === name ? of(...(call.args as readonly never[])) : beginStep(call)

interface Broken extends Flaws {
  /** The guest that it needs: other runs could not find it. */
  readonly guest?: string
}

export const breaks: Readonly<Record<string, Broken>> = {
  'a redemption that finds, then consumes': { begin: instead('redeemCode', redeemFound) },
  'a rotation that does not compare and set': { begin: instead('rotateRefreshToken', rotateFound) },
  'a revocation acknowledged before it is written': { early: ['endFamily', 'endToken'] },
  'a device that stays approved': { begin: instead('redeemDevice', redeemApproved) },
  'a request to an owner that stays approved': {
    guest: 'backchannel',
    begin: instead('redeemBackchannel', redeemApproved),
  },
  'an approval on top of a denial': {
    guest: 'backchannel',
    begin: instead('approveBackchannel', approveAnew),
  },
  'a branch that grows again': { guest: 'exchange', begin: instead('delegate', delegateAnew) },
  'a narrowing that spares branches': {
    guest: 'exchange',
    begin: instead('narrowAuthorization', narrowApproved),
  },
  'an assertion that opens twice': {
    guest: 'trusted-issuers',
    begin: instead('redeemAssertion', redeemAgain),
  },
  'an issuer that opens what was ended': {
    guest: 'trusted-issuers',
    begin: instead('redeemAssertion', redeemEnded),
  },
  'an issuer that is gone, and its tokens are not': {
    guest: 'trusted-issuers',
    begin: instead('endTrustedIssuer', forgetIssuer),
  },
  'a grant that is given back and lives on': {
    guest: 'grant-management',
    begin: instead('endAuthorization', keepGrant),
  },
  'tokens that outlive a change of their grant': {
    guest: 'grant-management',
    begin: instead('approve', changeSofter),
  },
  'an acknowledgement that takes all': {
    guest: 'signals',
    begin: instead('moveSignalStream', takeAll),
  },
  'an end that no API hears of': {
    guest: 'signals',
    begin: instead('endAuthorization', endSilently),
  },
  'used ids that are looked for, then written': { begin: instead('finishCeremony', spendFound) },
  'used ids in the memory of a node': {
    begin: (call, link) =>
      call.name === 'finishCeremony'
        ? spendInMemory(link, call.args as StepArguments<'finishCeremony'>)
        : beginStep(call),
  },
  'an approval of details that nobody ticked': { begin: instead('approve', approveAsked) },
  'a narrowing that forgets details': { begin: instead('narrowAuthorization', narrowPermissions) },
  'reads out of a cache': { staleMilliseconds: 1000 },
}
