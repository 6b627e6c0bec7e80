/** Making and changing owners: over the admin API, the CLI and the demo alike. */

import { findClient } from '../clients/find.ts'
import type { Settings } from '../config/settings.ts'
import { makeSalt } from '../crypto/digest.ts'
import type { Hashing, Passwords } from '../crypto/password.ts'
import { type Given, isOwnerId, makeId, type OwnerId, type Random } from '../model/ids.ts'
import { noPageChoices, type Owner, type OwnerChange } from '../model/owner.ts'
import { parseMembers } from '../protocol/members.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import { Refusal } from '../protocol/refusal.ts'
import { defineKeptWays, makeSchema, type Z } from '../protocol/schema.ts'
import type { Trace } from '../store/contract/trace.ts'
import type { Store } from '../store/store.ts'
import { readPasswordHash } from './hashes/index.ts'
import { listBrought } from './imported.ts'
import { ownerLimits } from './limits.ts'
import { type PasswordOf, requirePassword } from './password-rule.ts'
import { defineAttributes, defineClaims, defineName, defineRoles, normalize } from './profile.ts'

/** No invisible characters: two names that look the same must be the same. */
const visible = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]*$/u

const defineUsername = (z: Z) =>
  z
    .string()
    .transform(normalize)
    .pipe(
      z
        .string()
        .min(1)
        .max(ownerLimits.usernameCharacters)
        .regex(visible)
        .refine((name) => name === name.trim() && name.normalize('NFKC').trim() !== ''),
    )
    .describe(
      `text of 1 to ${ownerLimits.usernameCharacters} visible characters, no blank at either end`,
    )

const defineEmail = (z: Z) =>
  z
    .string()
    .max(parameterLimits.emailCharacters)
    .regex(/^(?:[^\s@\uff20\ufe6b\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\uff20\ufe6b\p{Cc}\p{Cf}\p{Cs}]+)?$/u)
    .optional()
    .describe(`an email address of at most ${parameterLimits.emailCharacters} characters, or empty`)

/** The forms of owners. The description of the API is made of them as well. */
export const ownerForms = makeSchema((z) => {
  const sub = z
    .string()
    .refine(isOwnerId)
    .optional()
    .describe(
      'text of 1 to 128 ASCII letters, digits and _.~:@|=,+/?#%-, a letter or digit first, and no URL',
    )
  const flag = z.boolean().optional().describe('true or false')
  const told = {
    name: defineName(z),
    email: defineEmail(z),
    email_verified: flag,
    claims: defineClaims(z),
    attributes: defineAttributes(z),
    roles: defineRoles(z),
  }
  return {
    creation: z.strictObject({
      username: defineUsername(z),
      sub,
      password: z.unknown().optional(),
      password_hash: z.unknown().optional(),
      ...told,
    }),
    imported: z.strictObject({
      username: defineUsername(z),
      sub,
      password_hash: z.unknown().optional(),
      ...told,
      disabled: flag,
      created_at: z.int().min(0).optional().describe('unix seconds'),
      ...listBrought(z),
    }),
    change: z.strictObject({
      ...told,
      disabled: flag,
      keep_ways_in: defineKeptWays(z),
    }),
    newPassword: z.strictObject({ password: z.unknown().optional() }),
    link: z.strictObject({
      purpose: z.enum(['reset', 'invite', 'verify']).describe('reset, invite or verify'),
      send: flag,
    }),
  }
})

const getCode = () => 'invalid_request' as const

/** A hash from elsewhere, as it is stored. */
const hashOf = (given: unknown): string => {
  const read = readPasswordHash(given)
  if ('hash' in read) return read.hash
  throw new Refusal('invalid_request', 'bad_password_hash', `password_hash ${read.problem}`)
}

/** A password that is null says that the owner will choose one, with a link. */
const makeFirstHash = async (
  { password, password_hash: imported }: { password?: unknown; password_hash?: unknown },
  of: PasswordOf,
  { passwords, settings }: { readonly passwords: Passwords; readonly settings: Settings },
): Promise<string> => {
  if (imported === undefined) {
    return password === null ? '' : passwords.hash(await requirePassword(password, of, settings))
  }
  if (password === undefined) return hashOf(imported)
  throw new Refusal(
    'invalid_request',
    'two_passwords',
    'password and password_hash exclude each other',
  )
}

/** The members that all forms of new owners have. */
type ToldOwner = Omit<
  ReturnType<ReturnType<typeof ownerForms>['creation']['parse']>,
  'password' | 'password_hash'
>

/** An owner who has changed nothing yet. */
export const makeOwner = (said: ToldOwner, passwordHash: string, parts: Given): Owner => {
  const now = Math.floor(parts.clock() / 1000)
  return {
    id: (said.sub as OwnerId | undefined) ?? makeId<OwnerId>(parts),
    username: said.username,
    name: said.name ?? '',
    email: said.email ?? '',
    emailVerified: said.email_verified ?? false,
    claims: said.claims ?? {},
    attributes: said.attributes ?? {},
    roles: said.roles ?? [],
    updatedAt: now,
    passwordHash,
    passwordChangedAt: 0,
    disabled: false,
    createdAt: now,
    pages: noPageChoices,
    pictureName: '',
    pictureSource: '',
    deletionAt: null,
  }
}

/**
 * An owner out of members, not stored yet.
 *
 * @throws Refusal `invalid_request`
 */
export const parseOwner = async (
  given: Readonly<Record<string, unknown>>,
  parts: Given & { readonly passwords: Passwords; readonly settings: Settings },
): Promise<Owner> => {
  const said = parseMembers(ownerForms().creation, given, getCode)
  const person = { username: said.username, name: said.name ?? '', email: said.email ?? '' }
  return makeOwner(said, await makeFirstHash(said, person, parts), parts)
}

/**
 * An owner from elsewhere, not stored yet. Without a hash the owner has no password, and chooses one
 * with a link.
 *
 * @throws Refusal `invalid_request`
 */
export const importOwner = (given: Readonly<Record<string, unknown>>, parts: Given): Owner => {
  const said = parseMembers(ownerForms().imported, given, getCode)
  const hash = said.password_hash === undefined ? '' : hashOf(said.password_hash)
  const owner = makeOwner(said, hash, parts)
  const createdAt = Math.min(said.created_at ?? owner.createdAt, owner.createdAt)
  return { ...owner, disabled: said.disabled ?? false, createdAt }
}

export const addressTaken = (): Refusal =>
  new Refusal('conflict', 'address_taken', 'another owner has confirmed this email address')

/** Whether another owner has confirmed the address. */
export const isAddressTaken = async (
  { id, email, emailVerified }: Pick<Owner, 'id' | 'email' | 'emailVerified'>,
  { store }: { readonly store: Pick<Store, 'findOwner' | 'listOwnersOfEmail'> },
): Promise<boolean> => {
  if (!emailVerified || email === '') return false
  const ids = await store.listOwnersOfEmail(email, parameterLimits.pageRows)
  const owners = await Promise.all(ids.map((one) => store.findOwner(one, 'disabled')))
  return owners.some((owner) => owner !== null && owner.id !== id && owner.emailVerified)
}

/** Why an owner cannot be added who is `taken`: by the username, the subject, or the address. */
export const explainTaken = async (
  { id, username, emailVerified }: Pick<Owner, 'id' | 'username' | 'emailVerified'>,
  { store }: { readonly store: Store },
): Promise<Refusal> => {
  if ((await store.findOwnerByName(username, 'disabled')) !== null) {
    return new Refusal('conflict', 'username_taken', 'there is an owner with this username')
  }
  if (await isAddressTaken({ id, email: username, emailVerified: true }, { store })) {
    const said = 'another owner logs in by this username, a confirmed email address'
    return new Refusal('conflict', 'username_taken', said)
  }
  const other = await store.findOwner(id, 'disabled')
  const client = other === null && (await findClient(id, { store }, 'disabled'))
  if (emailVerified && other === null && client === null) return addressTaken()
  const whose = other === null ? 'a client' : `the owner ${other.username}`
  return new Refusal('conflict', 'subject_taken', `this sub is the one of ${whose}`)
}

/**
 * What members change of an owner.
 *
 * @throws Refusal `invalid_request`
 */
export const parseOwnerChange = (given: Readonly<Record<string, unknown>>): OwnerChange => {
  const said = parseMembers(ownerForms().change, given, getCode)
  const { email_verified: emailVerified, keep_ways_in: _, ...others } = said
  const named = Object.entries({ ...others, emailVerified })
  return Object.fromEntries(named.filter(([, value]) => value !== undefined))
}

/** The ways to log in that an owner keeps with a new role. Null: the change does not say. */
export const parseKeptWays = (given: Readonly<Record<string, unknown>>): readonly string[] | null =>
  parseMembers(ownerForms().change, given, getCode).keep_ways_in ?? null

/**
 * Gives roles. Others may have set ways to log in. Then the operator has to name the ways to keep.
 *
 * @returns null where the owner is gone
 * @throws Refusal `conflict`
 */
export const giveRoles = async (
  id: OwnerId,
  change: OwnerChange & { readonly roles: readonly string[] },
  keep: readonly string[] | null,
  trace: Trace,
  { store }: { readonly store: Store },
): Promise<Owner | null> => {
  const given = await store.giveRoles(id, change, keep, trace)
  if (given.outcome === 'address_taken') throw addressTaken()
  if (given.outcome !== 'asks') return given.outcome === 'given' ? given.owner : null
  const named = given.ways.map((way) => way.id).join(' ')
  throw new Refusal(
    'conflict',
    'ways_of_others',
    `others may have set ways to log in, so name in keep_ways_in what stays: ${named}`,
  )
}

/**
 * What member `password` says, as the store takes it; everything begun under the old one ends with it.
 *
 * @throws Refusal `invalid_request`
 */
export const hashNewPassword = async (
  given: Readonly<Record<string, unknown>>,
  of: PasswordOf,
  parts: {
    readonly random: Random
    readonly settings: Settings
    readonly passwords: Pick<Hashing, 'hash'>
  },
): Promise<{ readonly hash: string; readonly salt: string }> => {
  const said = parseMembers(ownerForms().newPassword, given, getCode)
  const password = await requirePassword(said.password, of, parts.settings)
  return { hash: await parts.passwords.hash(password), salt: makeSalt(parts.random) }
}
