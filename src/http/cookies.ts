/** Cookies of the pages (RFC 6265bis): out of reach of scripts, of other hosts and of other sites. */
import { parse, serialize } from 'hono/utils/cookie'
import type { Settings } from '../config/settings.ts'
import type { HttpRequest } from './request.ts'

/** Whether cookies travel over https only. */
export const isSecure = ({ settings }: { readonly settings: Settings }): boolean =>
  settings.issuer.startsWith('https:')

const secret = /^[A-Za-z0-9_-]{43}$/
/**
 * `browser` names a browser before anyone logs in. `session` is a login: a secret behind the shard key of its
 * owner. `operator` is a sealed
 * statement. `known` is a list of them, one for each owner who logged in here before. `language` is
 * the tag that an owner chose for pages. `waiting` is the authorization request that waits for a mail,
 * sealed. `typed` is a name for the next page to repeat, and `sent` names the mails that this page can
 * cancel, sealed. `way` is the way of the latest login: never whose it was.
 */
const forms = {
  browser: secret,
  session: /^([0-9a-f]{3}\.)?[A-Za-z0-9_-]{43}$/,
  operator: /^[A-Za-z0-9_-]{44,200}$/,
  known: /^[A-Za-z0-9_.-]{44,1700}$/,
  language: /^[A-Za-z0-9-]{2,30}$/,
  waiting: /^[A-Za-z0-9_-]{44,3900}$/,
  typed: /^[A-Za-z0-9_-]{1,1400}$/,
  sent: /^[A-Za-z0-9_-]{44,1000}$/,
  way: /^[a-z0-9.-]{1,40}$/,
} as const

export type CookieName = keyof typeof forms

/** On https the `__Host-` prefix keeps subdomains and plain http from setting the cookie. */
const getWireName = (name: CookieName, secure: boolean): string =>
  `${secure ? '__Host-' : ''}latchkey_${name}`

export const findCookie = (
  request: HttpRequest,
  name: CookieName,
  secure: boolean,
): string | null => {
  const header = request.headers.get('cookie')
  if (header === null) return null
  const wire = getWireName(name, secure)
  const value = parse(header, wire)[wire]
  return value !== undefined && forms[name].test(value) ? value : null
}

/**
 * A `Set-Cookie` header; an empty value removes the cookie.
 *
 * @param maxAge seconds; without it the cookie goes when the browser is closed
 */
export const setCookie = (
  name: CookieName,
  value: string,
  secure: boolean,
  maxAge: number | null = null,
): string =>
  serialize(getWireName(name, secure), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    ...(value === '' ? { maxAge: 0 } : {}),
    ...(maxAge === null ? {} : { maxAge }),
  })
