/** Import and export of owners, beside the store: one batch, or one page. */

import { findClient } from '../../clients/find.ts'
import type { Vault } from '../../crypto/wrap.ts'
import { findDisabledBy } from '../../features/missing.ts'
import { isRaised, type Owner, type OwnerChange } from '../../model/owner.ts'
import { addHashKind } from '../../owners/hashes/index.ts'
import { readBrought } from '../../owners/imported.ts'
import {
  addressTaken,
  explainTaken,
  giveRoles,
  importOwner,
  isAddressTaken,
  parseOwnerChange,
} from '../../owners/registration.ts'
import { parameterLimits } from '../../protocol/parameters.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { BroughtAlong } from '../../store/contract/owner.ts'
import type { Trace } from '../../store/contract/trace.ts'
import { type Flags, type StoreParts, seedFirst } from '../store.ts'

/** One line of a file. */
export interface ImportEntry {
  readonly line: number
  readonly members: Readonly<Record<string, unknown>>
}

export interface ImportOutcome {
  readonly line: number
  readonly is: 'created' | 'existing' | 'changed' | 'refused'
  readonly reason?: string
}

interface Batch {
  readonly entries: readonly ImportEntry[]
  readonly dryRun: boolean
  readonly update: boolean
  readonly withDeleted: boolean
  /** Wraps secrets of one-time codes. Null where no line has one. */
  readonly vault: Vault | null
}

/** Owners written at once, so that they share a commit and leave room for requests. */
const atOnce = 50

const refuse = (line: number, reason: string): ImportOutcome => ({ line, is: 'refused', reason })

/** Exports of other servers write null for what they do not know. */
const dropNull = ({ line, members }: ImportEntry): ImportEntry => ({
  line,
  members: Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)),
})

/** The members that differ. Some are only for a new owner. Only a step of an operator keeps a directory from enabling. */
const selectChanged = async (
  { members }: ImportEntry,
  found: Owner,
  { store }: StoreParts,
): Promise<OwnerChange> => {
  const { username: _, password_hash: __, created_at: ___, sub: ____, ...told } = members
  const { groups: _groups, one_time_code_secret: _secret, ...others } = told
  const change = parseOwnerChange(others)
  const isHeld =
    change.disabled === true && found.disabled && (await findDisabledBy(store, found.id)) !== null
  const isChanged = (name: string, value: unknown): boolean =>
    (isHeld && name === 'disabled') ||
    JSON.stringify(value) !== JSON.stringify(found[name as keyof Owner])
  return Object.fromEntries(
    Object.entries(change).filter(([name, value]) => isChanged(name, value)),
  )
}

/** @throws Refusal `conflict` for a role in the console, where others may have set ways to log in */
const apply = (found: Owner, change: OwnerChange, trace: Trace, store: StoreParts['store']) => {
  const { roles } = change
  return roles !== undefined && isRaised(found, { roles })
    ? giveRoles(found.id, { ...change, roles }, null, trace, { store })
    : store.changeOwner(found.id, change, trace)
}

/** An owner has this username: the one of an earlier run, or another person. */
const meet = async (
  entry: ImportEntry,
  owner: Owner,
  { update, dryRun }: Batch,
  parts: StoreParts,
): Promise<ImportOutcome> => {
  const { store, trace } = parts
  const { line, members } = entry
  const found = await store.findOwnerByName(owner.username, 'disabled')
  if (found === null) return refuse(line, (await explainTaken(owner, { store })).description)
  if (found.username !== owner.username) {
    return refuse(line, `there is an owner ${found.username}, which is the same name`)
  }
  if (members.sub !== undefined && found.id !== members.sub) {
    return refuse(line, `there is an owner ${found.username} with another sub`)
  }
  if (update) {
    const change = await selectChanged(entry, found, parts)
    if (Object.keys(change).length === 0) return { line, is: 'existing' }
    const isTaken = dryRun
      ? await isAddressTaken({ ...found, ...change }, { store })
      : (await apply(found, change, trace(), store)) === 'address_taken'
    return isTaken ? refuse(line, addressTaken().description) : { line, is: 'changed' }
  }
  if (found.name === owner.name && found.email === owner.email) return { line, is: 'existing' }
  return refuse(line, `there is an owner ${found.username} with another name or email address`)
}

/** What `importOwner` would find, without writing. */
const isAddable = async (owner: Owner, { store }: StoreParts): Promise<boolean> => {
  const taken = [
    store.findOwnerByName(owner.username, 'disabled'),
    store.findOwner(owner.id, 'disabled'),
    findClient(owner.id, { store }, 'disabled'),
  ]
  const isFree = (await Promise.all(taken)).every((found) => found === null)
  const { id, username: email } = owner
  const isOther = await isAddressTaken({ id, email, emailVerified: true }, { store })
  return isFree && !isOther && !(await isAddressTaken(owner, { store }))
}

const isUnwanted = async (
  id: Owner['id'],
  { withDeleted }: Batch,
  store: StoreParts['store'],
): Promise<boolean> =>
  !withDeleted &&
  (await store.isDeletedOwner(id)) &&
  (await store.findOwner(id, 'disabled')) === null

/** Turns the refusal of a line into its outcome. */
const catchRefusal = async <Result>(
  { line }: ImportEntry,
  work: () => Promise<Result>,
): Promise<Result | ImportOutcome> => {
  try {
    return await work()
  } catch (fault) {
    if (fault instanceof Refusal) return refuse(line, fault.description)
    throw fault
  }
}

const unknownGroup = (): Refusal => {
  const said = 'groups names a group that there is not: create it first'
  return new Refusal('invalid_request', 'unknown_group', said, { status: 422 })
}

/** What `importOwner` would refuse, without writing. @throws Refusal */
const checkGroups = async ({ groups }: BroughtAlong, { store }: StoreParts): Promise<void> => {
  for (const name of groups) {
    // By its name alone: a search finds ids, too.
    if ((await store.findGroup(name))?.name !== name) throw unknownGroup()
  }
}

/** @throws Refusal for a group that there is not */
const add = async (
  owner: Owner,
  brought: BroughtAlong,
  parts: StoreParts,
): Promise<'created' | 'taken'> => {
  const { store, trace } = parts
  const isBare = brought.groups.length === 0 && brought.codes === null
  const secret = owner.passwordHash === '' ? undefined : 'given'
  if (isBare) return store.createOwner(owner, trace(), secret)
  const outcome = await store.importOwner(owner, brought, trace())
  if (outcome !== 'unknown_group') return outcome
  // Groups are for new people alone, as in a dry run.
  if (!(await isAddable(owner, parts))) return 'taken'
  throw unknownGroup()
}

const importOne = async (
  entry: ImportEntry,
  owner: Owner,
  batch: Batch,
  parts: StoreParts,
): Promise<ImportOutcome> => {
  if (await isUnwanted(owner.id, batch, parts.store)) {
    const wasDeleted = 'the owner with this sub was deleted here (--with-deleted takes it)'
    return refuse(entry.line, wasDeleted)
  }
  const brought = readBrought(entry.members, owner.id, batch.vault)
  const tryToAdd = async (): Promise<boolean> => {
    if (!batch.dryRun) return (await add(owner, brought, parts)) === 'created'
    const isNew = await isAddable(owner, parts)
    if (isNew) await checkGroups(brought, parts)
    return isNew
  }
  const isCreated = await tryToAdd()
  return isCreated ? { line: entry.line, is: 'created' } : await meet(entry, owner, batch, parts)
}

/** Takes one batch of a file. Answers with an outcome for each line, in JSON. */
export const importBatch = async (flags: Flags, parts: StoreParts): Promise<string> => {
  if (flags.dryRun !== true) await seedFirst(parts)
  const entries = (flags.entries as readonly ImportEntry[]).map(dropNull)
  const hasSecret = entries.some(({ members }) => members.one_time_code_secret !== undefined)
  const vault = hasSecret ? (await parts.openRoot()).vault : null
  const batch = {
    entries,
    vault,
    dryRun: flags.dryRun === true,
    update: flags.update === true,
    withDeleted: flags.withDeleted === true,
  }
  const kinds = new Set(await parts.store.listPasswordKinds())
  const outcomes: ImportOutcome[] = []
  for (let from = 0; from < entries.length; from += atOnce) {
    const read: (() => Promise<ImportOutcome>)[] = []
    for (const one of entries.slice(from, from + atOnce)) {
      // Kinds of hashes are added one after the other, so each is measured beside those before it.
      const owner = await catchRefusal(one, async () => {
        const imported = importOwner(one.members, parts)
        await addHashKind(imported, kinds, parts)
        return imported
      })
      read.push(async () =>
        'is' in owner ? owner : catchRefusal(one, () => importOne(one, owner, batch, parts)),
      )
    }
    outcomes.push(...(await Promise.all(read.map((begin) => begin()))))
  }
  return JSON.stringify(outcomes)
}

/** An upstream puts its people into groups again, and takes them out. So only groups by operators come along. */
const listGivenGroups = async ({ id }: Owner, { store }: StoreParts): Promise<readonly string[]> =>
  (await store.listGroupsOf(id)).filter(({ byOperator }) => byOperator).map(({ name }) => name)

const describe = async (owner: Owner, withHash: boolean, parts: StoreParts) => ({
  sub: owner.id,
  username: owner.username,
  name: owner.name,
  email: owner.email,
  email_verified: owner.emailVerified,
  claims: owner.claims,
  attributes: owner.attributes,
  roles: owner.roles,
  groups: await listGivenGroups(owner, parts),
  disabled: owner.disabled,
  created_at: owner.createdAt,
  ...(withHash && owner.passwordHash !== '' ? { password_hash: owner.passwordHash } : {}),
})

export interface ExportPage {
  /** Each in JSON. */
  readonly lines: readonly string[]
  readonly next: string | null
}

/** Passkeys, one-time codes and recovery codes are not among it, whatever is asked. */
export const exportPage = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const after = typeof flags.after === 'string' ? flags.after : null
  const { rows, next } = await parts.store.listOwners(after, parameterLimits.pageRows)
  const withHash = flags.withPasswordHashes === true
  const described = await Promise.all(rows.map((owner) => describe(owner, withHash, parts)))
  const lines = described.map((members) => JSON.stringify(members))
  return JSON.stringify({ lines, next } satisfies ExportPage)
}
