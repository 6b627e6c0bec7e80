/** The shard keys of a store that is being opened, by its database. */
import type { ShardKeys } from '../../../crypto/shard-keys.ts'
import type { Random } from '../../../model/ids.ts'
import { openKeys } from '../../placed-id.ts'
import { reads, recordSteps } from '../../sql/records.ts'
import { type Ask, runBy } from './cluster.ts'

/** Facts lie on one machine, so that they are asked for before the keys are known. */
export const openKeysBy = (ask: Ask, random: Random): Promise<ShardKeys> =>
  openKeys(
    {
      findFact: (id) => reads.findFact((sql, params) => ask(sql, ...params), id),
      setFact: (id, from, to) => runBy(ask, recordSteps.setFact(id, from, to)),
    },
    random,
  )
