/** Notes of each running node: a proof that it can write, and its time. */
import { limits } from '../../../config/limits.ts'
import type { StoreRecord } from '../../sql/record.ts'
import { noteTime, ping } from './nodes.ts'

/** The store adds the name of its own node. */
export interface NodeSteps {
  ping(node: string): Promise<void>
  noteTime(node: string, at: number): Promise<void>
}

export const nodeRecord: StoreRecord<NodeSteps> = {
  tables: [],
  localTables: ['pings', 'changes'],
  reads: {},
  steps: { ping, noteTime },
  invalidates: { ping: 'nothing', noteTime: 'nothing' },
  endPurges: [
    {
      // A node that runs has noted a later time.
      sql: `delete from pings where id in
        (select id from pings where id >= 'time' and id < 'time!' and turn <= ?
         order by id limit ?) returning id`,
      afterSeconds: limits.nodeSeconds,
    },
    {
      sql: `delete from pings where id in
        (select p.id from pings p where p.id >= 'ping' and p.id < 'ping!' and not exists
          (select 1 from pings t where t.id = 'time' || substr(p.id, 5) and t.turn > ?)
         order by p.id limit ?) returning id`,
      afterSeconds: limits.nodeSeconds,
    },
  ],
}
