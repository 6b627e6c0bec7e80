/** The authorization server: OAuth 2.0 and OpenID Connect. */

import type { MetadataFragment } from '../../route.ts'
import { type FormerRow, json, openJson, page, published } from '../../route.ts'
import { authorize, authorizeMetadata } from './authorize.ts'
import { consent, showConsentPage } from './consent/endpoint.ts'
import { explainPosted, explainReference } from './explain.ts'
import { introspect, introspectMetadata } from './introspect.ts'
import {
  jwks,
  jwksMetadata,
  metadataEndpoint,
  openidMetadata,
  serviceMetadata,
} from './metadata.ts'
import {
  changeRegistration,
  deleteRegistration,
  readRegistration,
  register,
  registerMetadata,
} from './register.ts'
import { resume, showResumePage } from './resume.ts'
import { pollRevocations, revocationFeedMetadata } from './revocation-feed.ts'
import { revoke, revokeMetadata } from './revoke.ts'
import { token, tokenMetadata } from './token.ts'

export const oauthRows: readonly FormerRow[] = [
  { ...page, method: 'GET', path: '/authorize', handler: authorize, metadata: authorizeMetadata },
  { ...page, method: 'POST', path: '/authorize', handler: authorize },
  { ...page, method: 'GET', path: '/consent', handler: showConsentPage },
  { ...page, method: 'POST', path: '/consent', handler: consent },
  { ...page, method: 'GET', path: '/resume', handler: showResumePage },
  { ...page, method: 'POST', path: '/resume', handler: resume },
  { ...openJson, method: 'POST', path: '/token', handler: token, metadata: tokenMetadata },
  { ...openJson, method: 'POST', path: '/revoke', handler: revoke, metadata: revokeMetadata },
  {
    ...json,
    method: 'POST',
    path: '/introspect',
    handler: introspect,
    metadata: introspectMetadata,
  },
  { ...json, method: 'GET', path: '/explain/:reference', handler: explainReference },
  { ...json, method: 'POST', path: '/explain', handler: explainPosted },
  {
    ...json,
    method: 'POST',
    path: '/revocation-feed',
    handler: pollRevocations,
    metadata: revocationFeedMetadata,
  },
  { ...openJson, method: 'POST', path: '/register', handler: register, metadata: registerMetadata },
  { ...openJson, method: 'GET', path: '/register/:client_id', handler: readRegistration },
  { ...openJson, method: 'PUT', path: '/register/:client_id', handler: changeRegistration },
  { ...openJson, method: 'DELETE', path: '/register/:client_id', handler: deleteRegistration },
  { ...published, path: '/jwks', handler: jwks, metadata: jwksMetadata },
]

/** Members of the metadata that belong to no row. */
export const serviceFragments: readonly MetadataFragment[] = [serviceMetadata, openidMetadata]

/** @param fragments of all rows (RFC 8414, OpenID Connect Discovery) */
export const metadataRows = (fragments: readonly MetadataFragment[]): readonly FormerRow[] => {
  const handler = metadataEndpoint(fragments)
  return [
    { ...published, path: '/.well-known/oauth-authorization-server', handler },
    { ...published, path: '/.well-known/openid-configuration', handler },
  ]
}
