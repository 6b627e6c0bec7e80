/** `latchkey key ...`: the keys of the service, and the root secret that wraps them. */

import { UsageFault } from '../config/remote.ts'
import { getKeyPurpose, isPlain, unwrapKey } from '../crypto/wrap.ts'
import { sealFact } from '../events/seals/key.ts'
import type { KeyUse } from '../model/key.ts'
import { formatKeyCells, keyHead, sayRotated, sayWithdrawn } from '../operations/keys.ts'
import { type CommandOutput, joinTexts, renderRows, sayJson } from '../operations/surface/said.ts'
import { pairwiseFact } from '../owners/pairwise-secret.ts'
import type { StoredKey } from '../store/contract/key.ts'
import { type KeyMaker, keyMakers } from '../tokens/keys/kinds.ts'
import {
  describeKey,
  describeRotated,
  listUses,
  rotateStoredKeys,
  withdrawSigningKey,
} from '../tokens/keys/operate.ts'
import { type GivenSecrets, rewrap } from '../tokens/keys/root-secret.ts'
import { ApiFault } from './api.ts'
import { countOf } from './progress.ts'
import type { Flags, StoreParts } from './store.ts'

const renderOutput = ({ json, text }: CommandOutput, flags: Flags): string =>
  flags.json === true ? sayJson(json) : text

export const unknownKey = (id: string): ApiFault =>
  new ApiFault(`there is no key "${id}": latchkey key list names all of them`, null, 'not_found')

export const sealingKey = (): ApiFault =>
  new ApiFault(
    'only signing keys can be withdrawn: latchkey key rotate --use sealing --end-tokens replaces sealing keys',
    null,
    'conflict',
  )

/** The keys of a store on which a service has run. */
export const listStored = async ({ store }: StoreParts): Promise<readonly StoredKey[]> => {
  const keys = await store.listKeys()
  if (keys.length > 0) return keys
  throw new Error('no service has run on this store yet: start it first')
}

/** Unix seconds; the services go on from the latest time that any of them noted (decision 0011). */
export const timeOf = async ({ clock, store }: StoreParts): Promise<number> =>
  Math.max(Math.floor(clock() / 1000), (await store.latestTime()) ?? 0)

/** The uses that `--use` names. */
export const useOf = ({ use = 'both' }: Flags): KeyUse | 'both' => {
  if (use === 'sealing' || use === 'signing' || use === 'both') return use
  throw new UsageFault('--use has to be sealing, signing or both')
}

const findWrapping = (
  { use, wrapped }: StoredKey,
  { secret, previous }: GivenSecrets,
): 'root secret' | 'previous root secret' | 'nothing' | 'another secret' => {
  if (isPlain(wrapped)) return 'nothing'
  const opens = (one: string | null): boolean =>
    one !== null && unwrapKey(wrapped, one, getKeyPurpose(use)) !== null
  if (opens(secret)) return 'root secret'
  return opens(previous) ? 'previous root secret' : 'another secret'
}

export const listKeys = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const named = listUses(useOf(flags))
  const stored = await listStored(parts)
  const { given } = await parts.openRoot()
  const at = await timeOf(parts)
  const keys = stored
    .filter(({ use }) => named.includes(use))
    .map((key) => ({
      ...describeKey(key, stored, at),
      wrapped_under: findWrapping(key, given),
    }))
  const cells = keys.map((key) => [...formatKeyCells({ ...key }), key.wrapped_under])
  const text = renderRows([[...keyHead, 'wrapped under'], ...cells])
  return renderOutput({ json: keys, text }, flags)
}

export const rotateKeys = async (
  flags: Flags,
  parts: StoreParts,
  makers: readonly KeyMaker[] = keyMakers,
): Promise<string> => {
  const use = useOf(flags)
  await listStored(parts)
  const { vault } = await parts.openRoot()
  const isEnd = flags.endTokens === true
  // The first key of a signing algorithm is made when something is signed, or when it is asked for here.
  const makesFirst = use !== 'both'
  const rotation = { uses: listUses(use), isNow: flags.now === true, isEnd, makesFirst }
  const at = await timeOf(parts)
  const added = await rotateStoredKeys(rotation, at, parts.trace, { ...parts, vault }, makers)
  return renderOutput(sayRotated(describeRotated(added, isEnd)), flags)
}

/**
 * Takes a signing key away at once, as after a theft. Where it signs now, a new one takes its place.
 *
 * @throws Error for another key
 */
export const withdrawKey = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const id = String(flags.id)
  const stored = await listStored(parts)
  const { vault } = await parts.openRoot()
  const at = await timeOf(parts)
  const withdrawal = await withdrawSigningKey(id, stored, at, parts.trace, { ...parts, vault })
  if (withdrawal.is === 'unknown') throw unknownKey(id)
  if (withdrawal.is === 'sealing') throw sealingKey()
  return renderOutput(sayWithdrawn({ withdrawn: id, successor: withdrawal.successor }), flags)
}

export const rewrapKeys = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const root = await parts.openRoot()
  const rewrapped = await rewrap(parts, root.given, parts.trace())
  const { keys, codes, clients, streams, pairwise, seals } = rewrapped
  // The service that does this itself need not wait until it looks again.
  await root.learn()
  const isDone =
    keys === 0 &&
    codes.moved + clients.moved + streams.moved === 0 &&
    ![pairwise, seals].includes('moved')
  const told = {
    ...{ clients: clients.moved, lost_clients: clients.lost },
    ...{ streams: streams.moved, lost_streams: streams.lost },
  }
  const json = {
    keys,
    codes: codes.moved,
    lost: codes.lost,
    ...told,
    pairwise,
    seals,
    done: isDone,
  }
  const secrets = (number: number): string =>
    countOf(number, 'secret of one-time codes', 'secrets of one-time codes')
  const ofClients = (number: number): string =>
    countOf(number, 'secret of a client', 'secrets of clients')
  const ofStreams = (number: number): string =>
    countOf(number, 'header of a stream', 'headers of streams')
  const nothing =
    root.given.previous === null
      ? 'Nothing to do: everything is wrapped under the root secret, and no LATCHKEY_PREVIOUS_SECRET was given.'
      : 'Everything is wrapped under the root secret. LATCHKEY_PREVIOUS_SECRET is not needed any more.'
  const text = joinTexts(
    isDone
      ? nothing
      : `Wrapped anew under the root secret: ${countOf(keys, 'key', 'keys')}, ${secrets(codes.moved)}, ${ofClients(clients.moved)}, ${ofStreams(streams.moved)}. Run this again in ten seconds: until every node has noticed, it may wrap something under the previous one.`,
    codes.lost === 0
      ? null
      : `BEWARE: ${secrets(codes.lost)} cannot be opened with either secret. latchkey owner reset-factors lets their owners in.`,
    clients.lost === 0
      ? null
      : `BEWARE: ${ofClients(clients.lost)} cannot be opened with either secret. latchkey client rotate-secret makes new ones.`,
    streams.lost === 0
      ? null
      : `BEWARE: ${ofStreams(streams.lost)} cannot be opened with either secret. Let the APIs send them again.`,
    pairwise === 'lost' ? `BEWARE: ${pairwiseFact.lost}.` : null,
    seals === 'lost' ? `BEWARE: ${sealFact.lost}.` : null,
  )
  return renderOutput({ json, text }, flags)
}
