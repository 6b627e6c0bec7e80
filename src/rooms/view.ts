/** The view of a page: its language, the operator's brand, and paths below whatever path the issuer has. */
import type { Settings } from '../config/settings.ts'
import { findCookie, isSecure } from '../http/cookies.ts'
import type { Exchange } from '../http/exchange.ts'
import { findLanguage, preferLanguage } from '../http/language.ts'
import { getRawQuery } from '../http/request.ts'
import type { Journey } from '../journey/journey.ts'
import type { ClientId } from '../model/ids.ts'
import { type Language, pickText } from '../model/language.ts'
import { noPageChoices, type PageChoices } from '../model/owner.ts'
import { type Brand, linkKinds, type View } from '../paper/view.ts'
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
