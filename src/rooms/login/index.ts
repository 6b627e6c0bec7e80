/** Logging in and out. */

import type { RouteRow } from '../../route.ts'
import type { Pages } from '../pages.ts'
import { type LoginNeeds, openEntrance } from './entrance.ts'
import { openPasskeyLogin, openPasswordLogin } from './login.ts'
import { openLogout } from './logout.ts'
import { openSecondStep } from './second-step.ts'
import { openNewcomer, openUpstreamLogin, openUpstreamReturn } from './upstream.ts'

export const openLogin = (needs: LoginNeeds, pages: Pages): readonly RouteRow[] => {
  const entrance = openEntrance(needs, pages)
  return [
    ...openPasswordLogin(needs, entrance),
    ...openPasskeyLogin(needs, entrance),
    ...openSecondStep(needs, entrance),
    ...openUpstreamLogin(needs, entrance),
    ...openUpstreamReturn(needs, pages, entrance),
    ...openNewcomer(needs, entrance),
    ...openLogout(needs, pages),
  ]
}
