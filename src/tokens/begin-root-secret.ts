/** The root secret at the start of a service: what lies in the store in clear is replaced or wrapped. */
import { isLoopbackHttp } from '../config/issuer.ts'
import { SettingsFault } from '../config/load.ts'
import type { Settings } from '../config/settings.ts'
import { isPlain, keysFor, unwrapKey, wrapCheck } from '../crypto/wrap.ts'
import type { Clock, Random } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import { pairwiseLost, wrapPairwiseSecret } from '../owners/pairwise-secret.ts'
import type { Store } from '../store/store.ts'
import { serviceTrace } from '../store/trace.ts'
import {
  type GivenSecrets,
  knownOf,
  openRootSecret,
  type RootSecret,
  WrongRootSecret,
} from './root-secret.ts'
import { wrapOneTimeCodes } from './wrapped-codes.ts'

type RootSecretParts = { readonly store: Store; readonly random: Random; readonly clock: Clock }

/** Notes the secret that the store is wrapped under from now on. Of two that begin at once, one does. */
const note = async ({ store, random }: RootSecretParts, given: GivenSecrets): Promise<void> => {
  if ((await store.findFact('root secret')) !== null) return
  const wrapped = (await store.listKeys()).filter((key) => !isPlain(key.wrapped))
  const opensAll = (secret: string): boolean =>
    wrapped.every((key) => unwrapKey(key.wrapped, secret, keysFor(key.use)) !== null)
  const secret = knownOf(given).find(opensAll)
  if (secret === undefined) throw new WrongRootSecret()
  await store.setFact('root secret', null, wrapCheck(secret, random(12)))
}

const inClear =
  'the sealing keys and the secrets of one-time codes are in the database in clear. A reader of it can forge both. Set LATCHKEY_SECRET, the same on every node'
const keysReplaced =
  'the keys that seal tokens lay in the database in clear: they are replaced, and all tokens from before have ended'
const codesWrapped =
  'secrets of one-time codes lay in the database in clear, and are wrapped now: whoever read it before knows them'
const codesLost =
  "secrets of one-time codes are wrapped under another root secret. Give that as LATCHKEY_PREVIOUS_SECRET and run latchkey key rewrap, or reset their owners' factors"
const previousInForce =
  'the store is still wrapped under LATCHKEY_PREVIOUS_SECRET: run latchkey key rewrap once every node has both secrets'

/** Anybody may have read a clear key, and could forge with it. */
const removePlainKeys = async (parts: RootSecretParts, tell: Tell): Promise<void> => {
  const plain = (await parts.store.listKeys()).filter(({ wrapped }) => isPlain(wrapped))
  if (plain.length === 0) return
  const at = Math.floor(parts.clock() / 1000)
  const trace = serviceTrace(at, parts)
  const ids = plain.map(({ id }) => id)
  const keys = await parts.store.removeKeys(ids, trace)
  if (keys > 0) tell({ level: 'warn', message: keysReplaced, keys })
}

/** Once for each store: later ones are wrapped from the beginning. */
const wrapPlainCodes = async (
  parts: RootSecretParts,
  root: RootSecret,
  secret: string,
  tell: Tell,
) => {
  if ((await parts.store.findFact('one-time codes')) !== null) return
  const { moved, lost } = await wrapOneTimeCodes(parts, secret, root.known)
  await parts.store.setFact('one-time codes', null, 'wrapped')
  if (moved > 0) tell({ level: 'warn', message: codesWrapped, secrets: moved })
  if (lost > 0) tell({ level: 'warn', message: codesLost, secrets: lost })
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
    return root
  }
  await removePlainKeys(parts, tell)
  await wrapPlainCodes(parts, root, secret, tell)
  const subjects = await wrapPairwiseSecret(parts, secret, root.known)
  if (subjects === 'lost') tell({ level: 'warn', message: pairwiseLost })
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
