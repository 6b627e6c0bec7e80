/** `latchkey key ...`: the keys of the service, and the root secret that wraps them. */

import { isPlain, keysFor, unwrapKey } from '../crypto/wrap.ts'
import { keyCells, keyHead, parseUse } from '../operations/keys.ts'
import { asJson, paragraphs, renderRows } from '../operations/surface/said.ts'
import { pairwiseLost } from '../owners/pairwise-secret.ts'
import type { StoredKey } from '../store/contract/key.ts'
import { describeKey } from '../tokens/keys/operate.ts'
import { type GivenSecrets, rewrap } from '../tokens/keys/root-secret.ts'
import { countOf } from './progress.ts'
import type { Flags, StoreParts } from './store.ts'

/** The keys of a store on which a service has run. */
export const listStored = async ({ store }: StoreParts): Promise<readonly StoredKey[]> => {
  const keys = await store.listKeys()
  if (keys.length > 0) return keys
  throw new Error('no service has run on this store yet: start it first')
}

/** Unix seconds; the services go on from the latest time that any of them noted (decision 0011). */
export const timeOf = async ({ clock, store }: StoreParts): Promise<number> =>
  Math.max(Math.floor(clock() / 1000), (await store.latestTime()) ?? 0)

const wrappedUnder = (
  { use, wrapped }: StoredKey,
  { secret, previous }: GivenSecrets,
): 'root secret' | 'previous root secret' | 'nothing' | 'another secret' => {
  if (isPlain(wrapped)) return 'nothing'
  const opens = (one: string | null): boolean =>
    one !== null && unwrapKey(wrapped, one, keysFor(use)) !== null
  if (opens(secret)) return 'root secret'
  return opens(previous) ? 'previous root secret' : 'another secret'
}

export const listKeys = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const named = parseUse(flags)
  const stored = await listStored(parts)
  const { given } = await parts.openRoot()
  const at = await timeOf(parts)
  const keys = stored
    .filter(({ use }) => named.includes(use))
    .map((key) => ({
      ...describeKey(key, stored, at),
      wrapped_under: wrappedUnder(key, given),
    }))
  const cells = keys.map((key) => [...keyCells({ ...key }), key.wrapped_under])
  return flags.json === true ? asJson(keys) : renderRows([[...keyHead, 'wrapped under'], ...cells])
}

export const rewrapKeys = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const root = await parts.openRoot()
  const { keys, codes, pairwise } = await rewrap(parts, root.given, parts.trace())
  // The service that does this itself need not wait until it looks again.
  await root.learn()
  const isDone = keys === 0 && codes.moved === 0 && pairwise !== 'moved'
  const json = { keys, codes: codes.moved, lost: codes.lost, pairwise, done: isDone }
  const secrets = (number: number): string =>
    countOf(number, 'secret of one-time codes', 'secrets of one-time codes')
  const nothing =
    root.given.previous === null
      ? 'Nothing to do: everything is wrapped under the root secret, and no LATCHKEY_PREVIOUS_SECRET was given.'
      : 'Everything is wrapped under the root secret. LATCHKEY_PREVIOUS_SECRET is not needed any more.'
  const text = paragraphs(
    isDone
      ? nothing
      : `Wrapped anew under the root secret: ${countOf(keys, 'key', 'keys')}, ${secrets(codes.moved)}. Run this again in ten seconds: until every node has noticed, it may wrap something under the previous one.`,
    codes.lost === 0
      ? null
      : `BEWARE: ${secrets(codes.lost)} cannot be opened with either secret. latchkey owner reset-factors lets their owners in.`,
    pairwise === 'lost' ? `BEWARE: ${pairwiseLost}.` : null,
  )
  return flags.json === true ? asJson(json) : text
}
