/** Every flow of the playground, in the order in which they are read. */
import type { Flow, PlaygroundSite } from '../flow.ts'
import { apiFlow } from './api.ts'
import { assertionFlow, platformFlow, secretAssertionFlow } from './assertions.ts'
import { backchannelFlow } from './backchannel.ts'
import { codeFlow, implicitFlow, pkceFlow } from './browser.ts'
import { claimsFlow } from './claims.ts'
import { detailsFlow } from './details.ts'
import { deviceFlow } from './device.ts'
import { clientCredentialsFlow, extensionFlow, passwordFlow, refreshFlow } from './direct.ts'
import { metadataFlow, registrationFlow } from './discovery.ts'
import { dpopFlow } from './dpop.ts'
import { audienceFlow, forwardAuthFlow } from './elsewhere.ts'
import { exchangeFlow } from './exchange.ts'
import { grantsFlow } from './grants.ts'
import { hybridFlow } from './hybrid.ts'
import { jwtFlow } from './jwt.ts'
import { loginFlow } from './login.ts'
import { logoutFlow } from './logout.ts'
import { certificateFlow } from './mutual-tls.ts'
import { pairwiseFlow } from './pairwise.ts'
import { pauseFlow } from './pause.ts'
import { pushedRequestFlow } from './pushed-request.ts'
import { signalsFlow } from './signals.ts'
import { signedRequestFlow } from './signed-request.ts'
import { stepUpFlow } from './step-up.ts'
import { documentFlow, openRegistrationFlow } from './strangers.ts'
import { expiryFlow, introspectionFlow, revocationFlow } from './tokens.ts'
import { trustedIssuerFlow } from './trusted-issuer.ts'

export const flowsOf = ({
  extensions,
  proxy,
}: Pick<PlaygroundSite, 'extensions' | 'proxy'>): readonly Flow[] => [
  codeFlow,
  pkceFlow,
  implicitFlow,
  passwordFlow,
  clientCredentialsFlow,
  refreshFlow,
  deviceFlow,
  ...(extensions.length === 0 ? [] : [extensionFlow(extensions)]),
  apiFlow,
  introspectionFlow,
  revocationFlow,
  expiryFlow,
  pauseFlow,
  audienceFlow,
  detailsFlow,
  grantsFlow,
  forwardAuthFlow,
  dpopFlow,
  assertionFlow,
  secretAssertionFlow,
  platformFlow,
  // Without a proxy that is believed, no certificate ever arrives.
  ...(proxy === null ? [] : [certificateFlow]),
  exchangeFlow,
  registrationFlow,
  openRegistrationFlow,
  documentFlow,
  metadataFlow,
  loginFlow,
  hybridFlow,
  claimsFlow,
  stepUpFlow,
  logoutFlow,
  jwtFlow,
  signalsFlow,
  pairwiseFlow,
  signedRequestFlow,
  pushedRequestFlow,
  trustedIssuerFlow,
  backchannelFlow,
]
