/** Logging in and out. */

import { type FormerRow, page } from '../../route.ts'
import { showUpstreamLogin } from './directory.ts'
import { logIn, showLoginPage } from './login.ts'
import { logOut, logoutMetadata, showLogoutPage } from './logout.ts'
import { createFromUpstream } from './newcomer.ts'
import { logInWithPasskey } from './passkey-login.ts'
import { showSecondStep, takeSecondStep } from './second-step.ts'
import { beginUpstreamLogin, finishUpstreamTrip } from './upstream.ts'

export const loginRows: readonly FormerRow[] = [
  { ...page, method: 'GET', path: '/login', handler: showLoginPage },
  { ...page, method: 'POST', path: '/login', handler: logIn },
  { ...page, method: 'POST', path: '/login/passkey', handler: logInWithPasskey },
  { ...page, method: 'GET', path: '/login/second', handler: showSecondStep },
  { ...page, method: 'POST', path: '/login/second', handler: takeSecondStep },
  { ...page, method: 'GET', path: '/login/with/:id', handler: showUpstreamLogin },
  { ...page, method: 'POST', path: '/login/with/:id', handler: beginUpstreamLogin },
  { ...page, method: 'GET', path: '/login/with/:id/callback', handler: finishUpstreamTrip },
  { ...page, method: 'POST', path: '/login/with/:id/new', handler: createFromUpstream },
  { ...page, method: 'GET', path: '/logout', handler: showLogoutPage, metadata: logoutMetadata },
  { ...page, method: 'POST', path: '/logout', handler: logOut },
]
