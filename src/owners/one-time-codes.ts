/** Codes that an owner types: one-time codes of an application, and recovery codes. */

import { equalTexts, hashText } from '../crypto/digest.ts'
import { encodeBase32, secretBytes, stepOf } from '../crypto/one-time-code.ts'
import { getCodesPurpose, type Vault } from '../crypto/wrap.ts'
import type { OneTimeCodes } from '../model/factor.ts'
import type { Digest, OwnerId, Random } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import type { Owner } from '../model/owner.ts'
import { ownerLimits } from './limits.ts'
import type { Subjects } from './pairwise-secret.ts'

/** A new secret, base64url. */
export const makeCodeSecret = ({ random }: { readonly random: Random }): string =>
  Buffer.from(random(secretBytes)).toString('base64url')

const decodeSecret = (secret: string): Uint8Array => Buffer.from(secret, 'base64url')

/** The secret as people type it: base32 in groups of four. */
export const formatSecret = (secret: string): string =>
  (encodeBase32(decodeSecret(secret)).match(/.{1,4}/g) ?? []).join(' ')

/** The URI for authenticator applications, in the form that all of them read. */
export const makeSetupUri = (secret: string, { username }: Owner, serviceName: string): string => {
  const label = `${encodeURIComponent(serviceName)}:${encodeURIComponent(username)}`
  const issuer = encodeURIComponent(serviceName)
  return `otpauth://totp/${label}?secret=${encodeBase32(decodeSecret(secret))}&issuer=${issuer}&algorithm=SHA1&digits=6&period=30`
}

export const wrapSecret = (
  secret: string,
  ownerId: OwnerId,
  { vault }: { readonly vault: Vault },
): string => vault.wrap(decodeSecret(secret), getCodesPurpose(ownerId))

/** People type blanks into codes as applications show them. */
const stripBlanks = (code: string): string => code.replaceAll(/\s/g, '')

/** The time step of a code of a secret that is not kept yet, or null. */
export const stepOfSecret = (secret: string, code: string, at: number): number | null =>
  stepOf(decodeSecret(secret), stripBlanks(code), at)

const unwrapSecret = (
  { secret }: OneTimeCodes,
  ownerId: OwnerId,
  { vault, tell }: { readonly vault: Vault; readonly tell: Tell },
): Uint8Array | null => {
  const unwrapped = vault.unwrap(secret, getCodesPurpose(ownerId))
  const message = 'a one-time code secret was wrapped under another root secret'
  if (unwrapped === null) tell({ level: 'error', message })
  return unwrapped
}

/** Whether these are the codes that are kept. @param secret base64url */
export const areCodesOf = (
  codes: OneTimeCodes,
  secret: string,
  ownerId: OwnerId,
  parts: { readonly vault: Vault; readonly tell: Tell },
): boolean => {
  const kept = unwrapSecret(codes, ownerId, parts)
  return kept !== null && equalTexts(Buffer.from(kept).toString('base64url'), secret)
}

/** The time step of a code, or null where it is wrong. Whether it was used is for the store to say. */
export const stepOfCode = (
  codes: OneTimeCodes,
  code: string,
  ownerId: OwnerId,
  at: number,
  parts: { readonly vault: Vault; readonly tell: Tell },
): number | null => {
  const secret = unwrapSecret(codes, ownerId, parts)
  return secret && stepOf(secret, stripBlanks(code), at)
}

/** Crockford's base32: no letter that is taken for another, or for a digit. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const groups = 2
const groupCharacters = 5

/** 50 random bits, as people write them down: `k3f9w-2m8xq`. */
const makeCode = ({ random }: { readonly random: Random }): string => {
  const letters = [...random(groups * groupCharacters)].map((byte) => alphabet[byte & 31]).join('')
  return (letters.match(new RegExp(`.{${groupCharacters}}`, 'g')) ?? []).join('-')
}

export const makeRecoveryCodes = (parts: { readonly random: Random }): readonly string[] =>
  Array.from({ length: ownerLimits.recoveryCodes }, () => makeCode(parts))

/** However it is typed: in capitals, without dashes, O for 0, I or L for 1. */
const normalizeRecovery = (code: string): string =>
  code
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')

/**
 * As it is kept. Whoever copied the database could try all codes of this length against a plain digest, so it
 * has a key. Longer ones are of an earlier version: they have 125 bits, and a plain digest.
 */
export const hashRecovery = async (
  code: string,
  ownerId: OwnerId,
  { subjects }: { readonly subjects: Subjects },
): Promise<Digest> => {
  const letters = normalizeRecovery(code)
  if (letters.length > groups * groupCharacters) return hashText(letters)
  return (await subjects.hide('recovery code', `${ownerId}\n${letters}`)) as Digest
}
