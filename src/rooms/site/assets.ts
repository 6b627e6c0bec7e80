/** What pages load: the stylesheet, the icon, the operator's logo, and scripts. */
import { type Answer, answerAsset } from '../../http/answer.ts'
import { answerText } from '../../http/compressed.ts'
import type { Exchange } from '../../http/exchange.ts'
import { renderIcon } from '../../paper/icon.ts'
import { consentScript } from '../../paper/scripts/consent.ts'
import { formPostScript } from '../../paper/scripts/form-post.ts'
import { liveScript } from '../../paper/scripts/live.ts'
import { passkeysScript } from '../../paper/scripts/passkeys.ts'
import { passwordsScript } from '../../paper/scripts/passwords.ts'
import { recoveryScript } from '../../paper/scripts/recovery.ts'
import { timesScript } from '../../paper/scripts/times.ts'
import { renderStylesheet } from '../../paper/stylesheet.ts'
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

const scripts = {
  consent: consentScript,
  'form-post': formPostScript,
  live: liveScript,
  // A page loads one script at most, so this one writes the times as well.
  passkeys: `${passkeysScript}\n{\n${timesScript}}\n`,
  passwords: passwordsScript,
  recovery: recoveryScript,
  times: timesScript,
} as const

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
