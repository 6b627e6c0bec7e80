/** The revocation endpoint (RFC 7009). */
import { authenticateClient, readClientForm } from '../../clients/authenticate.ts'
import { type Answer, answerJson } from '../../http/answer.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { ServiceParts } from '../../registries.ts'
import type { MetadataFragment } from '../../route.ts'
import { onlyTraceOf } from '../../store/trace.ts'
import { revokeToken } from '../../tokens/revoke.ts'

/**
 * Answers `{}` for a token that is gone now, or was never there. The hint is not needed: a token
 * says itself what kind it is.
 */
export const revoke = async (exchange: Exchange, parts: ServiceParts): Promise<Answer> => {
  const parameters = await readClientForm(exchange.request)
  const client = await authenticateClient(exchange, parameters, parts)
  const trace = onlyTraceOf(exchange)
  const ended = await revokeToken(parameters.require('token'), client, trace, parts)
  if (ended !== null) parts.meter.countRevoked(ended)
  return answerJson({})
}

export const revokeMetadata: MetadataFragment = ({ settings, registries }) => ({
  revocation_endpoint: `${settings.issuer}/revoke`,
  revocation_endpoint_auth_methods_supported: registries.clientMethods.map(({ name }) => name),
})
