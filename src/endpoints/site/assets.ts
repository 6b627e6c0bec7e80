/** What pages load: the stylesheet, the icon, the operator's logo, and scripts. */
import { type Answer, answerAsset } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { consentScript } from '../../pages/consent-script.ts'
import { formPostScript } from '../../pages/form-post-script.ts'
import { renderIcon } from '../../pages/icon.ts'
import { passkeysScript } from '../../pages/passkeys-script.ts'
import { renderStylesheet } from '../../pages/stylesheet.ts'
import type { Parts } from '../../parts.ts'
import { Refusal } from '../../protocol/refusal.ts'

type BrandParts = Pick<Parts, 'settings'>

const accentOf = ({ settings }: BrandParts) => ({
  light: settings.accentColor,
  dark: settings.accentColorDark,
})

/** @param further styles of pages that are not always there */
export const serveStylesheet =
  (further: string) =>
  (_exchange: Exchange, parts: BrandParts): Answer =>
    answerAsset('text/css; charset=utf-8', renderStylesheet(accentOf(parts), further))

/** `GET /assets/passkeys.js` */
export const servePasskeysScript = (): Answer =>
  answerAsset('text/javascript; charset=utf-8', passkeysScript)

/** `GET /assets/consent.js` */
export const serveConsentScript = (): Answer =>
  answerAsset('text/javascript; charset=utf-8', consentScript)

/** `GET /assets/form-post.js` */
export const serveFormPostScript = (): Answer =>
  answerAsset('text/javascript; charset=utf-8', formPostScript)

/** `GET /assets/icon.svg`, and `/favicon.ico` for whoever looks there without having read a page. */
export const serveIcon = (_exchange: Exchange, parts: BrandParts): Answer =>
  answerAsset('image/svg+xml', renderIcon(accentOf(parts)))

/** `GET /assets/logo` */
export const serveLogo = (_exchange: Exchange, { settings }: BrandParts): Answer => {
  if (settings.logo === null) throw new Refusal('not_found', 'no_logo', 'there is no logo')
  return answerAsset(settings.logo.type, settings.logo.bytes)
}
