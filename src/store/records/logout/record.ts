/** Logins at clients that want to hear of their end, and the notices to them. */
import type { LogoutSteps } from '../../contract/logout.ts'
import { table } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import * as logouts from './logouts.ts'

export const logoutRecord: StoreRecord<LogoutSteps> = {
  tables: [
    table(
      'client_logins',
      ['sid'],
      ['session_id', 'owner_id', 'client_id', 'back_channel', 'expires_at'],
      'none',
    ),
    table(
      'logout_notices',
      ['id'],
      ['client_id', 'owner_id', 'sid', 'tries', 'due_at', 'ended_at'],
      'none',
    ),
  ],
  reads: { listClientLogins: logouts.listClientLogins },
  steps: {
    noteClientLogin: logouts.noteClientLogin,
    claimLogoutNotices: logouts.claimLogoutNotices,
    finishLogoutNotice: logouts.finishLogoutNotice,
    postponeLogoutNotice: logouts.postponeLogoutNotice,
  },
  invalidates: {
    noteClientLogin: 'nothing',
    claimLogoutNotices: 'nothing',
    finishLogoutNotice: 'nothing',
    postponeLogoutNotice: 'nothing',
  },
  endPurges: [
    {
      sql: `delete from client_logins where sid in
        (select sid from client_logins where expires_at <= ? order by expires_at limit ?)
        returning sid`,
      afterSeconds: 0,
    },
  ],
}
