/** Signals (Shared Signals Framework 1.0): APIs hear at once of tokens that end, or allow less. */
import { openAuthentication } from '../../clients/authenticate.ts'
import { answerPublicJson } from '../../http/answer.ts'
import type { ServiceParts } from '../../registries.ts'
import { openEntry } from '../../rooms/console/visit.ts'
import type { Pages } from '../../rooms/pages.ts'
import { type Handler, published, type RouteRow } from '../../route.ts'
import { openConsoleStreams } from './console-pages.ts'
import { deliveryMethods } from './describe.ts'
import { openPoll } from './poll.ts'
import { openStreams } from './streams.ts'

/** The configuration of the transmitter (SSF 1.0 section 7.1). */
const openTransmitter = ({ settings: { issuer, profile } }: ServiceParts): readonly RouteRow[] => {
  const token = 'urn:ietf:rfc:6749'
  // A secret is no proof under the strictest profile.
  const schemes = profile === 'fapi-2.0' ? [token] : [token, 'urn:ietf:rfc:7617']
  const show: Handler = () =>
    answerPublicJson({
      spec_version: '1_0',
      issuer,
      jwks_uri: `${issuer}/jwks`,
      delivery_methods_supported: Object.values(deliveryMethods),
      configuration_endpoint: `${issuer}/ssf/streams`,
      status_endpoint: `${issuer}/ssf/status`,
      verification_endpoint: `${issuer}/ssf/verification`,
      authorization_schemes: schemes.map((urn) => ({ spec_urn: urn })),
      // A receiver that knew the rest alone would end more than was ended.
      critical_subject_members: ['session'],
      // Every stream is about all tokens of its API.
      default_subjects: 'ALL',
    })
  return [{ ...published, path: '/.well-known/ssf-configuration', handler: show }]
}

export const openSignals = (given: ServiceParts, pages: Pages): readonly RouteRow[] => {
  const needs = { ...given, ...openAuthentication(given) }
  return [
    ...openTransmitter(given),
    ...openStreams(needs),
    ...openPoll(needs),
    ...openConsoleStreams(given, openEntry(given, pages)),
  ]
}
