/** Pages on their way out: in which language and whose they are. */
import type { Settings } from '../../config/settings.ts'
import { type Answer, answerPage, answerRedirect } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { chooseLanguage } from '../../http/language.ts'
import { rawQuery } from '../../http/request.ts'
import type { Journey } from '../../journey/journey.ts'
import { type Language, languages } from '../../model/language.ts'
import { type Brand, linkKinds, pageUrl, type View } from '../../pages/view.ts'
import type { Parts } from '../../parts.ts'
import { basePath } from './paths.ts'

/** `ui_locales` of the form-encoded parameters; a page about a malformed request reads it too. */
const localesIn = (parameters: string): string | null =>
  new URLSearchParams(parameters).get('ui_locales')

const brandIn = (language: Language, settings: Settings): Brand => {
  const { operatorName, logo, loginText, helpUrl, privacyUrl, termsUrl } = settings
  const links = { help: helpUrl, privacy: privacyUrl, terms: termsUrl }
  return {
    name: operatorName[language],
    hasLogo: logo !== null,
    loginText: loginText?.[language] ?? null,
    links: linkKinds.flatMap((kind) => {
      const url = links[kind]?.[language]
      return url === undefined ? [] : [{ kind, url }]
    }),
  }
}

/**
 * In the language that the application asked for, else the URL, else the browser.
 *
 * @param journey the authorization request that the page is part of, where there is one
 */
export const viewOf = (
  { request, at }: Pick<Exchange, 'request' | 'at'>,
  parts: Pick<Parts, 'settings'>,
  journey: Pick<Journey, 'parameters'> | null = null,
): View => {
  const asked = journey && localesIn(journey.parameters)
  const locales = asked ?? localesIn(rawQuery(request))
  const language = chooseLanguage(locales, request.headers.get('accept-language'))
  const brand = brandIn(language, parts.settings)
  const carried = locales === null ? '' : `?ui_locales=${languages[language].tag}`
  return { base: basePath(parts), language, carried, brand, at }
}

/** Answers with a page, and says that another browser may have got it in another language. */
export const showPage = (
  { language }: View,
  html: string,
  status = 200,
  cookies: readonly string[] = [],
  headers: Readonly<Record<string, string>> = {},
): Answer =>
  answerPage(html, status, cookies, {
    'Content-Language': languages[language].tag,
    Vary: 'Accept-Language',
    ...headers,
  })

/** Leads to a page of ours by 303 (See Other), in the language that was asked for. */
export const answerSeeOther = (
  path: `/${string}`,
  query: Readonly<Record<string, string>>,
  exchange: Exchange,
  parts: Pick<Parts, 'settings'>,
  cookies: readonly string[] = [],
): Answer => answerRedirect(pageUrl(viewOf(exchange, parts), path, query), 303, cookies)

/** Where a journey goes on: one of our own pages, the sealed request and the language travelling along. */
export const pagePath = (
  page: 'authorize' | 'login' | 'consent',
  journey: string,
  exchange: Exchange,
  parts: Pick<Parts, 'settings'>,
): string => pageUrl(viewOf(exchange, parts), `/${page}`, { journey })
