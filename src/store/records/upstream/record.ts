/** Links to accounts at upstreams. */
import type { UpstreamSteps } from '../../contract/upstream.ts'
import { table } from '../../schema/table.ts'
import type { StoreRecord } from '../../sql/record.ts'
import * as upstreams from './upstreams.ts'

export const upstreamRecord: StoreRecord<UpstreamSteps> = {
  tables: [
    table(
      'upstream_links',
      ['upstream', 'issuer', 'subject'],
      ['owner_id', 'label', 'created_at', 'last_used_at'],
      'all',
    ),
  ],
  reads: {
    findUpstreamOwner: upstreams.findUpstreamOwner,
    listUpstreamLinks: upstreams.listUpstreamLinks,
  },
  steps: {
    linkUpstream: upstreams.linkUpstream,
    unlinkUpstream: upstreams.unlinkUpstream,
    createLinkedOwner: upstreams.createLinkedOwner,
  },
  invalidates: {
    linkUpstream: 'nothing',
    unlinkUpstream: 'nothing',
    createLinkedOwner: 'nothing',
  },
}
