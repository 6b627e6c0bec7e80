/**
 * The registries list the grants, response types and so on of a service. Endpoints, metadata and
 * registration use the same lists, so nothing is advertised and then refused.
 */
import type { Resources } from './access/resources.ts'
import type { Documents } from './clients/documents.ts'
import type { ClientKeys } from './clients/keys.ts'
import type { Logos } from './clients/logos.ts'
import { clientMethods } from './clients/methods/index.ts'
import type { ClientMethod } from './clients/methods/method.ts'
import type { PlatformKeys } from './clients/platform-keys.ts'
import type { Sectors } from './clients/sector.ts'
import type { RequestObjects } from './clients/sites.ts'
import type { Settings } from './config/settings.ts'
import type { Passwords } from './crypto/password.ts'
import type { Keyring } from './crypto/seal.ts'
import type { ShardKeys } from './crypto/shard-keys.ts'
import type { Vault } from './crypto/wrap.ts'
import type { RefusalCounter } from './events/refusal-counter.ts'
import type { RefusalKeeper } from './events/refusal-keeper.ts'
import type { UsedUp } from './events/used-up.ts'
import type { Uses } from './events/uses.ts'
import type { Grant } from './grants/grant.ts'
import { grants } from './grants/index.ts'
import type { Clock, Random } from './model/ids.ts'
import type { Language } from './model/language.ts'
import type { Meter } from './model/metric.ts'
import type { Tell } from './model/notice.ts'
import type { Subjects } from './owners/pairwise-secret.ts'
import type { Tries } from './owners/tries.ts'
import { type PromptValue, prompts } from './requests/prompts.ts'
import { responseTypes } from './responses/index.ts'
import type { ResponseType } from './responses/response.ts'
import type { Store } from './store/store.ts'
import type { TokenFormat } from './tokens/formats/format.ts'
import { tokenFormats } from './tokens/formats/index.ts'
import type { Signer } from './tokens/keys/signing.ts'
import type { LogoutNotices } from './tokens/logout-notices.ts'
import { responseMembers, type TokenResponseMember } from './tokens/members.ts'
import { proofs } from './tokens/proofs/index.ts'
import type { ProofOfPossession } from './tokens/proofs/proof.ts'
import type { RevocationFeed } from './tokens/revocation-feed.ts'
import type { Tokens } from './tokens/tokens.ts'
import type { Faces } from './upstreams/faces.ts'
import type { Upstreams } from './upstreams/index.ts'

export interface Registries {
  readonly clientMethods: readonly ClientMethod[]
  readonly grants: readonly Grant[]
  readonly responseTypes: readonly ResponseType[]
  readonly prompts: readonly PromptValue[]
  readonly proofs: readonly ProofOfPossession[]
  readonly tokenFormats: readonly TokenFormat[]
  readonly responseMembers: readonly TokenResponseMember[]
}

export interface ServiceParts {
  readonly settings: Settings
  /** The languages of the pages; English is the first. */
  readonly languages: readonly Language[]
  readonly store: Store
  readonly shardKeys: ShardKeys
  readonly clock: Clock
  readonly random: Random
  readonly keyring: Keyring
  readonly signer: Signer
  readonly subjects: Subjects
  readonly revocationFeed: RevocationFeed
  readonly tokens: Tokens
  /** For secrets that have to be read again, such as those behind one-time codes. */
  readonly vault: Vault
  readonly passwords: Passwords
  readonly tries: Tries
  readonly uses: Uses
  readonly refusals: RefusalKeeper
  readonly logos: Logos
  readonly documents: Documents
  readonly sectors: Sectors
  readonly clientKeys: ClientKeys
  readonly requestObjects: RequestObjects
  readonly platformKeys: PlatformKeys
  readonly refusedObjects: RefusalCounter
  readonly refusedAnswers: RefusalCounter
  readonly refusedAssertions: RefusalCounter
  readonly usedUp: UsedUp
  readonly logouts: LogoutNotices
  readonly resources: Resources
  readonly meter: Meter
  readonly tell: Tell
  readonly registries: Registries
  readonly upstreams: Upstreams
  readonly faces: Faces
}

/** What the service knows without anything added. */
export const builtIn: Registries = {
  clientMethods,
  grants,
  responseTypes,
  prompts,
  proofs,
  tokenFormats,
  responseMembers,
}

/** Something that was added cannot work; the service does not start. */
export class RegistryFault extends Error {
  override readonly name = 'RegistryFault'
}

/** What a name is written with: RFC 6749 appendix A, and the characters of a URI. */
const word = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** @param wordsOf the words of a name, in an order of their own */
const combine = <Entry>(
  kind: string,
  known: readonly Entry[],
  added: readonly Entry[] | undefined,
  nameOf: (entry: Entry) => string,
  wordsOf: (name: string) => readonly string[] = (name) => [name],
): readonly Entry[] => {
  const entries = [...known, ...(added ?? [])]
  const seen = new Set<string>()
  for (const name of entries.map(nameOf)) {
    const words = wordsOf(name)
    if (!words.every((one) => word.test(one))) {
      throw new RegistryFault(`the ${kind} "${name}" cannot be sent: it is not one word`)
    }
    const key = words.join(' ')
    if (seen.has(key)) throw new RegistryFault(`there are two entries for the ${kind} "${name}"`)
    seen.add(key)
  }
  return entries
}

/** Grants add members by name, so no writer may have the same one. */
const mergeMembers = (added: Partial<Registries>): readonly TokenResponseMember[] => {
  const members = [...responseMembers, ...(added.responseMembers ?? [])]
  const ofGrants = (added.grants ?? []).flatMap((grant) => grant.members ?? [])
  const names = members.map(({ name }) => name)
  combine('member of the token response', names, ofGrants, (name) => name)
  return members
}

/**
 * The built-in registries with what an embedder adds.
 *
 * @param settings without which some are not offered
 * @throws RegistryFault where two entries have one name, or a name cannot be sent
 */
export const mergeRegistries = (added: Partial<Registries>, settings: Settings): Registries => ({
  clientMethods: combine(
    'client authentication method',
    clientMethods.filter(({ isOffered }) => isOffered?.(settings) ?? true),
    added.clientMethods,
    ({ name }) => name,
  ),
  grants: combine('grant type', grants, added.grants, ({ type }) => type),
  responseTypes: combine(
    'response type',
    responseTypes,
    added.responseTypes,
    ({ type }) => type,
    (type) => type.split(' ').toSorted(),
  ),
  prompts: combine('prompt value', prompts, added.prompts, ({ value }) => value),
  proofs: combine('proof of possession', proofs, added.proofs, ({ method }) => method),
  tokenFormats: combine('token format', tokenFormats, added.tokenFormats, ({ name }) => name),
  responseMembers: mergeMembers(added),
})
