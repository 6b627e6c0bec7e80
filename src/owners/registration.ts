/** Making and changing owners: over the admin API, the CLI and the demo alike. */
import { limits } from '../config/limits.ts'
import { newSalt } from '../crypto/digest.ts'
import type { OwnerId } from '../model/ids.ts'
import type { Owner, OwnerChange } from '../model/owner.ts'
import { makeId, type Parts } from '../parts.ts'
import { parseMembers } from '../protocol/members.ts'
import { schemaOf, type Z } from '../protocol/schema.ts'

/** Nothing that cannot be seen: two names that look the same must be the same. */
const visible = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]*$/u

const normal = (text: string): string => text.normalize('NFC')

const username = (z: Z) =>
  z
    .string()
    .transform(normal)
    .pipe(
      z
        .string()
        .min(1)
        .max(limits.usernameCharacters)
        .regex(visible)
        .refine((name) => name === name.trim() && name.normalize('NFKC').trim() !== ''),
    )
    .describe(
      `text of 1 to ${limits.usernameCharacters} visible characters, no blank at either end`,
    )

const name = (z: Z) =>
  z
    .string()
    .transform(normal)
    .pipe(
      z
        .string()
        .max(limits.personNameCharacters)
        .regex(/^[^\p{Cc}\p{Cs}]*$/u),
    )
    .optional()
    .describe(
      `text of at most ${limits.personNameCharacters} characters without control characters`,
    )

const email = (z: Z) =>
  z
    .string()
    .max(limits.emailCharacters)
    .regex(/^(?:[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+)?$/u)
    .optional()
    .describe(`an email address of at most ${limits.emailCharacters} characters, or empty`)

const password = (z: Z, leastCharacters: number) =>
  z
    .string()
    .refine((text) => [...text.slice(0, limits.passwordBytes)].length >= leastCharacters)
    .refine((text) => text.isWellFormed() && Buffer.byteLength(text) <= limits.passwordBytes)
    .describe(
      `text of at least ${leastCharacters} characters and at most ${limits.passwordBytes} bytes`,
    )

const schemas = schemaOf((z) => {
  const profile = { name: name(z), email: email(z) }
  return {
    creation: (leastCharacters: number) =>
      z.strictObject({
        username: username(z),
        password: password(z, leastCharacters),
        ...profile,
      }),
    change: z.strictObject({
      ...profile,
      disabled: z.boolean().optional().describe('true or false'),
    }),
    newPassword: z.strictObject({ password: password(z, limits.passwordLeastCharacters) }),
  }
})

/** Whether somebody may choose it as a password. */
export const isPassword = (text: string): boolean =>
  schemas().newPassword.safeParse({ password: text }).success

const codeOf = () => 'invalid_request' as const

/**
 * An owner out of members `username`, `password`, `name` and `email`, not stored yet.
 *
 * @param leastCharacters shorter passwords are for demo data only
 * @throws Refusal `invalid_request`
 */
export const newOwner = async (
  given: Readonly<Record<string, unknown>>,
  parts: Pick<Parts, 'clock' | 'random' | 'passwords'>,
  leastCharacters: number = limits.passwordLeastCharacters,
): Promise<Owner> => {
  const said = parseMembers(schemas().creation(leastCharacters), given, codeOf)
  const now = Math.floor(parts.clock() / 1000)
  return {
    id: makeId<OwnerId>(parts),
    username: said.username,
    name: said.name ?? '',
    email: said.email ?? '',
    passwordHash: await parts.passwords.hash(said.password),
    passwordChangedAt: 0,
    disabled: false,
    createdAt: now,
  }
}

/**
 * What members `name`, `email` and `disabled` change of an owner.
 *
 * @throws Refusal `invalid_request`
 */
export const changedOwner = (given: Readonly<Record<string, unknown>>): OwnerChange => {
  const said = parseMembers(schemas().change, given, codeOf)
  const { name, email, disabled } = said
  return {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(disabled === undefined ? {} : { disabled }),
  }
}

/**
 * What member `password` says, as the store takes it; everything begun under the old one ends with it.
 *
 * @throws Refusal `invalid_request`
 */
export const changedPassword = async (
  given: Readonly<Record<string, unknown>>,
  { passwords, random }: Pick<Parts, 'passwords' | 'random'>,
): Promise<{ readonly hash: string; readonly salt: string }> => {
  const said = parseMembers(schemas().newPassword, given, codeOf)
  return { hash: await passwords.hash(said.password), salt: newSalt(random) }
}
