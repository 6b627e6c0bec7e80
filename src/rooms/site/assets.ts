/** What pages load: the stylesheet, the icon, the logos of the operator and of clients, and scripts. */

import type { Settings } from '../../config/settings.ts'
import { type Answer, answerAsset, answerPicture, answerText } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import { queryOf } from '../../http/request.ts'
import type { ClientId } from '../../model/ids.ts'
import { renderStylesheet, scripts } from '../../paper/assets.ts'
import { renderIcon } from '../../paper/icon.ts'
import { Refusal } from '../../protocol/refusal.ts'
import { asset, type RouteRow } from '../../route.ts'
import type { Store } from '../../store/store.ts'

/** A text that is compressed once for each encoding. */
const serveText = (type: string, text: string) => {
  const answer = answerText(type)
  return ({ request }: Exchange): Answer => answer(text, request.headers.get('accept-encoding'))
}

const scriptRows: readonly RouteRow[] = Object.entries(scripts).map(([name, script]) => ({
  ...asset,
  path: `/assets/${name}.js`,
  handler: serveText('text/javascript; charset=utf-8', script),
}))

export interface AssetsNeeds {
  readonly settings: Settings
  readonly store: Store
}

/** @param further styles of pages that are not always there */
export const openAssets = (
  { settings, store }: AssetsNeeds,
  further: string,
): readonly RouteRow[] => {
  const accent = { light: settings.accentColor, dark: settings.accentColorDark }

  const stylesheet = renderStylesheet(accent, settings.look, further)
  const serveStylesheet = serveText('text/css; charset=utf-8', stylesheet)

  /** Also for whoever looks for `/favicon.ico` without having read a page. */
  const serveIcon = (): Answer => answerAsset('image/svg+xml', renderIcon(accent))

  const serveLogo = (): Answer => {
    if (settings.logo === null) throw new Refusal('not_found', 'no_logo', 'there is no logo')
    return answerAsset(settings.logo.type, settings.logo.bytes)
  }

  /** The picture of a client, as this service keeps it: `?client_id=ID&version=VERSION`. */
  const serveClientLogo = async ({ request }: Exchange): Promise<Answer> => {
    const query = queryOf(request)
    const logo = await store.findClientLogo(query.require('client_id') as ClientId)
    if (logo === null || logo.version !== query.require('version')) {
      throw new Refusal('not_found', 'no_client_logo', 'there is no such logo')
    }
    return answerPicture(logo.type, Uint8Array.from(Buffer.from(logo.content, 'base64')))
  }

  return [
    { ...asset, path: '/assets/latchkey.css', handler: serveStylesheet },
    { ...asset, path: '/assets/icon.svg', handler: serveIcon },
    { ...asset, path: '/assets/client-logo', handler: serveClientLogo },
    { ...asset, path: '/assets/logo', handler: serveLogo },
    ...scriptRows,
    { ...asset, path: '/favicon.ico', handler: serveIcon },
  ]
}
