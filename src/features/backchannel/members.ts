/** The members of a registration about backchannel requests, and what they have to be to one another. */
import { invalidMetadata } from '../../clients/invalid.ts'
import type { Client } from '../../model/client.ts'
import { signatureAlgorithms } from '../../model/key.ts'
import type { Z } from '../../protocol/schema.ts'
import { requestLimits } from '../../requests/limits.ts'
import { findUriFault, quoteUri } from '../../requests/redirect-uri.ts'

export const deliveryModes = ['poll', 'ping'] as const

const { redirectUriCharacters: most } = requestLimits

/** An operator takes one back with `null`. */
export const backchannelMembers = {
  backchannel_token_delivery_mode: (z: Z) =>
    z.enum(deliveryModes).nullish().describe(deliveryModes.join(' or ')),
  backchannel_client_notification_endpoint: (z: Z) =>
    z.string().max(most).nullish().describe(`an https URL of at most ${most} characters`),
  backchannel_authentication_request_signing_alg: (z: Z) =>
    z.enum(signatureAlgorithms).nullish().describe(signatureAlgorithms.join(', ')),
} as const

/** Http leads to this machine only, and only the demo sends anything there. */
const isReachable = (uri: string, isDemo: boolean): boolean =>
  findUriFault(uri) === null && (isDemo ? /^https?:\/\//.test(uri) : uri.startsWith('https://'))

/** @throws Refusal `invalid_client_metadata` */
export const checkBackchannel = ({ openid }: Pick<Client, 'openid'>, isDemo: boolean): void => {
  const {
    backchannel_token_delivery_mode: mode,
    backchannel_client_notification_endpoint: endpoint,
    backchannel_authentication_request_signing_alg: algorithm,
    jwks,
    jwks_uri: keys,
  } = openid
  if (mode === 'ping' && endpoint === undefined) {
    const said =
      'backchannel_token_delivery_mode ping needs backchannel_client_notification_endpoint'
    throw invalidMetadata('ping_without_endpoint', said)
  }
  if (endpoint !== undefined && !isReachable(endpoint, isDemo)) {
    const fault = `has to be https without a fragment${isDemo ? ', or http on a loopback address' : ''}`
    const said = `backchannel_client_notification_endpoint ${quoteUri(endpoint)} ${fault}`
    throw invalidMetadata('bad_notification_endpoint', said)
  }
  if (algorithm !== undefined && (jwks ?? keys) === undefined) {
    const said = 'needs the keys of the client: jwks or jwks_uri'
    const member = 'backchannel_authentication_request_signing_alg'
    throw invalidMetadata('missing_keys', `${member} ${said}`)
  }
}
