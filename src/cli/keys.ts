/** `latchkey key ...`: the keys of the service, and the root secret that wraps them. */
import { limits } from '../config/limits.ts'
import { isPlain, keysFor, unwrapKey } from '../crypto/wrap.ts'
import type { KeyAlgorithm, KeyUse } from '../model/key.ts'
import { pairwiseLost } from '../owners/pairwise-secret.ts'
import type { StoredKey } from '../store/store.ts'
import { isOfKind, type KeyMaker, keyMakers, newestUsable, newKey } from '../tokens/key-kinds.ts'
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

const uses: readonly KeyUse[] = ['sealing', 'signing']

/** The uses that `--use` names. */
const usesOf = ({ use = 'both' }: Flags): readonly KeyUse[] => {
  const named = uses.filter((one) => use === one || use === 'both')
  if (named.length > 0) return named
  throw new Error('--use must be sealing, signing or both')
}

interface ListedKey {
  readonly id: string
  readonly use: KeyUse
  readonly algorithm: KeyAlgorithm
  readonly created_at: number
  readonly usable_from: number
  /** `next`: known, and not used yet. `old`: checks what it has sealed or signed. */
  readonly state: 'next' | KeyUse | 'old'
  readonly wrapped_under: 'root secret' | 'previous root secret' | 'nothing' | 'another secret'
}

const wrappedUnder = (
  { use, wrapped }: StoredKey,
  { secret, previous }: GivenSecrets,
): ListedKey['wrapped_under'] => {
  if (isPlain(wrapped)) return 'nothing'
  const opens = (one: string | null): boolean =>
    one !== null && unwrapKey(wrapped, one, keysFor(use)) !== null
  if (opens(secret)) return 'root secret'
  return opens(previous) ? 'previous root secret' : 'another secret'
}

const stateOf = (key: StoredKey, stored: readonly StoredKey[], at: number): ListedKey['state'] => {
  const alike = stored.filter((one) => isOfKind(one, key))
  if (key.id === newestUsable(alike, at).id) return key.use
  return key.usableFrom > at ? 'next' : 'old'
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
  const named = usesOf(flags)
  const stored = await listStored(parts)
  const { given } = await parts.openRoot()
  const at = await timeOf(parts)
  const keys = stored
    .filter(({ use }) => named.includes(use))
    .map(
      (key): ListedKey => ({
        id: key.id,
        use: key.use,
        algorithm: key.algorithm,
        created_at: key.createdAt,
        usable_from: key.usableFrom,
        state: stateOf(key, stored, at),
        wrapped_under: wrappedUnder(key, given),
      }),
    )
  if (flags.json === true) return JSON.stringify(keys, null, 2)
  return renderRows([
    ['key', 'use', 'algorithm', 'created', 'usable from', 'state', 'wrapped under'],
    ...keys.map((key) => [
      key.id,
      key.use,
      key.algorithm,
      renderTime(key.created_at),
      renderTime(key.usable_from),
      key.state,
      key.wrapped_under,
    ]),
  ])
}

/** What `key rotate --end-tokens` ends, by the use of the key. */
const ended: Readonly<Record<KeyUse, string>> = {
  sealing:
    'has taken the place of all other sealing keys. Within ten seconds every token, code and open login page from before has ended on every node. Approvals of owners stay, and so do their login sessions.',
  signing:
    'has taken the place of all other signing keys of its algorithm. Others refuse older signatures as soon as they read the keys again.',
}

const sayRotated = ({ id, use, usableFrom }: StoredKey, isEnd: boolean): string =>
  isEnd
    ? `Key ${id} ${ended[use]}`
    : `Key ${id} ${use === 'sealing' ? 'seals' : 'signs'} from ${renderTime(usableFrom)} on, on every node. Tokens under older keys stay valid; --end-tokens would end them.`

export const rotateKeys = async (
  flags: Flags,
  parts: StoreParts,
  makers: readonly KeyMaker[] = keyMakers,
): Promise<string> => {
  const named = usesOf(flags)
  const stored = await listStored(parts)
  // The first key of a signing algorithm is made when something is signed, or when it is asked for here.
  const isKept = (maker: KeyMaker): boolean => stored.some((key) => isOfKind(key, maker))
  const rotating = makers.filter(
    (maker) => named.includes(maker.use) && (isKept(maker) || flags.use === maker.use),
  )
  const { vault } = await parts.openRoot()
  const at = await timeOf(parts)
  const isEnd = flags.endTokens === true
  const wait = flags.now === true || isEnd ? limits.keyHurrySeconds : limits.keyPublishSeconds
  const added: StoredKey[] = []
  for (const kind of rotating) {
    const key = await newKey(kind, isEnd ? at : at + wait, at, vault, parts)
    if (isEnd) await parts.store.replaceKeys(key, parts.trace())
    // Asked for by the operator, so whatever was added before, this one is, too.
    else await parts.store.addKey(key, Number.MAX_SAFE_INTEGER, parts.trace())
    added.push(key)
  }
  if (flags.json !== true) return paragraphs(...added.map((key) => sayRotated(key, isEnd)))
  const keys = added.map(({ id, use, algorithm, usableFrom }) => ({
    id,
    use,
    algorithm,
    usable_from: usableFrom,
  }))
  return JSON.stringify({ keys, tokens_ended: isEnd }, null, 2)
}

/**
 * Takes a signing key away at once, as after a theft. Where it signs now, a new one takes its place.
 *
 * @throws Error for another key
 */
export const withdrawKey = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const id = String(flags.id)
  const stored = await listStored(parts)
  const key = stored.find((one) => one.id === id)
  if (key === undefined) {
    throw new Error(`there is no key "${id}": latchkey key list names all of them`)
  }
  const maker = keyMakers.find((one) => isOfKind(key, one))
  if (key.use === 'sealing' || maker === undefined) {
    throw new Error(
      'only signing keys can be withdrawn: latchkey key rotate --use sealing --end-tokens replaces sealing keys',
    )
  }
  const { vault } = await parts.openRoot()
  const at = await timeOf(parts)
  const signs = stateOf(key, stored, at) === key.use
  const next = signs ? await newKey(maker, at, at, vault, parts) : null
  if (next !== null) await parts.store.addKey(next, Number.MAX_SAFE_INTEGER, parts.trace())
  await parts.store.removeKeys([id], parts.trace())
  const answer = { withdrawn: id, successor: next?.id ?? null }
  if (flags.json === true) return JSON.stringify(answer, null, 2)
  return paragraphs(
    `Key ${id} is withdrawn. Within ten seconds no node signs with it, and /jwks does not name it.`,
    next === null ? null : `Key ${next.id} signs in its place.`,
    'Others refuse its signatures as soon as they read /jwks again, at the latest after five minutes.',
  )
}

export const rewrapKeys = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const root = await parts.openRoot()
  const { keys, codes, pairwise } = await rewrap(parts, root.given, parts.trace())
  // The service that does this itself need not wait until it looks again.
  await root.learn()
  const isDone = keys === 0 && codes.moved === 0 && pairwise !== 'moved'
  if (flags.json === true) {
    const moved = { keys, codes: codes.moved, lost: codes.lost, pairwise }
    return JSON.stringify({ ...moved, done: isDone }, null, 2)
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
      : `Wrapped anew under the root secret: ${countOf(keys, 'key', 'keys')}, ${secrets(codes.moved)}. Run this again in ten seconds: until every node has noticed, it may wrap something under the previous one.`,
    codes.lost === 0
      ? null
      : `BEWARE: ${secrets(codes.lost)} cannot be opened with either secret. latchkey owner reset-factors lets their owners in.`,
    pairwise === 'lost' ? `BEWARE: ${pairwiseLost}.` : null,
  )
}
