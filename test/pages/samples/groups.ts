/** Examples of the pages about groups. */
import type { GroupId, OwnerId } from '../../../src/model/ids.ts'
import type { View } from '../../../src/paper/view.ts'
import { groupList, renderGroup } from '../../../src/rooms/console/groups/groups.ts'
import { renderList } from '../../../src/rooms/console/list.ts'
import { renderNotAllowed } from '../../../src/rooms/oauth/not-allowed.ts'
import { csrf, longName, now, owner } from './values.ts'

export const groupSamples = (view: View): Readonly<Record<string, string>> => {
  const given = { view, csrf, owner }
  const console = { ...given, role: 'operator' } as const
  const times = { createdAt: now - 7200, changedAt: now - 60, revision: 3 }
  const group = { id: 'g1' as GroupId, name: 'Engineering', members: 2, ...times }
  const long = { ...group, id: 'g2' as GroupId, name: longName.slice(0, 100), members: 0 }
  const member = {
    ownerId: 'alice' as OwnerId,
    username: 'alice',
    name: longName,
    byOperator: true,
    upstreams: ['acme'],
  }
  const mapped = { ...member, username: 'bob', name: '', byOperator: false }
  const refused = {
    ...given,
    journey: 'journey',
    clientName: 'Wiki',
    clientRegisteredBy: 'operator',
    redirectHost: 'wiki.example',
  } as const
  return {
    'console-groups': renderList(groupList, console, {
      filter: { search: '' },
      items: [group, long],
      next: 'more',
      isFirst: false,
    }),
    'console-group': renderGroup(console, {
      group,
      members: { rows: [member, mapped], next: 'bob' },
      notice: null,
    }),
    'console-group-empty': renderGroup(console, {
      group: long,
      members: { rows: [], next: null },
      notice: 'The group was made.',
    }),
    'not-allowed': renderNotAllowed(refused),
    'not-allowed-device': renderNotAllowed({
      ...refused,
      clientName: longName,
      redirectHost: null,
    }),
  }
}
