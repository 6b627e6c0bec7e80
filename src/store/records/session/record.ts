/** Login sessions. The cache holds nothing that an owner approved for one session. */
import type { SessionSteps } from '../../contract/owner.ts'
import { table } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import * as sessions from './sessions.ts'

export const sessionRecord: StoreRecord<SessionSteps> = {
  tables: [
    table(
      'sessions',
      ['id'],
      [
        'owner_id',
        'started_at',
        'expires_at',
        'handle',
        'user_agent',
        'network',
        'methods',
        'confirmed_at',
        'seen_at',
      ],
      'none',
    ),
  ],
  reads: { findSession: sessions.findSession, listSessions: sessions.listSessions },
  steps: {
    startSession: sessions.startSession,
    confirmSession: sessions.confirmSession,
    noteSession: sessions.noteSession,
    endSession: sessions.endSession,
    endSessionOf: sessions.endSessionOf,
    endOtherSessions: sessions.endOtherSessions,
  },
  invalidates: {
    startSession: 'nothing',
    confirmSession: 'nothing',
    noteSession: 'nothing',
    endSession: 'nothing',
    endSessionOf: 'nothing',
    endOtherSessions: 'nothing',
  },
  endPurges: [
    {
      sql: `delete from sessions where id in
        (select id from sessions where expires_at <= ? order by expires_at limit ?) returning id`,
      afterSeconds: 0,
    },
  ],
}
