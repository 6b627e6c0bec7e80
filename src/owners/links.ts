/**
 * Links for people without a login: to choose a password, to accept an invitation, to prove an email
 * address. A link is a sealed statement with one purpose. It holds for the state of the account that
 * it was made for, ends by itself, and works once: each use inserts its id (`Ceremony`).
 */
import { limits } from '../config/limits.ts'
import { linkLimits } from '../config/link-limits.ts'
import { digest, newSecret } from '../crypto/digest.ts'
import {
  type Keyring,
  learnKey,
  readSealed,
  type SealedStatement,
  type SealingKey,
  seal,
  verifySeal,
} from '../crypto/seal.ts'
import { field, record } from '../model/codec/record.ts'
import { flag, number, text, word } from '../model/codec/types.ts'
import { isOwnerId, type OwnerId } from '../model/ids.ts'
import type { Owner } from '../model/owner.ts'
import { consoleRoleOf } from '../model/role.ts'
import type { Parts } from '../parts.ts'
import type { Ceremony } from '../store/store.ts'

/** What a link is for. `verify` proves an address, which may be a new one. */
const purposes = ['reset', 'invite', 'verify', 'signup'] as const

export type LinkPurpose = (typeof purposes)[number]

/** How long a link of each purpose works once its mail was sent. */
export const linkSeconds = (
  purpose: LinkPurpose,
  { limits }: Pick<Parts['settings'], 'limits'>,
): number => {
  const { resetLinkSeconds, inviteLinkSeconds } = limits
  return {
    reset: resetLinkSeconds,
    invite: inviteLinkSeconds,
    verify: linkLimits.verifySeconds,
    signup: linkLimits.signUpSeconds,
  }[purpose]
}

/** One that the operator sends or hands over takes longer on its way. */
export const handedLinkSeconds = (
  purpose: LinkPurpose,
  settings: Pick<Parts['settings'], 'limits'>,
): number => (purpose === 'reset' ? linkLimits.handedResetSeconds : linkSeconds(purpose, settings))

/** A link about an account that exists. */
export type OwnerLinkPurpose = Exclude<LinkPurpose, 'signup'>

interface Link {
  readonly id: string
  readonly purpose: LinkPurpose
  /** '' for an account that does not exist yet. */
  readonly ownerId: string
  /** The address that its use proves; '' for none. */
  readonly email: string
  /** Unix seconds. */
  readonly expiresAt: number
  /** Whether an application waits in the browser that asked for it. */
  readonly waits: boolean
}

const statement: SealedStatement<Link> = {
  kind: 'lk_ln_',
  says: record({
    id: field(1, text()),
    purpose: field(2, word(purposes)),
    ownerId: field(3, text()),
    email: field(4, text()),
    expiresAt: field(5, number),
    waits: field(6, flag),
  }),
}

/** The state of an account that its links hold for. */
export type LinkedOwner = Pick<Owner, 'id' | 'email' | 'passwordHash' | 'roles'>

/**
 * Another password or address is another salt, so it ends every link from before. So does a role in the
 * console: whoever holds an earlier link was not allowed to make one for an operator.
 */
const saltOf = (owner: LinkedOwner | null): string => {
  if (owner === null) return digest('link\n')
  const role = consoleRoleOf(owner)
  const state = `${owner.id}\n${owner.email}\n${owner.passwordHash}`
  return digest(`link\n${state}${role === null ? '' : `\n${role}`}`)
}

/** The URL of a link. It is built from the issuer, never from a request. */
const urlOf = (purpose: LinkPurpose, sealed: string, { issuer }: { readonly issuer: string }) =>
  `${issuer}/${purpose}?link=${sealed}`

interface LinkGiven {
  readonly key: SealingKey
  readonly settings: { readonly issuer: string }
  readonly random: Parts['random']
}

/**
 * A new link, as a URL. It is shown or sent once and never stored.
 *
 * @param owner null for `signup`
 */
export const issueLink = (
  purpose: LinkPurpose,
  owner: LinkedOwner | null,
  about: Pick<Link, 'email' | 'expiresAt' | 'waits'>,
  { key, settings, random }: LinkGiven,
): string => {
  const said = { ...about, id: newSecret('', random), purpose, ownerId: owner?.id ?? '' }
  return urlOf(purpose, seal(statement, key, saltOf(owner), said), settings)
}

/** A link that was opened. Its id makes it count once. */
export interface OpenedLink {
  readonly link: Ceremony
  readonly email: string
  /** Whether an application waits in the browser that asked for it. */
  readonly waits: boolean
}

export interface OpenedOwnerLink extends OpenedLink {
  readonly owner: Owner
}

type LinkParts = Pick<Parts, 'store'> & { readonly keyring: Keyring }

const readLink = (purpose: LinkPurpose, given: string) => {
  const sealed = given.length > limits.tokenCharacters ? null : readSealed(statement, given)
  return sealed?.says.purpose === purpose ? sealed : null
}

/**
 * Whether the seal holds, and the link was neither used nor too late. Nothing is used up: a link is
 * opened by programs that look at mail, too.
 */
const holds = async (
  sealed: NonNullable<ReturnType<typeof readLink>>,
  owner: Owner | null,
  at: number,
  { keyring, store }: LinkParts,
): Promise<boolean> => {
  await learnKey(sealed, keyring)
  if (!verifySeal(sealed, keyring, saltOf(owner))) return false
  return sealed.says.expiresAt > at && !(await store.isFinished(sealed.says.id))
}

/** Null where it is for something else, too old, used, or from before a new password or address. */
export const openOwnerLink = async (
  purpose: OwnerLinkPurpose,
  given: string,
  at: number,
  parts: LinkParts,
): Promise<OpenedOwnerLink | null> => {
  const sealed = readLink(purpose, given)
  if (sealed === null || !isOwnerId(sealed.says.ownerId)) return null
  const { id, email, expiresAt, ownerId, waits } = sealed.says
  const owner = await parts.store.findOwner(ownerId as OwnerId)
  if (owner === null || !(await holds(sealed, owner, at, parts))) return null
  return { link: { id, expiresAt }, email, owner, waits }
}

/** A link to make an account with the address that it was sent to. Null as for other links. */
export const openSignUpLink = async (
  given: string,
  at: number,
  parts: LinkParts,
): Promise<OpenedLink | null> => {
  const sealed = readLink('signup', given)
  if (sealed === null || !(await holds(sealed, null, at, parts))) return null
  const { id, email, expiresAt, waits } = sealed.says
  return { link: { id, expiresAt }, email, waits }
}
