/** The first page of the demo. */
import {
  demoClients,
  demoOwners,
  formatTokenCommand,
  placeRedirectUri,
} from '../src/demo/people.ts'
import { showPage, type ViewNeeds } from '../src/rooms/visit.ts'
import type { Handler } from '../src/route.ts'
import type { Flow } from './flow.ts'
import { renderTour } from './pages/tour.ts'
import { playgroundView } from './view.ts'

const clientsAt = (issuer: string) =>
  demoClients.map(({ id, metadata, secret }) => ({
    id,
    name: metadata.client_name,
    secret,
    grantTypes: metadata.grant_types,
    redirectUris:
      'redirect_uris' in metadata
        ? metadata.redirect_uris.map((uri) => placeRedirectUri(issuer, uri))
        : [],
  }))

const attacksIn = (flows: readonly Flow[]): number =>
  flows.reduce((sum, { attacks }) => sum + attacks.length, 0)

/** `GET /` */
export const showTour =
  (flows: readonly Flow[], needs: ViewNeeds): Handler =>
  (exchange) => {
    const { issuer } = needs.settings
    const view = playgroundView(exchange, needs)
    const curl = formatTokenCommand(issuer, needs.settings)
    const clients = clientsAt(issuer)
    const of = { flows: flows.map(({ name }) => name), attacks: attacksIn(flows) }
    return showPage(
      { view },
      renderTour({ view, issuer, owners: demoOwners, clients, curl, ...of }),
    )
  }
