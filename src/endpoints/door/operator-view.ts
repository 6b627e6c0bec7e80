/**
 * The operator's view: a code from the command line, and a cookie in exchange for it. Both are sealed
 * statements of different kinds, and every node can open them.
 */
import { limits } from '../../config/limits.ts'
import { digest } from '../../crypto/digest.ts'
import {
  type Keyring,
  learnKey,
  readSealed,
  type SealingKey,
  seal,
  verifySeal,
} from '../../crypto/seal.ts'
import { findCookie, setCookie } from '../../http/cookies.ts'
import type { HttpRequest } from '../../http/request.ts'
import { isSecure } from '../../owners/secure.ts'
import type { Parts } from '../../parts.ts'
import type { Ceremony } from '../../store/factor-steps.ts'

/** A code speaks of no row. */
const noSalt = ''

/** @param id makes it count once */
export const sealOperatorCode = ({ id, expiresAt }: Ceremony, key: SealingKey): string =>
  seal('lk_op_', key, noSalt, [id, String(expiresAt)])

/** Null where it was not sealed here, or too long ago. That it was used before is for the store to say. */
export const openOperatorCode = async (
  text: string,
  at: number,
  keyring: Keyring,
): Promise<Ceremony | null> => {
  const sealed = text.length > limits.tokenCharacters ? null : readSealed('lk_op_', text)
  if (sealed === null) return null
  await learnKey(sealed, keyring)
  if (!verifySeal(sealed, keyring, noSalt)) return null
  const [id = '', end] = sealed.fields
  const expiresAt = Number(end)
  return expiresAt > at ? { id, expiresAt } : null
}

/** The header that sets the cookie, bound to this browser. */
export const setOperatorCookie = (
  browser: string,
  at: number,
  parts: Pick<Parts, 'keyring' | 'settings'>,
): string => {
  const expiresAt = String(at + limits.operatorViewSeconds)
  const value = seal('operator', parts.keyring.current(), digest(browser), [expiresAt])
  return setCookie('operator', value, isSecure(parts))
}

export const removeOperatorCookie = (parts: Pick<Parts, 'settings'>): string =>
  setCookie('operator', '', isSecure(parts))

/**
 * Until when this browser is the operator's, in unix seconds; null where it is not. A key is known to
 * every node long before its first use, so nothing has to be learnt here.
 */
export const operatorUntil = (
  request: HttpRequest,
  at: number,
  parts: Pick<Parts, 'keyring' | 'settings'>,
): number | null => {
  const secure = isSecure(parts)
  const browser = findCookie(request, 'browser', secure)
  const sealed = readSealed('operator', findCookie(request, 'operator', secure) ?? '')
  if (sealed === null || browser === null) return null
  if (!verifySeal(sealed, parts.keyring, digest(browser))) return null
  const expiresAt = Number(sealed.fields[0])
  return expiresAt > at ? expiresAt : null
}
