/** Signals (Shared Signals Framework 1.0): APIs hear at once of tokens that end, or allow less. */
import { openAuthentication } from '../../clients/authenticate.ts'
import { answerPublicJson } from '../../http/answer.ts'
import type { ServiceParts } from '../../registries.ts'
import { type Handler, published, type RouteRow } from '../../route.ts'
import { deliveryMethods } from './describe.ts'
import { openPoll } from './poll.ts'
import { openStreams } from './streams.ts'

/** The configuration of the transmitter (SSF 1.0 section 7.1). */
const openTransmitter = ({ settings: { issuer } }: ServiceParts): readonly RouteRow[] => {
  const show: Handler = () =>
    answerPublicJson({
      spec_version: '1_0',
      issuer,
      jwks_uri: `${issuer}/jwks`,
      delivery_methods_supported: Object.values(deliveryMethods),
      configuration_endpoint: `${issuer}/ssf/streams`,
      status_endpoint: `${issuer}/ssf/status`,
      verification_endpoint: `${issuer}/ssf/verification`,
      authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }, { spec_urn: 'urn:ietf:rfc:7617' }],
      // Every stream is about all tokens of its API.
      default_subjects: 'ALL',
    })
  return [{ ...published, path: '/.well-known/ssf-configuration', handler: show }]
}

export const openSignals = (given: ServiceParts): readonly RouteRow[] => {
  const needs = { ...given, ...openAuthentication(given) }
  return [...openTransmitter(given), ...openStreams(needs), ...openPoll(needs)]
}
