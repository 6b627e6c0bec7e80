/** Logging in and out. */

import type { MetadataFragment, RouteRow } from '../../route.ts'
import type { Pages } from '../pages.ts'
import type { LoginNeeds } from './entrance.ts'
import { openPasskeyLogin, openPasswordLogin } from './login.ts'
import { logoutMetadata, openLogout } from './logout.ts'
import { openSecondStep } from './second-step.ts'
import { openNewcomer, openUpstreamLogin, openUpstreamReturn } from './upstream.ts'

export const loginFragments: readonly MetadataFragment[] = [logoutMetadata]

export const openLogin = (needs: LoginNeeds, pages: Pages): readonly RouteRow[] => [
  ...openPasswordLogin(needs, pages),
  ...openPasskeyLogin(needs, pages),
  ...openSecondStep(needs, pages),
  ...openUpstreamLogin(needs, pages),
  ...openUpstreamReturn(needs, pages),
  ...openNewcomer(needs, pages),
  ...openLogout(needs, pages),
]
