/** Checks of directories, and the owners that each has disabled. */
import type { OwnerId } from '../../model/ids.ts'
import { getOwnerKey } from '../../store/cache/things.ts'
import { decodeOwner } from '../../store/records/owner/owners.ts'
import { changeOwnerBy } from '../../store/records/owner/record.ts'
import { matchAccount } from '../../store/records/upstream.ts'
import { defineTable } from '../../store/sql/columns.ts'
import { pageOf } from '../../store/sql/page.ts'
import type { Reads, Steps, StoreRecord } from '../../store/sql/record.ts'
import { integer, integerOrNull, text } from '../../store/sql/row.ts'
import { ask, findOne, raw, type Step, sql, touches } from '../../store/sql/statement.ts'
import { writeMark } from '../../store/sql/word-table.ts'
import { featureKept } from '../owned.ts'
import type { DirectoryCheck, LeaverSteps, LinkedPerson } from './contract.ts'
import { leaversOwned } from './owned.ts'

const checks = defineTable<DirectoryCheck & { readonly startedAt: number }>(
  'directory_checks',
  { upstream: 'text', startedAt: 'integer', checkedAt: 'integer', missing: 'integer' },
  { key: 'upstream', restored: 'none', isTrace: true },
)

interface LeaverRow {
  readonly ownerId: OwnerId
  readonly upstream: string
  readonly disabledAt: number
  /** Whether the directory has disabled the owner, and no operator since. */
  readonly disabledHere: boolean
  /** How often within a day. */
  readonly times: number
}

const leavers = defineTable<LeaverRow>(
  leaversOwned,
  {
    ownerId: 'text references owners (id) on delete cascade',
    upstream: 'text',
    disabledAt: 'integer',
    disabledHere: 'flag',
    times: 'small',
  },
  {
    key: 'owner_id upstream',
    restored: 'all',
    indexes: ['directory_leavers_by_time (upstream, disabled_at)'],
  },
)

/** Owners `o` whom no client keeps: one directory decides about each. No owner gets a keeper later. */
const unkept = raw(
  featureKept
    .map((table) => `not exists (select 1 from ${table} k where k.owner_id = o.id)`)
    .join(' and '),
)

const claimDirectoryCheck: Steps['claimDirectoryCheck'] = (upstream, everySeconds, at) =>
  // A node whose clock was ahead must not keep the others from it for good.
  touches(sql`${checks.insert({ upstream, startedAt: at, checkedAt: at, missing: 0 })}
    on conflict (upstream) do update set started_at = excluded.started_at
      where directory_checks.started_at <= ${at - everySeconds}
        or directory_checks.started_at > ${at + everySeconds}
    returning upstream`)

const listLinkedPeople: Reads['listLinkedPeople'] = async (read, directory, after, limit) => {
  const { upstream, issuer } = directory
  const query = sql`select l.subject, l.owner_id, m.disabled_at
    from upstream_links l join owners o on o.id = l.owner_id
      left join directory_leavers m
        on m.owner_id = l.owner_id and m.upstream = l.upstream and m.disabled_here = 1
    where l.upstream = ${upstream} and l.issuer = ${issuer} and l.subject > ${after ?? ''}
      and o.deleted_at is null and (o.disabled = 0 or m.owner_id is not null) and ${unkept}
    order by l.subject limit ${limit + 1}`
  return pageOf(
    await ask(read, query),
    limit,
    (row): LinkedPerson => ({
      ...{ upstream, issuer },
      subject: text(row.subject),
      ownerId: text(row.owner_id) as OwnerId,
      disabledAt: integerOrNull(row.disabled_at ?? null),
    }),
    ({ subject }) => subject,
  )
}

/** Locks all operators in one order, so that two of them are not disabled at once. */
function* isLastOperator(id: OwnerId): Step<boolean> {
  const marked = sql`(select id from owner_words where word = ${writeMark('role:operator')})`
  // A step that waited for a row looks again at this row alone, and not at the words.
  const rows = yield sql`select o.id from owners o
    where o.id in ${marked} and (' ' || o.roles || ' ') like '% operator %'
      and o.disabled = 0 and o.deleted_at is null and o.deletion_at is null
    order by o.id for update`
  return rows.every((row) => row.id === id)
}

/** Locks the row of an owner, whose link stays as it is until the step ends. */
function* holdLinked({ ownerId, ...account }: LinkedPerson, isDisabled: boolean) {
  const held = yield* findOne(sql`update owners set roles = roles where id = ${ownerId}
    and disabled = ${Number(isDisabled)} and deleted_at is null returning *`)
  if (held === null) return null
  const linked = yield* touches(sql`select 1 as found from upstream_links l
    join owners o on o.id = l.owner_id
    where ${matchAccount(account)} and l.owner_id = ${ownerId} and ${unkept}`)
  return linked ? decodeOwner(held) : null
}

const disableLeaver: Steps['disableLeaver'] = function* (person, { most, since }, trace) {
  const { ownerId, upstream } = person
  // Nodes count one after the other. Each time counts, so that nobody is disabled and enabled without end.
  yield sql`update directory_checks set missing = missing where upstream = ${upstream}`
  const counted = yield* findOne(sql`select coalesce(sum(times), 0) as leavers
    from directory_leavers where upstream = ${upstream} and disabled_at > ${since}`)
  if (integer(counted?.leavers ?? 0) >= most) return 'held'
  const former = yield* findOne(sql`select * from owners where id = ${ownerId}`)
  const wasOperator = former !== null && decodeOwner(former).roles.includes('operator')
  if (wasOperator && (yield* isLastOperator(ownerId))) return 'last_operator'
  const owner = yield* holdLinked(person, false)
  if (owner === null) return 'changed_meanwhile'
  // Made an operator between the two statements, before the others were locked.
  if (!wasOperator && owner.roles.includes('operator')) return 'changed_meanwhile'
  yield* changeOwnerBy(ownerId, { disabled: true }, trace, undefined, { upstream })
  const earlier = yield* findOne(sql`select times from directory_leavers
    where owner_id = ${ownerId} and upstream = ${upstream} and disabled_at > ${since}`)
  const times = integer(earlier?.times ?? 0) + 1
  const row = { ownerId, upstream, disabledAt: trace.at, disabledHere: true, times }
  yield sql`${leavers.insertIf(row)} where 1 = 1 ${leavers.overwrite}`
  return 'disabled'
}

const enableReturner: Steps['enableReturner'] = function* (person, trace) {
  const { ownerId, upstream } = person
  if ((yield* holdLinked(person, true)) === null) return false
  const mark = sql`select 1 as found from directory_leavers
    where owner_id = ${ownerId} and upstream = ${upstream} and disabled_here = 1`
  if (!(yield* touches(mark))) return false
  yield* changeOwnerBy(ownerId, { disabled: false }, trace, undefined, { upstream })
  return true
}

const noteDirectoryCheck: Steps['noteDirectoryCheck'] = ({ upstream, missing, checkedAt }) =>
  touches(sql`update directory_checks
    set missing = ${missing}, checked_at = coalesce(${checkedAt}, checked_at)
    where upstream = ${upstream} returning upstream`)

const listDirectoryChecks: Reads['listDirectoryChecks'] = async (read, since) => {
  const query = sql`select upstream, missing, checked_at from directory_checks
    where started_at > ${since} order by upstream`
  return (await ask(read, query)).map((row) => ({
    upstream: text(row.upstream),
    missing: integer(row.missing),
    checkedAt: integer(row.checked_at),
  }))
}

const findDisabler: Reads['findDisabler'] = async (read, ownerId) => {
  const query = sql`select upstream from directory_leavers
    where owner_id = ${ownerId} and disabled_here = 1`
  const [row] = await ask(read, query)
  return row === undefined ? null : text(row.upstream)
}

export const leaverRecord: StoreRecord<LeaverSteps> = {
  tables: [checks, leavers],
  reads: { listLinkedPeople, listDirectoryChecks, findDisabler },
  steps: { claimDirectoryCheck, disableLeaver, enableReturner, noteDirectoryCheck },
  invalidates: {
    claimDirectoryCheck: 'nothing',
    disableLeaver: ({ ownerId }) => [getOwnerKey(ownerId)],
    enableReturner: ({ ownerId }) => [getOwnerKey(ownerId)],
    noteDirectoryCheck: 'nothing',
  },
  // Rows are held while others are written, which other steps of the transaction would not see.
  alone: ['disableLeaver', 'enableReturner'],
}
