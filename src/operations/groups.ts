/** The groups of owners: found, made, renamed and deleted. */
import type { Exchange } from '../http/exchange.ts'
import { groupLimits, groupNameCharacters, isGroupName } from '../model/group.ts'
import { type GroupId, makeId } from '../model/ids.ts'
import { parseMembers } from '../protocol/members.ts'
import { Refusal } from '../protocol/refusal.ts'
import { makeSchema, type Z } from '../protocol/schema.ts'
import type { CountedGroup } from '../store/contract/group.ts'
import { describePage, findCursor, search } from './lists.ts'
import { defineRow, makeForm, mapAnswer, pageOf, seconds, text, whole } from './operation.ts'
import { type AdminNeeds, unknown } from './operator.ts'
import { stateChanged } from './seen.ts'
import { yes } from './surface/cli.ts'
import { show } from './surface/said.ts'

export const defineGroupName = (z: Z) =>
  z
    .string()
    .transform((name) => name.normalize('NFC').trim())
    .pipe(z.string().min(1).refine(isGroupName))
    .describe(`text of 1 to ${groupNameCharacters} visible characters, and no id`)

const groupAnswer = mapAnswer<CountedGroup>({
  id: [text, 'id'],
  name: [text, 'name'],
  members: [(z) => z.int().describe('how many owners are in it'), 'members'],
  created_at: [seconds, 'createdAt'],
  changed_at: [seconds, 'changedAt'],
  revision: [whole, 'revision'],
})

/** The upstream that maps to a group of this name. */
export const findMapping = (name: string, { settings }: Pick<AdminNeeds, 'settings'>) =>
  settings.upstreams.find(
    (one) => 'groups' in one && [...(one.groups?.map.values() ?? [])].flat().includes(name),
  ) ?? null

export const describeGroup = (group: CountedGroup, needs: Pick<AdminNeeds, 'settings'>) => ({
  ...groupAnswer.describe(group),
  mapped_by: findMapping(group.name, needs)?.id ?? null,
})

export const groupForm = makeForm('Group', (z) =>
  z.strictObject({
    ...groupAnswer.shape(z),
    mapped_by: z.string().nullable().describe('the upstream that maps to it, or null'),
  }),
)

export const oneGroup = '/admin/api/groups/:id'

/** By id or name. @throws Refusal `not_found` */
export const findNamedGroup = async (
  { params }: Pick<Exchange, 'params'>,
  { store }: AdminNeeds,
): Promise<CountedGroup> => {
  const group = await store.findGroup((params.id ?? '').normalize('NFC'))
  if (group === null) throw unknown('group')
  return group
}

/** A login there would make the group anew, beside the renamed one. @throws Refusal `invalid_request` */
const requireUnmapped = ({ name }: CountedGroup, needs: AdminNeeds): void => {
  const mapping = findMapping(name, needs)
  if (mapping === null) return
  const said = `the upstream "${mapping.id}" maps to this group: take it out of "groups.map" first`
  throw new Refusal('invalid_request', 'group_is_mapped', said, { status: 422 })
}

const nameTaken = (): Refusal =>
  new Refusal('conflict', 'group_name_taken', 'there is a group with this name')

export const changedMeanwhile = (): Refusal =>
  new Refusal('conflict', 'group_changed', 'somebody else changed the group at the same time')

export const sayNoGroup = (name: string): string => `there is no group ${name}`

export const listGroups = defineRow({
  route: 'GET /admin/api/groups',
  says: 'List or search the groups of owners',
  commands: {
    usage: 'group list',
    does: 'list or search the groups of owners',
    examples: ['latchkey group list --search eng'],
    flags: [
      ['--search <text>', 'only groups whose name begins with it'],
      ['--limit <number>', 'so many at most (default: all)'],
    ],
    list: { head: ['name', 'members', 'id'], empty: 'There are no groups.' },
  },
  filters: { search },
  answers: { 200: pageOf('GroupPage', groupForm.make) },
  async run({ filters: { search: prefix = '' }, query, limit }, parts) {
    const after = findCursor(query, isGroupName)
    const page = await parts.store.listGroups(prefix, after, limit)
    return describePage(page, (group) => describeGroup(group, parts))
  },
})

const newGroup = makeSchema((z) => z.strictObject({ name: defineGroupName(z) }))

export const createGroup = defineRow({
  route: 'POST /admin/api/groups',
  says: 'Create a group',
  commands: {
    usage: 'group add <name>',
    does: 'make a group',
    examples: ['latchkey group add Engineering'],
    body: (_flags, [name]) => ({ name }),
    text: ({ json: { name } }) => `There is a group ${show(name)} now.`,
  },
  body: { form: makeForm('NewGroup', newGroup), example: { name: 'Engineering' } },
  answers: { 201: groupForm },
  madeAs: 'id',
  async run({ given, trace }, parts) {
    const { name } = parseMembers(newGroup(), given, () => 'invalid_request')
    const id = makeId<GroupId>(parts)
    const outcome = await parts.store.createGroup({ id, name }, groupLimits.groups, trace())
    if (outcome === 'name_taken') throw nameTaken()
    const made = outcome === 'created' ? await parts.store.findGroup(id) : null
    if (made !== null) return describeGroup(made, parts)
    const said = `there may be ${groupLimits.groups} groups`
    throw new Refusal('conflict', 'too_many_groups', said)
  },
})

export const readGroup = defineRow({
  route: `GET ${oneGroup}`,
  says: 'Read a group, by its id or its name',
  commands: {
    usage: 'group show <name>',
    does: 'show a group, by name or id',
    examples: ['latchkey group show Engineering'],
    faults: { not_found: sayNoGroup },
  },
  answers: { 200: groupForm },
  find: findNamedGroup,
  shows: describeGroup,
  run: async ({ on }, parts) => describeGroup(on, parts),
})

const groupChange = makeSchema((z) => z.strictObject({ name: defineGroupName(z).optional() }))

/** Clients that name it go on naming it. */
export const changeGroup = defineRow({
  route: `PATCH ${oneGroup}`,
  says: 'Rename a group; applications that name it follow',
  commands: {
    usage: 'group rename <name> <new>',
    does: 'rename a group; applications that name it follow',
    examples: ['latchkey group rename Engineering Developers'],
    body: (_flags, [, name]) => ({ name }),
    faults: { not_found: sayNoGroup },
    text: ({ name: before, json: { name } }) => `${show(before)} is called ${show(name)} now.`,
  },
  body: { form: makeForm('GroupChange', groupChange), example: { name: 'Developers' } },
  answers: { 200: groupForm },
  find: findNamedGroup,
  shows: describeGroup,
  async run({ on, seen, given, trace }, parts) {
    const { store } = parts
    const { name = on.name } = parseMembers(groupChange(), given, () => 'invalid_request')
    if (name !== on.name) requireUnmapped(on, parts)
    const changed = await store.renameGroup(on.id, name, seen?.revision ?? null, trace())
    if (changed === null) throw unknown('group')
    if (changed === 'name_taken') throw nameTaken()
    if (changed === 'changed_meanwhile') throw stateChanged()
    return describeGroup(changed, parts)
  },
})

export const deleteGroup = defineRow({
  route: `DELETE ${oneGroup}`,
  says: 'Delete a group; no application lets anybody in by it from then on',
  commands: {
    usage: 'group delete <name>',
    does: 'delete a group; no application lets anybody in by it from then on',
    examples: ['latchkey group delete Engineering --yes'],
    flags: [yes],
    confirm: ({ name, found: { members } }) =>
      `${name} goes, and its ${show(members)} members are in it no more.`,
    faults: { not_found: sayNoGroup },
    json: ({ name }) => ({ deleted: name }),
    text: ({ name }) => `${show(name)} is deleted.`,
  },
  answers: { 204: null },
  find: findNamedGroup,
  shows: describeGroup,
  async run({ on, seen, trace }, parts) {
    const { store } = parts
    requireUnmapped(on, parts)
    const deleted = await store.deleteGroup(on.id, seen?.revision ?? null, trace())
    if (deleted === 'changed_meanwhile') throw stateChanged()
    if (deleted === 'gone') throw unknown('group')
    return null
  },
})

export const groupOperations = { listGroups, createGroup, readGroup, changeGroup, deleteGroup }
