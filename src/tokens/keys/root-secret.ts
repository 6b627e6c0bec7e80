/**
 * The root secret: what sealing keys and the secrets of one-time codes and clients are wrapped under. The store
 * keeps a value that only the secret in force opens, so a wrong one is noticed at the start.
 */

import { isLoopbackHttp } from '../../config/issuer.ts'
import { SettingsFault } from '../../config/load.ts'
import { readRootSecret } from '../../config/root-secret.ts'
import type { Settings } from '../../config/settings.ts'
import {
  canUnwrap,
  createVault,
  getKeyPurpose,
  isPlain,
  type RootSecrets,
  unwrapKey,
  type Vault,
  wrapCheck,
  wrapKey,
} from '../../crypto/wrap.ts'
import { keepSealKey } from '../../events/seals/begin.ts'
import { sealFact } from '../../events/seals/key.ts'
import { featureSecrets } from '../../features/wrapped.ts'
import type { Given, Random } from '../../model/ids.ts'
import type { Tell } from '../../model/notice.ts'
import { pairwiseFact } from '../../owners/pairwise-secret.ts'
import type { StoredKey } from '../../store/contract/key.ts'
import type { Trace } from '../../store/contract/trace.ts'
import type { Store } from '../../store/store.ts'
import { makeServiceTrace } from '../../store/trace.ts'
import { type RewrappedFact, rewrapFact } from '../../store/wrapped-fact.ts'
import {
  clientSecrets,
  type Moved,
  oneTimeCodes,
  type WrappedRows,
  wrapRows,
} from './wrapped-rows.ts'

export interface GivenSecrets {
  readonly secret: string | null
  /** The one before, for as long as the store is still wrapped under it. */
  readonly previous: string | null
}

/** The root secret is not the one of this store: going on would mean that tokens silently end. */
export class WrongRootSecret extends Error {
  constructor(isGiven = true) {
    super(
      isGiven
        ? 'the root secret does not open the sealing keys in this store. Use the secret of its first start (LATCHKEY_SECRET, or the .key file beside the database). To change it, name the old one in LATCHKEY_PREVIOUS_SECRET'
        : 'no root secret was given, and the sealing keys in this store are wrapped under one: set LATCHKEY_SECRET to the one of the service',
    )
  }
}

export interface RootSecret extends RootSecrets {
  readonly given: GivenSecrets
  readonly vault: Vault
  /** Reads from the store which of the given secrets is in force. @throws WrongRootSecret */
  learn(): Promise<void>
}

/**
 * The secrets of the settings, or of the file beside an embedded database.
 *
 * @param database its path; null where the store is elsewhere
 * @param isNew whether the store has no keys yet: then the file is made where there is none
 */
export const readSecrets = async (
  { secret, previousSecret }: Pick<Settings, 'secret' | 'previousSecret'>,
  database: string | null,
  isNew: boolean,
  random: Random,
): Promise<GivenSecrets> => {
  const isBeside = secret === null && database !== null
  return {
    secret: isBeside ? await readRootSecret(database, isNew, random) : secret,
    previous: previousSecret,
  }
}

const listKnown = ({ secret, previous }: GivenSecrets): readonly string[] =>
  secret === null ? [] : [secret, previous].filter((one) => one !== null)

/** @throws WrongRootSecret */
export const openRootSecret = async (
  { store, random }: { readonly store: Store; readonly random: Random },
  given: GivenSecrets,
): Promise<RootSecret> => {
  const known = listKnown(given)
  let current = given.secret
  const secrets: RootSecrets = { known, inForce: () => current }
  const learn = async (): Promise<void> => {
    const check = await store.findFact('root secret')
    if (check === null) return
    const found = known.find((secret) => canUnwrap(check, secret))
    if (found === undefined) throw new WrongRootSecret(known.length > 0)
    current = found
  }
  await learn()
  return { ...secrets, given, vault: createVault(secrets, random), learn }
}

type RootSecretParts = Given & { readonly store: Store }

/** Notes the secret that the store is wrapped under from now on. Of two that begin at once, one does. */
const note = async ({ store, random }: RootSecretParts, given: GivenSecrets): Promise<void> => {
  if ((await store.findFact('root secret')) !== null) return
  const wrapped = (await store.listKeys()).filter((key) => !isPlain(key.wrapped))
  const opensAll = (secret: string): boolean =>
    wrapped.every((key) => unwrapKey(key.wrapped, secret, getKeyPurpose(key.use)) !== null)
  const secret = listKnown(given).find(opensAll)
  if (secret === undefined) throw new WrongRootSecret()
  await store.setFact('root secret', null, wrapCheck(secret, random(12)))
}

const inClear =
  'the sealing keys and the secrets of one-time codes are in the database in clear. A reader of it can forge both, and so can one of the secrets with which clients sign. Set LATCHKEY_SECRET, the same on every node'
const keysReplaced =
  'the keys that seal tokens lay in the database in clear: they are replaced, and all tokens from before have ended'
const previousInForce =
  'the store is still wrapped under LATCHKEY_PREVIOUS_SECRET: run latchkey key rewrap once every node has both secrets'

/** Anybody may have read a clear key, and could forge with it. */
const removePlainKeys = async (parts: RootSecretParts, tell: Tell): Promise<void> => {
  const plain = (await parts.store.listKeys()).filter(({ wrapped }) => isPlain(wrapped))
  if (plain.length === 0) return
  const at = Math.floor(parts.clock() / 1000)
  const trace = makeServiceTrace(at, parts)
  const ids = plain.map(({ id }) => id)
  const keys = await parts.store.removeKeys(ids, trace)
  if (keys > 0) tell({ level: 'warn', message: keysReplaced, keys })
}

/** Once for each store: later ones are wrapped from the beginning. */
const wrapPlainRows = async (
  parts: RootSecretParts,
  root: RootSecret,
  secret: string,
  tell: Tell,
): Promise<void> => {
  const once = async <Id extends string>(rows: WrappedRows<Id>): Promise<void> => {
    if ((await parts.store.findFact(rows.fact)) !== null) return
    const { moved, lost } = await wrapRows(rows, parts, secret, root.known)
    await parts.store.setFact(rows.fact, null, 'wrapped')
    if (moved > 0) tell({ level: 'warn', message: rows.wrapped, secrets: moved })
    if (lost > 0) tell({ level: 'warn', message: rows.lost, secrets: lost })
  }
  await once(oneTimeCodes)
  await once(clientSecrets)
  for (const rows of Object.values(featureSecrets)) await once(rows)
}

/**
 * Opens the root secret for a service. The first start with one takes away all keys that lay in
 * the store in clear, and wraps the secrets of one-time codes.
 *
 * @throws WrongRootSecret
 */
export const beginRootSecret = async (
  parts: RootSecretParts,
  given: GivenSecrets,
  tell: Tell,
): Promise<RootSecret> => {
  if (given.secret !== null) await note(parts, given)
  const root = await openRootSecret(parts, given)
  const secret = root.inForce()
  if (secret === null) {
    tell({ level: 'warn', message: inClear })
    await keepSealKey(parts, root, tell)
    return root
  }
  await removePlainKeys(parts, tell)
  await wrapPlainRows(parts, root, secret, tell)
  const subjects = await rewrapFact(pairwiseFact, parts, secret, root.known)
  if (subjects === 'lost') tell({ level: 'warn', message: pairwiseFact.lost })
  await rewrapFact(sealFact, parts, secret, root.known)
  await keepSealKey(parts, root, tell)
  if (secret !== given.secret) tell({ level: 'warn', message: previousInForce })
  return root
}

/**
 * Without a root secret a reader of the database can forge tokens: on loopback only.
 *
 * @param isKeptBeside whether a file beside the database holds it
 * @throws SettingsFault
 */
export const checkSecret = (
  { secret, issuer }: Pick<Settings, 'secret' | 'issuer'>,
  isKeptBeside: boolean,
): void => {
  if (secret !== null || isKeptBeside || isLoopbackHttp(issuer)) return
  throw new SettingsFault([
    'LATCHKEY_SECRET must be set, the same on every node, since the issuer is not loopback http. It wraps the sealing keys in the database. openssl rand -base64 32 makes one',
  ])
}

interface Rewrapped {
  readonly keys: number
  readonly codes: Moved
  /** Secrets of clients that sign with them. */
  readonly clients: Moved
  /** What streams of signals send along. */
  readonly streams: Moved
  /** The secret of pairwise subjects. */
  readonly pairwise: RewrappedFact
  /** The key that seals events. */
  readonly seals: RewrappedFact
}

/**
 * Wraps everything under the new secret, and puts that in force. Until every node has noticed, one
 * may still wrap under the previous secret. So the command runs twice.
 *
 * @throws WrongRootSecret
 */
export const rewrap = async (
  parts: { readonly store: Store; readonly random: Random },
  { secret, previous }: GivenSecrets,
  trace: Trace,
): Promise<Rewrapped> => {
  const { store, random } = parts
  const from = await store.findFact('root secret')
  if (secret === null || from === null) {
    throw new Error('no service has run on this store with a root secret yet: start it first')
  }
  const isInForce = canUnwrap(from, secret)
  if (!isInForce && (previous === null || !canUnwrap(from, previous))) throw new WrongRootSecret()
  const wrapAnew = ({
    id,
    use,
    wrapped,
  }: StoredKey): readonly Pick<StoredKey, 'id' | 'wrapped'>[] => {
    if (unwrapKey(wrapped, secret, getKeyPurpose(use)) !== null) return []
    const bytes = previous === null ? null : unwrapKey(wrapped, previous, getKeyPurpose(use))
    if (bytes === null) throw new WrongRootSecret()
    return [{ id, wrapped: wrapKey(bytes, secret, random(12), getKeyPurpose(use)) }]
  }
  const keys = (await store.listKeys()).flatMap(wrapAnew)
  const to = isInForce ? from : wrapCheck(secret, random(12))
  const isNeeded = keys.length > 0 || !isInForce
  if (isNeeded && !(await store.rewrapKeys({ from, to, keys }, trace))) {
    throw new Error(
      'the root secret was changed at the same moment by another command: run this again',
    )
  }
  const known = previous === null ? [] : [previous]
  return {
    keys: keys.length,
    codes: await wrapRows(oneTimeCodes, parts, secret, known),
    clients: await wrapRows(clientSecrets, parts, secret, known),
    streams: await wrapRows(featureSecrets.streams, parts, secret, known),
    pairwise: await rewrapFact(pairwiseFact, parts, secret, known),
    seals: await rewrapFact(sealFact, parts, secret, known),
  }
}
