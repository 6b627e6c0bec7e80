/** Every flow of the playground, in the order in which they are read. */
import type { Flow, PlaygroundSite } from '../flow.ts'
import { apiFlow } from './api.ts'
import { codeFlow, implicitFlow, pkceFlow } from './browser.ts'
import { clientCredentialsFlow, extensionFlow, passwordFlow, refreshFlow } from './direct.ts'
import { metadataFlow, registrationFlow } from './discovery.ts'
import { audienceFlow, forwardAuthFlow } from './elsewhere.ts'
import { hybridFlow } from './hybrid.ts'
import { loginFlow } from './login.ts'
import { pauseFlow } from './pause.ts'
import { documentFlow, openRegistrationFlow } from './strangers.ts'
import { expiryFlow, introspectionFlow, revocationFlow } from './tokens.ts'

export const flowsOf = ({ extensions }: Pick<PlaygroundSite, 'extensions'>): readonly Flow[] => [
  codeFlow,
  pkceFlow,
  implicitFlow,
  passwordFlow,
  clientCredentialsFlow,
  refreshFlow,
  ...(extensions.length === 0 ? [] : [extensionFlow(extensions)]),
  apiFlow,
  introspectionFlow,
  revocationFlow,
  expiryFlow,
  pauseFlow,
  audienceFlow,
  forwardAuthFlow,
  registrationFlow,
  openRegistrationFlow,
  documentFlow,
  metadataFlow,
  loginFlow,
  hybridFlow,
]
