/** The first page. */
import { demoClients, demoOwners } from '../demo/people.ts'
import { renderHome } from '../pages/home.ts'
import type { FlowName } from '../pages/words/playground-flows.ts'
import type { Endpoint } from './door.ts'
import { showPage, viewOf } from './view.ts'

/** @param flows of the playground, for the demo's first page */
export const home =
  (flows: readonly FlowName[]): Endpoint =>
  (exchange, parts) => {
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
          curl: `curl -s -u nightly-report:nightly-report-secret -d grant_type=client_credentials ${settings.issuer}/token`,
          flows,
        }
      : null
    const view = viewOf(exchange, parts)
    return showPage(view, renderHome({ view, issuer: settings.issuer, demo }))
  }
