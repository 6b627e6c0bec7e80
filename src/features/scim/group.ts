/** A group in SCIM's form, and what a request makes of it (RFC 7643 section 4.2). */

import { groupNameCharacters, isGroupName } from '../../model/group.ts'
import { isOwnerId, type OwnerId } from '../../model/ids.ts'
import type { ScimGroup, ScimMembersChange, ScimMembership } from './contract.ts'
import { badFilter, badValue, readWord } from './errors.ts'
import type { ScimFilter } from './filter.ts'
import { scimLimits } from './limits.ts'
import { listEqualities } from './match.ts'
import type { ScimMembers } from './members.ts'
import { applyChange, type PatchChange, readParts } from './patch.ts'
import { findAttribute, groupKind } from './schema.ts'
import { dropEmpty, formatTime, makeLocation, readText } from './user.ts'

export const getGroupVersion = ({ revision }: ScimGroup): string => String(revision)

/** @param members null: the answer has none */
export const describeGroup = (
  group: ScimGroup,
  members: readonly ScimMembership[] | null,
  issuer: string,
): ScimMembers => {
  const { id, name, externalId, createdAt, changedAt } = group
  return {
    schemas: [groupKind.schema],
    id,
    ...dropEmpty({ externalId }),
    displayName: name,
    ...(members === null
      ? {}
      : {
          members: members.map(({ ownerId, userName }) => ({
            value: ownerId,
            $ref: makeLocation(issuer, '/Users', ownerId),
            type: 'User',
            ...dropEmpty({ display: userName }),
          })),
        }),
    meta: {
      resourceType: groupKind.name,
      created: formatTime(createdAt),
      lastModified: formatTime(changedAt),
      location: makeLocation(issuer, groupKind.endpoint, id),
      version: `W/"${getGroupVersion(group)}"`,
    },
  }
}

/** Name and external id of a resource. @throws Refusal `invalidValue` */
export const parseGroup = ({ displayName, externalId }: ScimMembers) => {
  const name = typeof displayName === 'string' ? displayName.normalize('NFC').trim() : ''
  if (name === '' || !isGroupName(name)) {
    throw badValue(
      `displayName has to be text of 1 to ${groupNameCharacters} visible characters, and no id`,
    )
  }
  return { name, externalId: readText(externalId, 'externalId', scimLimits.externalIdCharacters) }
}

/** The ids in a list of members. @throws Refusal `invalidValue` */
export const readMemberIds = (given: unknown): readonly OwnerId[] => {
  const attribute = findAttribute('members', groupKind.attributes)
  if (attribute === undefined || given === undefined || given === null) return []
  return [given].flat().map((one) => {
    const { value, type } = readParts(one, attribute)
    const isUser = type === undefined || /^user$/i.test(readWord(type, 'type') ?? '')
    if (typeof value === 'string' && isOwnerId(value) && isUser) return value as OwnerId
    throw badValue('members has to be a list of objects, each with the id of a user as its value')
  })
}

/** `members[value eq "a" or value eq "b"]`. @throws Refusal `invalidFilter` */
const readChosen = (filter: ScimFilter): readonly OwnerId[] => {
  const parts = filter.kind === 'or' ? filter.parts : [filter]
  return parts.map((part) => {
    const [[name, value] = [], ...others] = listEqualities(part)
    if (part.kind === 'compare' && name === 'value' && others.length === 0) return value as OwnerId
    throw badFilter('members are chosen by their ids alone, as in members[value eq "..."]')
  })
}

/** The members after one more change. */
const addChange = (
  { replaces, add, remove }: ScimMembersChange,
  { op, target: { filter, sub }, value }: PatchChange,
): ScimMembersChange => {
  if (sub !== null) throw badValue('the id of a member does not change: remove it, and add another')
  const chosen = filter === null ? null : readChosen(filter)
  const named = chosen ?? readMemberIds(value)
  if (op === 'add') {
    const added = new Set(named)
    return { replaces, add: [...add, ...named], remove: remove.filter((one) => !added.has(one)) }
  }
  const isAll = chosen === null && (value === undefined || value === null)
  if (op === 'replace') {
    if (chosen !== null) throw badValue('a member is no value to be replaced: remove and add')
    return { replaces: true, add: named, remove: [] }
  }
  if (isAll) return { replaces: true, add: [], remove: [] }
  const removed = new Set(named)
  return { replaces, add: add.filter((one) => !removed.has(one)), remove: [...remove, ...named] }
}

/** What the changes of a PATCH make of a group. @throws Refusal */
export const applyToGroup = (group: ScimGroup, changes: readonly PatchChange[]) => {
  let resource: ScimMembers = { displayName: group.name, externalId: group.externalId }
  let members: ScimMembersChange = { replaces: false, add: [], remove: [] }
  for (const change of changes) {
    if (change.target.attribute.name === 'members') members = addChange(members, change)
    else resource = applyChange(resource, change)
  }
  return { ...parseGroup(resource), members }
}
