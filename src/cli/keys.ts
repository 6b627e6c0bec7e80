/** `latchkey key ...`: the sealing keys, and the root secret that wraps them. */
import { limits } from '../config/limits.ts'
import { isPlain, sealingKeys, unwrapKey } from '../crypto/wrap.ts'
import type { StoredKey } from '../store/store.ts'
import { newestUsable, newKey } from '../tokens/keys.ts'
import { rewrap } from '../tokens/rewrap.ts'
import type { GivenSecrets } from '../tokens/root-secret.ts'
import { countOf, paragraphs, renderTime } from './counts.ts'
import type { Flags, StoreParts } from './store.ts'

/** The keys of a store on which a service has run. */
const listStored = async ({ store }: StoreParts): Promise<readonly StoredKey[]> => {
  const keys = await store.listKeys()
  if (keys.length > 0) return keys
  throw new Error('no service has run on this store yet: start it first')
}

/** Unix seconds; the services go on from the latest time that any of them noted (decision 0011). */
const timeOf = async ({ clock, store }: StoreParts): Promise<number> =>
  Math.max(Math.floor(clock() / 1000), (await store.latestTime()) ?? 0)

interface ListedKey {
  readonly id: string
  readonly created_at: number
  readonly usable_from: number
  /** `next`: known, and not used yet. `old`: opens what it has sealed. */
  readonly state: 'next' | 'sealing' | 'old'
  readonly wrapped_under: 'root secret' | 'previous root secret' | 'nothing' | 'another secret'
}

const wrappedUnder = (
  { wrapped }: StoredKey,
  { secret, previous }: GivenSecrets,
): ListedKey['wrapped_under'] => {
  if (isPlain(wrapped)) return 'nothing'
  const opens = (one: string | null): boolean =>
    one !== null && unwrapKey(wrapped, one, sealingKeys) !== null
  if (opens(secret)) return 'root secret'
  return opens(previous) ? 'previous root secret' : 'another secret'
}

const stateOf = (
  { id, usableFrom }: StoredKey,
  sealing: string,
  at: number,
): ListedKey['state'] => {
  if (id === sealing) return 'sealing'
  return usableFrom > at ? 'next' : 'old'
}

/** What names a column, with its values below. */
const renderRows = (rows: readonly (readonly string[])[]): string => {
  const width = (i: number): number => Math.max(...rows.map((row) => row[i]?.length ?? 0))
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(width(i)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export const listKeys = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const stored = await listStored(parts)
  const { given } = await parts.openRoot()
  const at = await timeOf(parts)
  const sealing = newestUsable(stored, at).id
  const keys = stored.map(
    (key): ListedKey => ({
      id: key.id,
      created_at: key.createdAt,
      usable_from: key.usableFrom,
      state: stateOf(key, sealing, at),
      wrapped_under: wrappedUnder(key, given),
    }),
  )
  if (flags.json === true) return JSON.stringify(keys, null, 2)
  return renderRows([
    ['key', 'created', 'usable from', 'state', 'wrapped under'],
    ...keys.map((key) => [
      key.id,
      renderTime(key.created_at),
      renderTime(key.usable_from),
      key.state,
      key.wrapped_under,
    ]),
  ])
}

const checkUse = ({ use }: Flags): void => {
  if (use === undefined || use === 'sealing' || use === 'both') return
  throw new Error(
    use === 'signing'
      ? 'this service has no signing keys: --use sealing, or both'
      : '--use must be sealing, signing or both',
  )
}

export const rotateKeys = async (flags: Flags, parts: StoreParts): Promise<string> => {
  checkUse(flags)
  await listStored(parts)
  const { vault } = await parts.openRoot()
  const at = await timeOf(parts)
  const isEnd = flags.endTokens === true
  const wait = flags.now === true || isEnd ? limits.keyHurrySeconds : limits.keyPublishSeconds
  const key = newKey(isEnd ? at : at + wait, at, vault, parts)
  if (isEnd) await parts.store.replaceKeys(key, parts.trace())
  // Asked for by the operator, so whatever was added before, this one is, too.
  else await parts.store.addKey(key, Number.MAX_SAFE_INTEGER, parts.trace())
  const added = { id: key.id, usable_from: key.usableFrom }
  if (flags.json === true) return JSON.stringify({ ...added, tokens_ended: isEnd }, null, 2)
  return isEnd
    ? `Key ${key.id} has taken the place of all others. Within ten seconds every token, code and open login page from before has ended on every node. Approvals of owners stay, and so do their login sessions.`
    : `Key ${key.id} seals from ${renderTime(key.usableFrom)} on, on every node. Tokens under older keys stay valid; --end-tokens would end them.`
}

export const rewrapKeys = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const root = await parts.openRoot()
  const { keys, codes } = await rewrap(parts, root.given, parts.trace())
  // The service that does this itself need not wait until it looks again.
  await root.learn()
  const isDone = keys === 0 && codes.moved === 0
  if (flags.json === true) {
    return JSON.stringify({ keys, codes: codes.moved, lost: codes.lost, done: isDone }, null, 2)
  }
  const secrets = (number: number): string =>
    countOf(number, 'secret of one-time codes', 'secrets of one-time codes')
  const nothing =
    root.given.previous === null
      ? 'Nothing to do: everything is wrapped under the root secret, and no LATCHKEY_PREVIOUS_SECRET was given.'
      : 'Everything is wrapped under the root secret. LATCHKEY_PREVIOUS_SECRET is not needed any more.'
  return paragraphs(
    isDone
      ? nothing
      : `Wrapped anew under the root secret: ${countOf(keys, 'sealing key', 'sealing keys')}, ${secrets(codes.moved)}. Run this again in ten seconds: until every node has noticed, it may wrap something under the previous one.`,
    codes.lost === 0
      ? null
      : `BEWARE: ${secrets(codes.lost)} cannot be opened with either secret. latchkey owner reset-factors lets their owners in.`,
  )
}
