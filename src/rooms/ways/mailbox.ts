/** `/mailbox`: what the demo would have sent. It is there in the demo only. */

import type { Endpoint } from '../../route.ts'
import { forVisitor } from '../former.ts'
import { showPage } from '../visit.ts'
import { renderMailbox } from './page.ts'

interface DemoMailbox {
  list(): Promise<
    readonly {
      readonly at: number
      readonly to: string
      readonly subject: string
      readonly text: string
    }[]
  >
}

export const mailboxPage = (mailbox: DemoMailbox): Endpoint =>
  forVisitor(async (visit) =>
    showPage(visit, renderMailbox({ view: visit.view, mails: await mailbox.list() })),
  )
