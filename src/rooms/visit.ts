/** Visits to pages: the view of each with its language and brand, its answer, and paths below that of the issuer. */

import type { Settings } from '../config/settings.ts'
import { type Answer, answerRedirect, pageHeaders, scriptPolicy } from '../http/answer.ts'
import { findCookie, isSecure } from '../http/cookies.ts'
import type { Exchange } from '../http/exchange.ts'
import { getRawQuery } from '../http/request.ts'
import type { Journey } from '../journey/journey.ts'
import type { ClientId } from '../model/ids.ts'
import { findLanguage, type Language, pickText, preferLanguage } from '../model/language.ts'
import { noPageChoices, type PageChoices } from '../model/owner.ts'
import type { Visitor } from '../owners/session.ts'
import { addReference } from '../paper/error.ts'
import { type Brand, linkKinds, pageUrl, type View } from '../paper/view.ts'
import type { ServiceParts } from '../registries.ts'

/** The path of `{base_url}`, without a trailing slash: '' for an issuer at the root. */
export const getBasePath = ({ settings }: { readonly settings: Settings }): string =>
  new URL(settings.issuer).pathname.replace(/\/$/, '')

/** Another picture of a client has another URL, so this one may be cached for long. Null without one. */
export const getClientLogoPath = (
  clientId: ClientId,
  version: string | null,
  parts: { readonly settings: Settings },
): string | null =>
  version === null
    ? null
    : `${getBasePath(parts)}/assets/client-logo?${new URLSearchParams({ client_id: clientId, version })}`

export type ViewNeeds = Pick<ServiceParts, 'settings' | 'languages'>

/** `ui_locales` of the form-encoded parameters; a page about a malformed request reads it too. */
const readLocales = (parameters: string): string | null =>
  parameters.includes('locales') ? new URLSearchParams(parameters).get('ui_locales') : null

const getBrand = (language: Language, settings: Settings): Brand => {
  const { operatorName, logo, loginText, helpUrl, privacyUrl, termsUrl } = settings
  const links = { help: helpUrl, privacy: privacyUrl, terms: termsUrl }
  return {
    name: pickText(operatorName, language),
    hasLogo: logo !== null,
    loginText: loginText && pickText(loginText, language),
    links: linkKinds.flatMap((kind) => {
      const url = links[kind]
      return url === null ? [] : [{ kind, url: pickText(url, language) }]
    }),
  }
}

/**
 * In the language that the application asked for, else the URL, the owner, the browser.
 *
 * @param journey the authorization request behind the page; null if there is none
 * @param pages the choices of the owner who is logged in
 */
export const makeView = (
  { request, at, requestId }: Pick<Exchange, 'request' | 'at' | 'requestId'>,
  needs: ViewNeeds,
  journey: Pick<Journey, 'parameters'> | null = null,
  pages: PageChoices = noPageChoices,
): View => {
  const asked = journey && readLocales(journey.parameters)
  const locales = asked ?? readLocales(getRawQuery(request))
  const { languages } = needs
  const language =
    findLanguage(locales, languages) ??
    findLanguage(pages.language, languages) ??
    findLanguage(findCookie(request, 'language', isSecure(needs)), languages) ??
    preferLanguage(request.headers.get('accept-language'), languages)
  const brand = getBrand(language, needs.settings)
  const carried = locales === null ? '' : `?ui_locales=${language.lang}`
  return { base: getBasePath(needs), language, zone: pages.zone, carried, brand, at, requestId }
}

/** One request for a page: the exchange, the browser and login behind it, and the view. */
export interface Visit extends Exchange, Visitor {
  readonly view: View
  /** What the forms of the page carry. A form is accepted only with it. */
  readonly csrf: string
  /** The header that sets the browser's cookie; empty if it has one. */
  readonly cookies: readonly string[]
}

/** A visit by a browser that has a cookie, or gets one with this page. */
export interface BrowserVisit extends Visit {
  readonly browser: string
}

interface PageAnswer {
  readonly status?: number
  /** Why the page is a refusal: the door counts and logs it as a thrown one. */
  readonly reason?: string | null
  readonly waitSeconds?: number | null
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Answers with a page. Another browser may have got it in another language. A refusal shows its
 * reference. Only where a page loads one of our scripts, scripts may run.
 */
export const showPage = (
  { view, cookies = [] }: Pick<Visit, 'view'> & Partial<Pick<Visit, 'cookies'>>,
  html: string,
  { status = 200, reason = null, waitSeconds = null, headers = {} }: PageAnswer = {},
): Answer => ({
  status,
  headers: {
    ...pageHeaders,
    'Content-Language': view.language.lang,
    Vary: 'Accept-Language',
    ...(html.includes('<script ') ? scriptPolicy : {}),
    ...(waitSeconds === null ? {} : { 'Retry-After': String(waitSeconds) }),
    ...headers,
    ...(cookies.length === 0 ? {} : { 'Set-Cookie': [...cookies] }),
  },
  body: reason === null ? html : addReference(html, view),
  ...(reason === null ? {} : { reason }),
})

/** Redirects to one of our pages by 303 (See Other), and keeps the language that was asked for. */
export const answerSeeOther = (
  { view }: Pick<Visit, 'view'>,
  path: `/${string}`,
  query: Readonly<Record<string, string>> = {},
  cookies: readonly string[] = [],
): Answer => answerRedirect(pageUrl(view, path, query), 303, cookies)
