/**
 * The name or address that somebody typed, for the next page of this browser. No URL holds it: those
 * are kept in histories and logs.
 */
import { findCookie, setCookie } from '../http/cookies.ts'
import { isSecure } from '../owners/secure.ts'
import { parameterLimits } from '../protocol/parameters.ts'
import type { ServiceParts } from '../registries.ts'
import type { Visit } from './visit.ts'

/** The page after a form repeats the typed name, and the login after a reset has it, for so long. */
const typedSeconds = 600

/** The header of its cookie. */
export const keepTypedName = (name: string, parts: Pick<ServiceParts, 'settings'>): string =>
  setCookie('typed', Buffer.from(name).toString('base64url'), isSecure(parts), typedSeconds)

/** '' where none is kept. It is shown only, and looked up nowhere. */
export const findTypedName = (
  { request }: Pick<Visit, 'request'>,
  parts: Pick<ServiceParts, 'settings'>,
): string =>
  Buffer.from(findCookie(request, 'typed', isSecure(parts)) ?? '', 'base64url')
    .toString()
    .replace(/\p{C}+/gu, '')
    .slice(0, parameterLimits.emailCharacters)
