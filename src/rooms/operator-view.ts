/**
 * The operator's view: a code from the command line, and a cookie in exchange for it. Both are sealed
 * statements of different kinds, and every node can open them.
 */
import { hashText } from '../crypto/digest.ts'
import {
  type Keyring,
  openInTime,
  readSealed,
  type SealedStatement,
  type SealingKey,
  seal,
  verifySeal,
} from '../crypto/seal.ts'
import { findCookie, isSecure, setCookie } from '../http/cookies.ts'
import type { HttpRequest } from '../http/request.ts'
import { field, number, record, text } from '../model/codec/types.ts'
import type { ServiceParts } from '../registries.ts'
import type { Ceremony } from '../store/contract/factor.ts'

export const operatorViewSeconds = 8 * 3600

const code: SealedStatement<Ceremony> = {
  kind: 'lk_op_',
  says: record({ id: field(1, text()), expiresAt: field(2, number) }),
}

const cookie: SealedStatement<Pick<Ceremony, 'expiresAt'>> = {
  kind: 'operator',
  says: record({ expiresAt: field(1, number) }),
}

/** A code speaks of no row. */
const noSalt = ''

/** @param id makes it count once */
export const sealOperatorCode = ({ id, expiresAt }: Ceremony, key: SealingKey): string =>
  seal(code, key, noSalt, { id, expiresAt })

/** Null where it was not sealed here, or too long ago. That it was used before is for the store to say. */
export const openOperatorCode = (
  text: string,
  at: number,
  keyring: Keyring,
): Promise<Ceremony | null> => openInTime(code, text, noSalt, at, keyring)

type OperatorViewNeeds = Pick<ServiceParts, 'settings' | 'keyring'>

/** The header that sets the cookie, bound to this browser. */
export const setOperatorCookie = (
  browser: string,
  at: number,
  parts: OperatorViewNeeds,
): string => {
  const expiresAt = at + operatorViewSeconds
  const value = seal(cookie, parts.keyring.current(), hashText(browser), { expiresAt })
  return setCookie('operator', value, isSecure(parts))
}

export const removeOperatorCookie = (parts: Pick<ServiceParts, 'settings'>): string =>
  setCookie('operator', '', isSecure(parts))

/**
 * Until when this browser is the operator's, in unix seconds; null where it is not. A key is known to
 * every node long before its first use, so nothing has to be learnt here.
 */
export const findOperatorEnd = (
  request: HttpRequest,
  at: number,
  parts: OperatorViewNeeds,
): number | null => {
  const secure = isSecure(parts)
  const browser = findCookie(request, 'browser', secure)
  const sealed = readSealed(cookie, findCookie(request, 'operator', secure) ?? '')
  if (sealed === null || browser === null) return null
  if (!verifySeal(sealed, parts.keyring, hashText(browser))) return null
  const { expiresAt } = sealed.says
  return expiresAt > at ? expiresAt : null
}
