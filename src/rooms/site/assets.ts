/** What pages load: the stylesheet, the icon, the operator's logo, and scripts. */
import { type Answer, answerAsset, answerText } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { renderStylesheet, scripts } from '../../paper/assets.ts'
import { renderIcon } from '../../paper/icon.ts'
import { Refusal } from '../../protocol/refusal.ts'
import type { ServiceParts } from '../../registries.ts'
import { asset, type FormerRow } from '../../route.ts'

type BrandParts = Pick<ServiceParts, 'settings'>

const accentOf = ({ settings }: BrandParts) => ({
  light: settings.accentColor,
  dark: settings.accentColorDark,
})

/** @param further styles of pages that are not always there */
export const serveStylesheet = (further: string) => {
  const answer = answerText('text/css; charset=utf-8')
  return ({ request }: Exchange, parts: BrandParts): Answer =>
    answer(renderStylesheet(accentOf(parts), further), request.headers.get('accept-encoding'))
}

const serveScript = (script: string) => {
  const answer = answerText('text/javascript; charset=utf-8')
  return ({ request }: Exchange): Answer => answer(script, request.headers.get('accept-encoding'))
}

/** `GET /assets/{name}.js` */
export const scriptRows: readonly FormerRow[] = Object.entries(scripts).map(([name, script]) => ({
  ...asset,
  path: `/assets/${name}.js`,
  handler: serveScript(script),
}))

/** `GET /assets/icon.svg`, and `/favicon.ico` for whoever looks there without having read a page. */
export const serveIcon = (_exchange: Exchange, parts: BrandParts): Answer =>
  answerAsset('image/svg+xml', renderIcon(accentOf(parts)))

/** `GET /assets/logo` */
export const serveLogo = (_exchange: Exchange, { settings }: BrandParts): Answer => {
  if (settings.logo === null) throw new Refusal('not_found', 'no_logo', 'there is no logo')
  return answerAsset(settings.logo.type, settings.logo.bytes)
}
