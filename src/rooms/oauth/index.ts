/** The authorization server: OAuth 2.0 and OpenID Connect. */

import { openAuthentication } from '../../clients/authenticate.ts'
import type { ServiceParts } from '../../registries.ts'
import type { RouteRow } from '../../route.ts'
import type { Pages } from '../pages.ts'
import { openAuthorize } from './authorize.ts'
import { openConsent } from './consent/endpoint.ts'
import { openExplain } from './explain.ts'
import { openIntrospect } from './introspect.ts'
import { openJwks } from './metadata.ts'
import { openNotAllowed } from './not-allowed.ts'
import { openPar } from './par.ts'
import { openRegistration } from './register.ts'
import { openResume } from './resume.ts'
import { openRevocationFeed } from './revocation-feed.ts'
import { openRevoke } from './revoke.ts'
import { openToken } from './token.ts'

export { openMetadata } from './metadata.ts'

export const openOauth = (given: ServiceParts, pages: Pages): readonly RouteRow[] => {
  const needs = { ...given, ...openAuthentication(given) }
  return [
    ...openAuthorize(needs),
    ...openConsent(needs, pages),
    ...openResume(needs, pages),
    ...openNotAllowed(needs, pages),
    ...openPar(needs),
    ...openToken(needs),
    ...openRevoke(needs),
    ...openIntrospect(needs),
    ...openExplain(needs),
    ...openRevocationFeed(needs),
    ...openRegistration(needs),
    ...openJwks(needs),
  ]
}
