/** The first page. */
import { demoClients, demoOwners } from '../demo/people.ts'
import type { Answer } from '../http/answer.ts'
import type { Exchange } from '../http/exchange.ts'
import { renderHome } from '../pages/home.ts'
import type { Parts } from '../parts.ts'
import { showPage, viewOf } from './view.ts'

export const home = (exchange: Exchange, parts: Parts): Answer => {
  const { settings } = parts
  const demo = settings.demo
    ? {
        owners: demoOwners,
        clients: demoClients.map(({ id, metadata, secret }) => ({
          id,
          name: metadata.client_name,
          secret,
          grantTypes: metadata.grant_types,
          redirectUris: 'redirect_uris' in metadata ? metadata.redirect_uris : [],
        })),
        curl: `curl -u nightly-report:nightly-report-secret -d grant_type=client_credentials ${settings.issuer}/token`,
      }
    : null
  const view = viewOf(exchange, parts)
  return showPage(view, renderHome({ view, issuer: settings.issuer, demo }))
}
