/** Every URL of the service, on one screen. */

import type { Playground } from '../playground/playground.ts'
import type { AskMetrics } from './events/open-metrics.ts'
import type { Mailbox } from './mail/open.ts'
import { adminRoutes } from './operations/surface/api.ts'
import { showAccessPage } from './rooms/account/access/endpoint.ts'
import { changeAccount } from './rooms/account/applications/changes.ts'
import { showAccountPage } from './rooms/account/applications/endpoint.ts'
import { confirm, showConfirmPage } from './rooms/account/confirm/endpoint.ts'
import { deleteAccount, showDelete } from './rooms/account/deletion/delete.ts'
import { decideDeletion, showLeaving } from './rooms/account/deletion/leaving.ts'
import { download, showDownload } from './rooms/account/download/endpoint.ts'
import { changeEmail, showEmailPage } from './rooms/account/email/endpoint.ts'
import { showEnded } from './rooms/account/ended/endpoint.ts'
import { showEvents } from './rooms/account/events/endpoint.ts'
import { showLedger } from './rooms/account/ledger/endpoint.ts'
import { downloadLedger } from './rooms/account/ledger/file.ts'
import { choosePassword, showPasswordPage } from './rooms/account/password/endpoint.ts'
import { changeProfile, showProfile } from './rooms/account/profile/endpoint.ts'
import { setUpCodes, showCodesSetup } from './rooms/account/security/codes.ts'
import { changeSecurity, showSecurityPage } from './rooms/account/security/endpoint.ts'
import { keepRecoveryCodes, showRecoveryCodes } from './rooms/account/security/recovery-codes.ts'
import { changeSessions, showSessions } from './rooms/account/sessions/endpoint.ts'
import { changeUpstreams, showDirectoryLink } from './rooms/account/upstreams/endpoint.ts'
import { forwardAuth } from './rooms/api/forward-auth.ts'
import { protectedResourceMetadata, resourcesMetadata } from './rooms/api/resource-metadata.ts'
import {
  createItem,
  deleteItem,
  listItems,
  putItem,
  readItem,
  readItemByForm,
} from './rooms/api/resources.ts'
import { userinfo, userinfoMetadata } from './rooms/api/userinfo.ts'
import { consoleRows } from './rooms/console/index.ts'
import type { Route, RouteRow } from './rooms/enter.ts'
import { showUpstreamLogin } from './rooms/login/directory.ts'
import { logIn, showLoginPage } from './rooms/login/login.ts'
import { logOut, logoutMetadata, showLogoutPage } from './rooms/login/logout.ts'
import { createFromUpstream } from './rooms/login/newcomer.ts'
import { logInWithPasskey } from './rooms/login/passkey-login.ts'
import { showSecondStep, takeSecondStep } from './rooms/login/second-step.ts'
import { beginUpstreamLogin, finishUpstreamTrip } from './rooms/login/upstream.ts'
import type { MetadataFragment } from './rooms/metadata.ts'
import { authorize, authorizeMetadata } from './rooms/oauth/authorize.ts'
import { consent, showConsentPage } from './rooms/oauth/consent/endpoint.ts'
import { explainPosted, explainReference } from './rooms/oauth/explain.ts'
import { introspect, introspectMetadata } from './rooms/oauth/introspect.ts'
import { jwks, jwksMetadata } from './rooms/oauth/jwks.ts'
import { metadataEndpoint, openidMetadata, serviceMetadata } from './rooms/oauth/metadata.ts'
import {
  changeRegistration,
  deleteRegistration,
  readRegistration,
  register,
  registerMetadata,
} from './rooms/oauth/register.ts'
import { resume, showResumePage } from './rooms/oauth/resume.ts'
import { pollRevocations, revocationFeedMetadata } from './rooms/oauth/revocation-feed.ts'
import { revoke, revokeMetadata } from './rooms/oauth/revoke.ts'
import { token, tokenMetadata } from './rooms/oauth/token.ts'
import { live, readyEndpoint } from './rooms/operator/health.ts'
import { metricsEndpoint } from './rooms/operator/metrics.ts'
import { changeOperatorView, showOperatorPage } from './rooms/operator/operator.ts'
import { scriptRows, serveIcon, serveLogo, serveStylesheet } from './rooms/site/assets.ts'
import { serveClientLogo } from './rooms/site/client-logo.ts'
import { home } from './rooms/site/home.ts'
import { changePasswordUrl } from './rooms/ways/change-password.ts'
import { askForReset, showForgotPage } from './rooms/ways/forgot.ts'
import { mailboxPage } from './rooms/ways/mailbox.ts'
import {
  acceptInvitation,
  resetPassword,
  showInvitePage,
  showResetPage,
} from './rooms/ways/reset.ts'
import { showSignUpPage, signUp } from './rooms/ways/sign-up.ts'
import { showVerifyPage, verifyEmail } from './rooms/ways/verify.ts'

/** The authorization server metadata (RFC 8414): each endpoint contributes its own members. */
export const metadataFragments: readonly MetadataFragment[] = [
  serviceMetadata,
  openidMetadata,
  authorizeMetadata,
  tokenMetadata,
  revokeMetadata,
  introspectMetadata,
  revocationFeedMetadata,
  registerMetadata,
  userinfoMetadata,
  jwksMetadata,
  logoutMetadata,
  resourcesMetadata,
]

const metadata = metadataEndpoint(metadataFragments)

const mailboxRows = (mailbox: Mailbox | null): readonly RouteRow[] =>
  mailbox === null ? [] : [['GET', '/mailbox', mailboxPage(mailbox), 'page', 'closed']]

/** The metadata of resources (RFC 9728 section 3). */
const ofResource = '/.well-known/oauth-protected-resource'

const rows = (
  metrics: AskMetrics,
  playground: Playground | null,
  mailbox: Mailbox | null,
): readonly RouteRow[] => [
  // Method, path, endpoint, how it refuses, whether pages of other origins may read the answer
  ['GET', '/', playground?.home ?? home, 'page', 'closed'],
  ['GET', '/assets/latchkey.css', serveStylesheet(playground?.styles ?? ''), 'page', 'closed'],
  ['GET', '/assets/icon.svg', serveIcon, 'page', 'closed'],
  ['GET', '/assets/client-logo', serveClientLogo, 'page', 'closed'],
  ['GET', '/assets/logo', serveLogo, 'page', 'closed'],
  ...scriptRows,
  ['GET', '/favicon.ico', serveIcon, 'page', 'closed'],
  ['GET', '/authorize', authorize, 'page', 'closed'],
  ['POST', '/authorize', authorize, 'page', 'closed'],
  ['GET', '/login', showLoginPage, 'page', 'closed'],
  ['POST', '/login', logIn, 'page', 'closed'],
  ['POST', '/login/passkey', logInWithPasskey, 'page', 'closed'],
  ['GET', '/login/second', showSecondStep, 'page', 'closed'],
  ['POST', '/login/second', takeSecondStep, 'page', 'closed'],
  ['GET', '/login/with/:id', showUpstreamLogin, 'page', 'closed'],
  ['POST', '/login/with/:id', beginUpstreamLogin, 'page', 'closed'],
  ['GET', '/login/with/:id/callback', finishUpstreamTrip, 'page', 'closed'],
  ['POST', '/login/with/:id/new', createFromUpstream, 'page', 'closed'],
  ['GET', '/consent', showConsentPage, 'page', 'closed'],
  ['POST', '/consent', consent, 'page', 'closed'],
  ['GET', '/resume', showResumePage, 'page', 'closed'],
  ['POST', '/resume', resume, 'page', 'closed'],
  ['GET', '/account', showAccountPage, 'page', 'closed'],
  ['POST', '/account', changeAccount, 'page', 'closed'],
  ['GET', '/account/access/:id', showAccessPage, 'page', 'closed'],
  ['GET', '/account/sessions', showSessions, 'page', 'closed'],
  ['POST', '/account/sessions', changeSessions, 'page', 'closed'],
  ['GET', '/account/email', showEmailPage, 'page', 'closed'],
  ['POST', '/account/email', changeEmail, 'page', 'closed'],
  ['GET', '/account/profile', showProfile, 'page', 'closed'],
  ['POST', '/account/profile', changeProfile, 'page', 'closed'],
  ['GET', '/account/download', showDownload, 'page', 'closed'],
  ['POST', '/account/download', download, 'page', 'closed'],
  ['GET', '/account/delete', showDelete, 'page', 'closed'],
  ['POST', '/account/delete', deleteAccount, 'page', 'closed'],
  ['GET', '/account/deletion', showLeaving, 'page', 'closed'],
  ['POST', '/account/deletion', decideDeletion, 'page', 'closed'],
  ['GET', '/account/password', showPasswordPage, 'page', 'closed'],
  ['POST', '/account/password', choosePassword, 'page', 'closed'],
  ['GET', '/account/events', showEvents, 'page', 'closed'],
  ['GET', '/account/ended', showEnded, 'page', 'closed'],
  ['GET', '/account/ledger', showLedger, 'page', 'closed'],
  ['GET', '/account/ledger.json', downloadLedger, 'json', 'closed'],
  ['GET', '/account/security', showSecurityPage, 'page', 'closed'],
  ['POST', '/account/security', changeSecurity, 'page', 'closed'],
  ['POST', '/account/upstreams', changeUpstreams, 'page', 'closed'],
  ['GET', '/account/upstreams/:id', showDirectoryLink, 'page', 'closed'],
  ['GET', '/account/security/codes', showCodesSetup, 'page', 'closed'],
  ['POST', '/account/security/codes', setUpCodes, 'page', 'closed'],
  ['GET', '/account/security/recovery', showRecoveryCodes, 'page', 'closed'],
  ['POST', '/account/security/recovery', keepRecoveryCodes, 'page', 'closed'],
  ['GET', '/account/confirm', showConfirmPage, 'page', 'closed'],
  ['POST', '/account/confirm', confirm, 'page', 'closed'],
  ['GET', '/logout', showLogoutPage, 'page', 'closed'],
  ['POST', '/logout', logOut, 'page', 'closed'],
  ['GET', '/signup', showSignUpPage, 'page', 'closed'],
  ['POST', '/signup', signUp, 'page', 'closed'],
  ['GET', '/forgot', showForgotPage, 'page', 'closed'],
  ['POST', '/forgot', askForReset, 'page', 'closed'],
  ['GET', '/reset', showResetPage, 'page', 'closed'],
  ['POST', '/reset', resetPassword, 'page', 'closed'],
  ['GET', '/invite', showInvitePage, 'page', 'closed'],
  ['POST', '/invite', acceptInvitation, 'page', 'closed'],
  ['GET', '/verify', showVerifyPage, 'page', 'closed'],
  ['POST', '/verify', verifyEmail, 'page', 'closed'],
  ['GET', '/operator', showOperatorPage, 'page', 'closed'],
  ['POST', '/operator', changeOperatorView, 'page', 'closed'],

  ['POST', '/token', token, 'json', 'open'],
  ['POST', '/revoke', revoke, 'json', 'open'],
  ['POST', '/introspect', introspect, 'json', 'closed'],
  ['GET', '/explain/:reference', explainReference, 'json', 'closed'],
  ['POST', '/explain', explainPosted, 'json', 'closed'],
  ['POST', '/revocation-feed', pollRevocations, 'json', 'closed'],
  ['POST', '/register', register, 'json', 'open'],
  ['GET', '/register/:client_id', readRegistration, 'json', 'open'],
  ['PUT', '/register/:client_id', changeRegistration, 'json', 'open'],
  ['DELETE', '/register/:client_id', deleteRegistration, 'json', 'open'],

  ['GET', '/api/:resource', listItems, 'bearer', 'open'],
  ['POST', '/api/:resource', createItem, 'bearer', 'open'],
  ['GET', '/api/:resource/:id', readItem, 'bearer', 'open'],
  ['POST', '/api/:resource/:id', readItemByForm, 'bearer', 'open'],
  ['PUT', '/api/:resource/:id', putItem, 'bearer', 'open'],
  ['DELETE', '/api/:resource/:id', deleteItem, 'bearer', 'open'],
  ['GET', '/userinfo', userinfo, 'bearer', 'open'],
  ['POST', '/userinfo', userinfo, 'bearer', 'open'],
  ['GET', '/forward-auth', forwardAuth, 'json', 'closed'],

  ['GET', '/.well-known/change-password', changePasswordUrl, 'page', 'closed'],
  ['GET', '/.well-known/oauth-authorization-server', metadata, 'json', 'open'],
  ['GET', '/.well-known/openid-configuration', metadata, 'json', 'open'],
  ['GET', ofResource, protectedResourceMetadata, 'json', 'open'],
  ['GET', `${ofResource}/api`, protectedResourceMetadata, 'json', 'open'],
  ['GET', `${ofResource}/api/:resource`, protectedResourceMetadata, 'json', 'open'],
  ['GET', `${ofResource}/admin/api`, protectedResourceMetadata, 'json', 'open'],
  ['GET', '/jwks', jwks, 'json', 'open'],

  ...adminRoutes.map(
    ({ method, path, answer }): RouteRow => [method, path, answer, 'problem', 'closed'],
  ),

  ['GET', '/health/live', live, 'json', 'closed'],
  ['GET', '/health/ready', readyEndpoint(), 'json', 'closed'],
  ['GET', '/metrics', metricsEndpoint(metrics), 'json', 'closed'],
  ...consoleRows,
  ...(playground === null ? [] : playground.rows),
  ...mailboxRows(mailbox),
]

/** Assets, metadata, health, questions of proxies: their refusals neither count nor become 429. */
const unlimited = /^\/(assets\/|forward-auth$|\.well-known\/|health\/|jwks$|metrics$|favicon\.ico$)/

/** Monitors and proxies ask by the address of a node. The answers hold no link by the host name. */
const anyHost = /^\/(health\/|metrics$|forward-auth$)/

/** @param playground null outside the demo @param mailbox null where mails are sent, or there are none */
export const routes = (
  metrics: AskMetrics,
  playground: Playground | null,
  mailbox: Mailbox | null = null,
): readonly Route[] =>
  rows(metrics, playground, mailbox).map(([method, path, endpoint, refusedAs, cors]) => ({
    method,
    path,
    endpoint,
    refusedAs,
    cors,
    limited: !unlimited.test(path),
    anyHost: anyHost.test(path),
  }))
