/**
 * The name or address that somebody typed, for the next page of this browser. No URL holds it: those
 * are kept in histories and logs.
 */

import { limits } from '../config/limits.ts'
import { linkLimits } from '../config/link-limits.ts'
import { findCookie, setCookie } from '../http/cookies.ts'
import { isSecure } from '../owners/secure.ts'
import type { ServiceParts } from '../registries.ts'
import type { Visit } from './visit.ts'

/** The header of its cookie. */
export const keepTypedName = (name: string, parts: Pick<ServiceParts, 'settings'>): string =>
  setCookie(
    'typed',
    Buffer.from(name).toString('base64url'),
    isSecure(parts),
    linkLimits.typedSeconds,
  )

/** '' where none is kept. It is shown only, and looked up nowhere. */
export const findTypedName = (
  { request }: Pick<Visit, 'request'>,
  parts: Pick<ServiceParts, 'settings'>,
): string =>
  Buffer.from(findCookie(request, 'typed', isSecure(parts)) ?? '', 'base64url')
    .toString()
    .replace(/\p{C}+/gu, '')
    .slice(0, limits.emailCharacters)
