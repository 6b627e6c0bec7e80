/**
 * The registries list the grants, response types and so on of a service. Endpoints, metadata and
 * registration use the same lists, so nothing is advertised and then refused.
 */
import { clientMethods } from './clients/methods/index.ts'
import type { ClientMethod } from './clients/methods/method.ts'
import type { Grant } from './grants/grant.ts'
import { grants } from './grants/index.ts'
import type { Parts } from './parts.ts'
import { type PromptValue, prompts } from './requests/prompts.ts'
import { type ProofOfPossession, proofs } from './resource/proof.ts'
import { responseTypes } from './responses/index.ts'
import type { ResponseType } from './responses/response.ts'
import type { TokenFormat } from './tokens/formats/format.ts'
import { tokenFormats } from './tokens/formats/index.ts'
import { responseMembers, type TokenResponseMember } from './tokens/members.ts'
import type { Upstreams } from './upstreams/index.ts'

export interface Registries {
  readonly clientMethods: readonly ClientMethod[]
  readonly grants: readonly Grant[]
  readonly responseTypes: readonly ResponseType[]
  /** The values of `prompt`. */
  readonly prompts: readonly PromptValue[]
  readonly proofs: readonly ProofOfPossession[]
  readonly tokenFormats: readonly TokenFormat[]
  /** The members of the token response. */
  readonly responseMembers: readonly TokenResponseMember[]
}

/** The parts and the registries of this service. */
export interface ServiceParts extends Parts {
  readonly registries: Registries
  readonly upstreams: Upstreams
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
const distinct = <Entry>(
  kind: string,
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
  wordsOf: (name: string) => readonly string[] = (name) => [name],
): readonly Entry[] => {
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

/** Tokens state no key yet, so nobody could compare it with what a request proves. */
const refuseFurther = (added: readonly ProofOfPossession[]): readonly ProofOfPossession[] => {
  const [first] = added
  if (first === undefined) return proofs
  throw new RegistryFault(
    `the proof of possession "${first.tokenType}" cannot be added: tokens state no key yet`,
  )
}

/** Grants add members by name, so no writer may have the same one. */
const membersWith = (added: Partial<Registries>): readonly TokenResponseMember[] => {
  const members = [...responseMembers, ...(added.responseMembers ?? [])]
  const ofGrants = (added.grants ?? []).flatMap((grant) => grant.members ?? [])
  const names = [...members.map(({ name }) => name), ...ofGrants]
  distinct('member of the token response', names, (name) => name)
  return members
}

/**
 * The built-in registries with what an embedder adds.
 *
 * @throws RegistryFault where two entries have one name, or a name cannot be sent
 */
export const registriesWith = (added: Partial<Registries>): Registries => ({
  clientMethods: distinct(
    'client authentication method',
    [...clientMethods, ...(added.clientMethods ?? [])],
    ({ name }) => name,
  ),
  grants: distinct('grant type', [...grants, ...(added.grants ?? [])], ({ type }) => type),
  responseTypes: distinct(
    'response type',
    [...responseTypes, ...(added.responseTypes ?? [])],
    ({ type }) => type,
    (type) => type.split(' ').toSorted(),
  ),
  prompts: distinct('prompt value', [...prompts, ...(added.prompts ?? [])], ({ value }) => value),
  proofs: refuseFurther(added.proofs ?? []),
  tokenFormats: distinct(
    'token format',
    [...tokenFormats, ...(added.tokenFormats ?? [])],
    ({ name }) => name,
  ),
  responseMembers: membersWith(added),
})
