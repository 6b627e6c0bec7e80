/**
 * Requests that wait for their owner while their client polls `/token` (RFC 8628, OpenID CIBA): their code, their
 * pace, and the tokens of an approval.
 */
import type { Resources } from '../access/resources.ts'
import { hashText, makeSecret } from '../crypto/digest.ts'
import type { Authorization } from '../model/authorization.ts'
import type { Client } from '../model/client.ts'
import { malformed, Reader, Writer } from '../model/codec/bytes.ts'
import { type Digest, type FamilyId, isId, type Random } from '../model/ids.ts'
import { makeTermsType, type Terms } from '../model/terms.ts'
import type { Parameters } from '../protocol/parameters.ts'
import type { PolledRequest } from '../store/contract/polled.ts'
import type { ClientLogin } from '../store/contract/queue.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { narrowTerms } from './code.ts'
import { findClientLogin } from './id-token.ts'
import type { EarnedFamily } from './issue.ts'
import type { ProvenKey } from './proofs/proof.ts'

export const pollLimits = {
  /** How much longer a client waits after each `slow_down` (RFC 8628 section 3.5). */
  slowDownSeconds: 5,
  /** Polls of one request that may come too soon and are answered as a matter of routine. */
  slowDownsOfRoutine: 5,
  /** Requests whose polls a node remembers. */
  kept: 20_000,
} as const

const idCharacters = 26
const secretCharacters = 43

/** The id of the row leads to it. Only the digest of the secret behind the id is stored. */
export const makePollCode = (prefix: string, id: FamilyId, random: Random) => {
  const secret = makeSecret('', random)
  return { text: prefix + id + secret, secretDigest: hashText(secret) }
}

/** Null for a text of another form. */
export const parsePollCode = (
  prefix: string,
  text: string,
): { readonly id: FamilyId; readonly secretDigest: Digest } | null => {
  const id = text.slice(prefix.length, prefix.length + idCharacters)
  const secret = text.slice(prefix.length + idCharacters)
  const isWhole = text.startsWith(prefix) && secret.length === secretCharacters
  return isWhole && isId(id) ? { id: id as FamilyId, secretDigest: hashText(secret) } : null
}

interface Poll {
  readonly nextAt: number
  readonly interval: number
}

/**
 * How often a client may ask, in bounded memory of the node: polling writes nothing.
 *
 * @param interval the seconds between two polls, unless one came too soon
 */
export const openPolls = (interval: number) => {
  const polls = new Map<FamilyId, Poll>()
  return {
    /** Notes a poll. True where it came too soon: from then on the interval is longer. */
    isTooSoon(id: FamilyId, at: number): boolean {
      const last = polls.get(id) ?? { nextAt: 0, interval }
      const isTooSoon = at < last.nextAt
      const next = last.interval + (isTooSoon ? pollLimits.slowDownSeconds : 0)
      const [oldest] = polls.size < pollLimits.kept ? [] : polls.keys()
      if (oldest !== undefined) polls.delete(oldest)
      // The one that asked last goes last.
      polls.delete(id)
      polls.set(id, { nextAt: at + next, interval: next })
      return isTooSoon
    },
    /** Whether few of its polls came too soon. More of them count as refused. */
    isRoutine(id: FamilyId): boolean {
      const longer = (polls.get(id)?.interval ?? interval) - interval
      return longer <= pollLimits.slowDownsOfRoutine * pollLimits.slowDownSeconds
    },
    forget: (id: FamilyId): boolean => polls.delete(id),
  }
}

const termsType = makeTermsType('code')

/** Approved terms as the store keeps them: as codes carry them, in a text that the store need not read. */
export const formatTerms = (terms: Terms): string => {
  const to = new Writer()
  termsType.write(terms, to)
  return to.toBase64url()
}

/** Null for terms of a later version. */
const parseTerms = (text: string): Terms | null => {
  try {
    return termsType.read(new Reader(text))
  } catch (fault) {
    if (fault === malformed) return null
    throw fault
  }
}

interface PollGiven {
  readonly client: Client
  readonly parameters: Parameters
  readonly key: ProvenKey | null
  readonly trace: Trace
}

export interface FoundEarned {
  readonly authorization: Authorization
  readonly salt: string
  readonly earned: Omit<EarnedFamily, 'for' | 'family' | 'authorization'>
  /** What its redemption lets the client know. */
  readonly login: { readonly login?: ClientLogin }
}

/**
 * What the poll earns; null for an ended approval.
 *
 * @throws Refusal
 */
export const findEarned = async (
  { authorizationId, salt, terms }: PolledRequest,
  { client, parameters, key, trace: { at } }: PollGiven,
  { store, resources }: { readonly store: Store; readonly resources: Resources },
): Promise<FoundEarned | null> => {
  const authorization =
    authorizationId === null ? null : await store.findAuthorization(authorizationId, at)
  const approved = terms === null ? null : parseTerms(terms)
  if (authorization === null || salt === null || approved === null) return null
  const asked = {
    indicators: parameters.all('resource'),
    details: parameters.find('authorization_details'),
  }
  const earned = await narrowTerms(approved, authorization, asked, client, resources)
  await key?.claim()
  const told = { ...earned.terms, permissions: earned.told }
  const login = await findClientLogin(client, authorization.ownerId, told, at, store)
  return { authorization, salt, earned, login: login === undefined ? {} : { login } }
}
