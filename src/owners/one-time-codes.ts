/** One-time codes: the secret that an application of the owner's shares, and codes made of it. */
import { equalTexts } from '../crypto/digest.ts'
import { base32, secretBytes, stepOf } from '../crypto/one-time-code.ts'
import { oneTimeCodesOf, type Vault } from '../crypto/wrap.ts'
import type { OneTimeCodes } from '../model/factor.ts'
import type { OwnerId, Random } from '../model/ids.ts'
import type { Tell } from '../model/notice.ts'
import type { Owner } from '../model/owner.ts'

/** A new secret, base64url. */
export const newCodeSecret = ({ random }: { readonly random: Random }): string =>
  Buffer.from(random(secretBytes)).toString('base64url')

const bytesOf = (secret: string): Uint8Array => Buffer.from(secret, 'base64url')

/** The secret as people type it: base32 in groups of four. */
export const secretText = (secret: string): string =>
  (base32(bytesOf(secret)).match(/.{1,4}/g) ?? []).join(' ')

/** The URI for authenticator applications, in the form that all of them read. */
export const setupUri = (secret: string, { username }: Owner, serviceName: string): string => {
  const label = `${encodeURIComponent(serviceName)}:${encodeURIComponent(username)}`
  const issuer = encodeURIComponent(serviceName)
  return `otpauth://totp/${label}?secret=${base32(bytesOf(secret))}&issuer=${issuer}&algorithm=SHA1&digits=6&period=30`
}

export const wrapSecret = (
  secret: string,
  ownerId: OwnerId,
  { vault }: { readonly vault: Vault },
): string => vault.wrap(bytesOf(secret), oneTimeCodesOf(ownerId))

/** People type blanks into codes as applications show them. */
const typed = (code: string): string => code.replaceAll(/\s/g, '')

/** The time step of a code of a secret that is not kept yet, or null. */
export const stepOfSecret = (secret: string, code: string, at: number): number | null =>
  stepOf(bytesOf(secret), typed(code), at)

const unwrapSecret = (
  { secret }: OneTimeCodes,
  ownerId: OwnerId,
  { vault, tell }: { readonly vault: Vault; readonly tell: Tell },
): Uint8Array | null => {
  const unwrapped = vault.unwrap(secret, oneTimeCodesOf(ownerId))
  if (unwrapped === null) {
    tell({
      level: 'error',
      message: 'a one-time code secret was wrapped under another root secret',
    })
  }
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
  return secret && stepOf(secret, typed(code), at)
}
