/** Pages on their way out: in which language and whose they are. */
import { type Answer, answerPage } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { chooseLanguage } from '../http/language.ts'
import { rawQuery } from '../http/request.ts'
import type { Journey } from '../journey/journey.ts'
import { languages } from '../model/language.ts'
import type { View } from '../pages/view.ts'
import type { Parts } from '../parts.ts'
import { basePath } from './paths.ts'

/** `ui_locales` of the form-encoded parameters; a page about a malformed request reads it too. */
const localesIn = (parameters: string): string | null =>
  new URLSearchParams(parameters).get('ui_locales')

/** @param journey the authorization request that the page is part of, where there is one */
export const viewOf = (
  { request }: Pick<Exchange, 'request'>,
  parts: Pick<Parts, 'settings'>,
  journey: Journey | null = null,
): View => ({
  base: basePath(parts),
  language: chooseLanguage(
    localesIn(journey?.parameters ?? rawQuery(request)),
    request.headers.get('accept-language'),
  ),
  brand: { name: 'Latchkey', hasLogo: false, loginText: null, links: [] },
})

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
