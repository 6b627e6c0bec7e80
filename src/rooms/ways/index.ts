/** Ways into an account beside the login: sign up, invitation, reset, and the mails about them. */
import { type Answer, answerRedirect } from '../../http/answer.ts'
import { page, type RouteRow } from '../../route.ts'
import type { Pages } from '../pages.ts'
import { getBasePath, showPage } from '../visit.ts'
import { openAsk } from './ask.ts'
import { openPasswordLinks, openVerify } from './links.ts'
import type { WaysNeeds } from './needs.ts'
import { type DemoMail, renderMailbox } from './page.ts'

interface DemoMailbox {
  list(): Promise<readonly DemoMail[]>
}

/** @param mailbox null where mails are sent, or there are none */
export const openWays = (
  needs: WaysNeeds,
  pages: Pages,
  mailbox: DemoMailbox | null,
): readonly RouteRow[] => [
  ...openAsk(needs, pages),
  ...openPasswordLinks(needs, pages),
  ...openVerify(needs, pages),
  ...openPasswordPlace(needs),
  ...(mailbox === null ? [] : openMailbox(mailbox, pages)),
]

/** Where password managers lead (W3C, A Well-Known URL for Changing Passwords). */
const openPasswordPlace = (needs: WaysNeeds): readonly RouteRow[] => {
  const lead = (): Answer => answerRedirect(`${getBasePath(needs)}/account/password`, 302)
  return [
    {
      ...page,
      method: 'GET',
      path: '/.well-known/change-password',
      handler: lead,
      limited: 'never',
    },
  ]
}

const openMailbox = (mailbox: DemoMailbox, { forVisitor }: Pages): readonly RouteRow[] => {
  const show = forVisitor(async (visit) =>
    showPage(visit, renderMailbox(visit.view, await mailbox.list())),
  )
  return [{ ...page, method: 'GET', path: '/mailbox', handler: show }]
}
