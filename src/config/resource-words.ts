/** What an operator writes about a resource in words: its permissions, its actions and the members of its details. */

import { commonMembers } from '../model/detail.ts'
import { isObject } from '../model/json.ts'
import type { Text } from '../model/language.ts'
import type { Resource } from '../model/resource.ts'
import { MemberFault } from './members.ts'
import { parseText, textForm } from './texts.ts'

/** A token states the permissions it carries, so resources are not too many. */
export const resourceLimits = {
  /** Resources of one service, deleted ones apart. */
  resources: 40,
  nameCharacters: 40,
  /** A title, or what one permission means. */
  textCharacters: 300,
  actions: 20,
  actionCharacters: 40,
  /** Members of details about it, and the characters of a name. */
  detailMembers: 20,
  detailMemberCharacters: 40,
  uriCharacters: 512,
  introspectionClients: 20,
} as const

export const isWord = (given: unknown, most: number): given is string =>
  typeof given === 'string' && given.length <= most && /^[a-z][a-z0-9-]*$/.test(given)

export const parseWords = (member: string, given: unknown): Text => {
  const text = parseText(given)
  if (text === null) throw new MemberFault(`needs words for "${member}": ${textForm}`)
  if (Object.values(text).some((one) => one.length > resourceLimits.textCharacters)) {
    throw new MemberFault(
      `has words for "${member}" of more than ${resourceLimits.textCharacters} characters`,
    )
  }
  return text
}

const parseEntries = (
  member: string,
  things: string,
  given: unknown,
): readonly (readonly [string, unknown])[] => {
  if (given === undefined || given === null) return []
  if (isObject(given)) return Object.entries(given)
  throw new MemberFault(`needs an object of ${things} and their words as "${member}"`)
}

export const parseActions = (given: unknown): Resource['actions'] => {
  const entries = parseEntries('actions', 'actions', given)
  if (entries.length > resourceLimits.actions)
    throw new MemberFault(`has more than ${resourceLimits.actions} "actions"`)
  for (const [action] of entries) {
    if (action === 'read' || action === 'write') {
      throw new MemberFault(`has "${action}" in "actions": its words are the member "${action}"`)
    }
    if (!isWord(action, resourceLimits.actionCharacters)) {
      throw new MemberFault(
        `needs names of at most ${resourceLimits.actionCharacters} lower-case letters, digits and "-" in "actions"`,
      )
    }
  }
  return Object.fromEntries(
    entries.map(([action, words]) => [action, parseWords(`actions.${action}`, words)]),
  )
}

/** RFC 9396 section 2.2 has these, and here they mean nothing. */
const reservedMembers: readonly string[] = [...commonMembers, 'datatypes', 'privileges']

export const parseDetailMembers = (given: unknown): Resource['details'] => {
  const entries = parseEntries('details', 'members', given)
  if (entries.length > resourceLimits.detailMembers)
    throw new MemberFault(`has more than ${resourceLimits.detailMembers} "details"`)
  for (const [name] of entries) {
    const isRight =
      name.length <= resourceLimits.detailMemberCharacters && /^[A-Za-z][A-Za-z0-9_-]*$/.test(name)
    if (!isRight) {
      throw new MemberFault(
        `needs names of at most ${resourceLimits.detailMemberCharacters} letters, digits, "_" and "-" in "details"`,
      )
    }
    if (reservedMembers.includes(name)) {
      throw new MemberFault(`has "${name}" in "details", which has a meaning of its own`)
    }
  }
  return Object.fromEntries(
    entries.map(([name, words]) => [name, parseWords(`details.${name}`, words)]),
  )
}
