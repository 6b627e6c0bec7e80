/** The revocation endpoint (RFC 7009). */
import { readClientForm } from '../../clients/authenticate.ts'
import { describeMethods } from '../../clients/methods/describe.ts'
import { answerJson } from '../../http/answer.ts'
import { type Handler, type MetadataFragment, openJson, type RouteRow } from '../../route.ts'
import { makeOnlyTrace } from '../../store/trace.ts'
import type { ClientNeeds } from './needs.ts'

const revokeMetadata: MetadataFragment = ({ settings, registries }) => ({
  revocation_endpoint: `${settings.issuer}/revoke`,
  ...describeMethods('revocation', registries.clientMethods),
})

export const openRevoke = ({ authenticate, tokens, meter }: ClientNeeds): readonly RouteRow[] => {
  /**
   * Answers `{}` for a token that is gone now, or was never there. The hint is not needed: a token
   * says itself what kind it is.
   */
  const revoke: Handler = async (exchange) => {
    const parameters = await readClientForm(exchange.request)
    const client = await authenticate(exchange, parameters)
    const ended = await tokens.revoke(parameters.require('token'), client, makeOnlyTrace(exchange))
    if (ended !== null) meter.countRevoked(ended)
    return answerJson({})
  }

  return [
    { ...openJson, method: 'POST', path: '/revoke', handler: revoke, metadata: revokeMetadata },
  ]
}
