/** Who is in a group, and the groups of one owner. */
import { groupLimits } from '../model/group.ts'
import { isOwnerId, type OwnerId } from '../model/ids.ts'
import { parseMembers } from '../protocol/members.ts'
import { Refusal } from '../protocol/refusal.ts'
import { makeSchema } from '../protocol/schema.ts'
import type { GroupMember, Membership } from '../store/contract/group.ts'
import type { Store } from '../store/store.ts'
import {
  changedMeanwhile,
  defineGroupName,
  describeGroup,
  findNamedGroup,
  groupForm,
  oneGroup,
  sayNoGroup,
} from './groups.ts'
import { describePage, findCursor } from './lists.ts'
import { findNamed } from './named-owner.ts'
import { defineRow, flag, makeForm, mapAnswer, pageOf, text, texts } from './operation.ts'
import { unknown } from './operator.ts'
import { show } from './surface/said.ts'

const memberAnswer = mapAnswer<GroupMember>({
  id: [text, 'ownerId'],
  username: [text, 'username'],
  name: [text, 'name'],
  by_operator: [flag, 'byOperator'],
  upstreams: [(z) => texts(z).describe('those that put the owner in'), 'upstreams'],
})

export const listGroupMembers = defineRow({
  route: `GET ${oneGroup}/members`,
  says: 'List the owners in a group',
  commands: {
    usage: 'group members <name>',
    does: 'list the owners in a group',
    examples: ['latchkey group members Engineering --limit 20'],
    flags: [['--limit <number>', 'so many at most (default: all)']],
    faults: { not_found: sayNoGroup },
    list: { head: ['username', 'name', 'upstreams'], empty: 'Nobody is in it.' },
  },
  filters: {},
  answers: {
    200: pageOf('GroupMemberPage', (z) => z.strictObject(memberAnswer.shape(z))),
  },
  find: findNamedGroup,
  async run({ on, query, limit }, { store }) {
    const after = findCursor<OwnerId>(query, isOwnerId)
    return describePage(await store.listGroupMembers(on.id, after, limit), memberAnswer.describe)
  },
})

const { changed: most } = groupLimits

const membersForm = makeSchema((z) => {
  const names = z
    .array(z.string().min(1).max(200))
    .max(most)
    .default([])
    .describe(`a list of at most ${most} usernames or ids of owners`)
  return z.strictObject({ add: names, remove: names })
})

const noOwner = (): Refusal =>
  new Refusal('not_found', 'unknown_owner', 'add or remove names an owner that there is not')

const full = (): Refusal =>
  new Refusal(
    'conflict',
    'too_many_groups_of_owner',
    `operators give an owner at most ${groupLimits.ofSource} groups`,
  )

/** By username first, as everywhere. @throws Refusal `not_found` */
const findOwners = async (
  names: readonly string[],
  store: Pick<Store, 'findOwner' | 'findOwnerByName'>,
): Promise<readonly OwnerId[]> => {
  const ids = new Set<OwnerId>()
  for (const name of names) {
    const owner =
      (await store.findOwnerByName(name, 'disabled')) ??
      (isOwnerId(name) ? await store.findOwner(name as OwnerId, 'disabled') : null)
    if (owner === null) throw noOwner()
    ids.add(owner.id)
  }
  return [...ids]
}

/** Both lists are applied, or none. An upstream puts its people in again at their next login. */
export const changeGroupMembers = defineRow({
  route: `POST ${oneGroup}/members`,
  says: 'Add owners to a group, and take others out',
  commands: [
    {
      usage: 'group add-members <name>',
      does: 'put owners into a group',
      examples: ['latchkey group add-members Engineering --owner alice bob'],
      flags: [['--owner <username...>', 'the owners', 'needed']],
      body: ({ owner }) => ({ add: owner }),
      text: ({ name, json: { members } }) => `${show(name)} has ${show(members)} members.`,
    },
    {
      usage: 'group remove-members <name>',
      does: 'take owners out of a group; an upstream that maps it puts them in again',
      examples: ['latchkey group remove-members Engineering --owner bob'],
      flags: [['--owner <username...>', 'the owners', 'needed']],
      body: ({ owner }) => ({ remove: owner }),
      text: ({ name, json: { members } }) => `${show(name)} has ${show(members)} members.`,
    },
  ],
  body: { form: makeForm('GroupMembersChange', membersForm), example: { add: ['alice'] } },
  answers: { 200: groupForm },
  find: findNamedGroup,
  async run({ on, given, trace }, parts) {
    const { store } = parts
    const { add, remove } = parseMembers(membersForm(), given, () => 'invalid_request')
    const change = { add: await findOwners(add, store), remove: await findOwners(remove, store) }
    if (change.add.some((id) => change.remove.includes(id))) {
      const said = 'add and remove name the same owner'
      throw new Refusal('invalid_request', 'member_in_both', said)
    }
    const changed = await store.changeGroupMembers(on.id, change, null, trace())
    switch (changed.outcome) {
      case 'changed':
        return describeGroup(changed.group, parts)
      case 'gone':
        throw unknown('group')
      case 'changed_meanwhile':
        throw changedMeanwhile()
      case 'unknown_owner':
        throw noOwner()
      case 'full':
        throw full()
    }
  },
})

const membership = mapAnswer<Membership>({
  id: [text, 'id'],
  name: [text, 'name'],
  by_operator: [flag, 'byOperator'],
  upstreams: [(z) => texts(z).describe('those that put the owner in'), 'upstreams'],
})

const ownerGroupsForm = makeForm('OwnerGroups', (z) =>
  z.strictObject({ groups: z.array(z.strictObject(membership.shape(z))) }),
)

const describeGroups = (groups: readonly Membership[]) => ({
  groups: groups.map(membership.describe),
})

const sayNames = (groups: unknown): string =>
  Array.isArray(groups) && groups.length > 0
    ? groups.map(({ name }) => show(name)).join(', ')
    : 'none'

export const listGroupsOf = defineRow({
  route: 'GET /admin/api/owners/:id/groups',
  says: 'List the groups of an owner',
  permission: 'groups:read',
  commands: {
    usage: 'owner groups <username>',
    does: 'show the groups of an owner',
    examples: ['latchkey owner groups alice'],
    text: ({ found: { username }, json: { groups } }) =>
      `The groups of ${show(username)}: ${sayNames(groups)}.`,
  },
  answers: { 200: ownerGroupsForm },
  find: findNamed,
  run: async ({ on }, { store }) => describeGroups(await store.listGroupsOf(on.id)),
})

const setForm = makeSchema((z) =>
  z.strictObject({
    groups: z
      .array(defineGroupName(z))
      .max(groupLimits.ofSource)
      .describe(`a list of at most ${groupLimits.ofSource} names of groups`),
  }),
)

/** What upstreams gave stays. */
export const setGroupsOf = defineRow({
  route: 'PUT /admin/api/owners/:id/groups',
  says: 'Replace the groups that operators gave to an owner; those of upstreams stay',
  permission: 'groups:write',
  commands: {
    usage: 'owner set-groups <username>',
    does: 'replace the groups of an owner; those that upstreams gave stay',
    examples: [
      'latchkey owner set-groups alice --group Engineering',
      'latchkey owner set-groups alice',
    ],
    flags: [['--group <name...>', 'all of their groups (default: none)']],
    body: ({ group = [] }) => ({ groups: group }),
    text: ({ found: { username }, json: { groups } }) =>
      `The groups of ${show(username)}: ${sayNames(groups)}.`,
  },
  body: { form: makeForm('NewOwnerGroups', setForm), example: { groups: [] } },
  answers: { 200: ownerGroupsForm },
  find: findNamed,
  async run({ on, given, trace }, { store }) {
    const { groups: names } = parseMembers(setForm(), given, () => 'invalid_request')
    const asked = { upstream: null, names, ids: null }
    const set = await store.setOwnerGroups(on.id, asked, trace())
    if (set.outcome === 'set') return describeGroups(set.groups)
    if (set.outcome === 'gone') throw unknown('owner')
    if (set.outcome === 'full') throw full()
    const said = 'groups names a group that there is not: create it first'
    throw new Refusal('invalid_request', 'unknown_group', said, { status: 422 })
  },
})

export const groupMemberOperations = {
  listGroupMembers,
  changeGroupMembers,
  listGroupsOf,
  setGroupsOf,
}
