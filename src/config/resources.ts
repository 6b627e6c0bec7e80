/** Resources as an operator writes them: in the settings, for the admin API and on the command line. */

import type { ClientId } from '../model/ids.ts'
import { isObject } from '../model/json.ts'
import { jwsAlgorithms } from '../model/key.ts'
import type { Text } from '../model/language.ts'
import {
  harmKinds,
  listActions,
  operatorPermissions,
  type Resource,
  type ResourceChange,
} from '../model/resource.ts'
import { isStandardWord } from '../model/scope-word.ts'
import { isSafe } from './issuer.ts'
import { catchFault, MemberFault, readEach } from './members.ts'
import {
  isWord,
  parseActions,
  parseDetailMembers,
  parseWords,
  resourceLimits,
} from './resource-words.ts'
import { findRepeated, type Parsed } from './values.ts'

/** Names that the operator's own resources have: an owner could otherwise grant them. */
export const adminNames = new Set(operatorPermissions.map((permission) => permission.split(':')[0]))

const unusable = 'unusable'

const parseName = (given: unknown): string => {
  if (typeof given === 'string' && isStandardWord(given)) {
    throw new MemberFault(
      `has the "name" "${given}", which is a reserved word of a scope`,
      unusable,
    )
  }
  if (!isWord(given, resourceLimits.nameCharacters)) {
    throw new MemberFault(
      `needs a "name" of at most ${resourceLimits.nameCharacters} lower-case letters, digits and "-"`,
    )
  }
  if (adminNames.has(given)) throw new MemberFault('has a "name" that the admin API uses', unusable)
  return given
}

const listOf = (member: string, given: unknown): readonly string[] => {
  if (given === undefined || given === null) return []
  if (Array.isArray(given) && given.every((one) => typeof one === 'string')) {
    return [...new Set<string>(given)]
  }
  throw new MemberFault(`needs a list of texts as "${member}"`)
}

const parseDestructive = (given: unknown, actions: Resource['actions']): readonly string[] => {
  const known = listActions({ actions })
  const list = listOf('destructive', given)
  const marks = known.flatMap((action) => [action, ...harmKinds.map((kind) => `${action}:${kind}`)])
  if (!list.every((entry) => marks.includes(entry))) {
    const kinds = harmKinds.map((kind) => `":${kind}"`).join(' or ')
    throw new MemberFault(
      `has in "destructive" what is none of its actions, alone or with ${kinds}: ${known.join(', ')}`,
    )
  }
  const twice = findRepeated(list.map((entry) => entry.split(':')[0] ?? ''))
  if (twice === undefined) return list
  throw new MemberFault(`has "${twice}" twice in "destructive"`)
}

const uriForm = 'an https URL (or an http one on a loopback address) without fragment or user'

/** As it is written: `resource` parameters are compared with it as strings. */
const parseUri = (given: unknown): string | null => {
  if (given === undefined || given === null) return null
  const isText = typeof given === 'string' && given.length <= resourceLimits.uriCharacters
  if (!isText || !/^[\x21-\x7e]+$/.test(given)) {
    throw new MemberFault(
      `needs ${uriForm} of at most ${resourceLimits.uriCharacters} characters as "uri"`,
    )
  }
  const url = URL.parse(given)
  if (isSafe(url) && url.username + url.password === '' && !given.includes('#')) return given
  throw new MemberFault(`needs ${uriForm} as "uri"`, unusable)
}

const formatOf = (given: unknown): Resource['accessTokenFormat'] => {
  if (given === undefined || given === null) return 'opaque'
  if (given === 'opaque' || given === 'jwt') return given
  throw new MemberFault('needs "opaque" or "jwt" as "access_token_format"')
}

const parseAlgorithm = (given: unknown): Pick<Resource, 'accessTokenAlgorithm'> => {
  if (given === undefined || given === null) return {}
  const accessTokenAlgorithm = jwsAlgorithms.find((one) => one === given)
  if (accessTokenAlgorithm !== undefined) return { accessTokenAlgorithm }
  throw new MemberFault(`needs one of ${jwsAlgorithms.join(', ')} as "access_token_signing_alg"`)
}

const parseClients = (given: unknown): readonly ClientId[] => {
  const list = listOf('introspection_clients', given)
  if (list.length <= resourceLimits.introspectionClients) return list as readonly ClientId[]
  throw new MemberFault(
    `has more than ${resourceLimits.introspectionClients} "introspection_clients"`,
  )
}

/** @throws MemberFault */
export const parseResource = (given: unknown): Resource => {
  if (!isObject(given)) throw new MemberFault('must be an object')
  const { name, title, read, write, actions, destructive, uri, ...others } = given
  const { access_token_format: format, access_token_signing_alg: algorithm, ...further } = others
  const { introspection_clients: clients, details, ...rest } = further
  const furtherActions = parseActions(actions)
  const resource: Resource = {
    name: parseName(name),
    title: parseWords('title', title),
    read: parseWords('read', read),
    write: parseWords('write', write),
    actions: furtherActions,
    details: parseDetailMembers(details),
    destructive: parseDestructive(destructive, furtherActions),
    uri: parseUri(uri),
    accessTokenFormat: formatOf(format),
    ...parseAlgorithm(algorithm),
    introspectionClients: parseClients(clients),
  }
  const [extra] = Object.keys(rest)
  if (extra === undefined) return resource
  // Only what is surely no secret and no markup is repeated.
  throw new MemberFault(
    /^\w{1,40}$/.test(extra) ? `has an unknown key "${extra}"` : 'has an unknown key',
  )
}

/** A text that is the same in every language is written once. */
const writeText = (text: Text): unknown => {
  const [first, ...others] = Object.values(text)
  return others.every((one) => one === first) ? first : text
}

const writeWords = (words: Resource['actions']) =>
  Object.fromEntries(Object.entries(words).map(([name, text]) => [name, writeText(text)]))

/** Each member as it is written, with its name in the record. */
export const resourceMembers = {
  title: 'title',
  read: 'read',
  write: 'write',
  actions: 'actions',
  details: 'details',
  destructive: 'destructive',
  uri: 'uri',
  access_token_format: 'accessTokenFormat',
  access_token_signing_alg: 'accessTokenAlgorithm',
  introspection_clients: 'introspectionClients',
} as const satisfies Readonly<Record<string, keyof ResourceChange>>

/** A resource as `parseResource` takes it. */
export const describeResource = (resource: Resource) => ({
  name: resource.name,
  title: writeText(resource.title),
  read: writeText(resource.read),
  write: writeText(resource.write),
  actions: writeWords(resource.actions),
  details: writeWords(resource.details),
  destructive: resource.destructive,
  uri: resource.uri,
  access_token_format: resource.accessTokenFormat,
  ...(resource.accessTokenAlgorithm === undefined
    ? {}
    : { access_token_signing_alg: resource.accessTokenAlgorithm }),
  introspection_clients: resource.introspectionClients,
})

export const parseResources = (given: unknown): Parsed<readonly Resource[]> => {
  if (!Array.isArray(given) || given.length > resourceLimits.resources) {
    return {
      expected: `a list of at most ${resourceLimits.resources} objects with "name", "title", "read" and "write"`,
    }
  }
  return catchFault('a list of resources, but', () => {
    const entries = readEach(given, parseResource)
    const twice =
      findRepeated(entries.map(({ name }) => name)) ??
      findRepeated(entries.map(({ uri }) => uri).filter((uri) => uri !== null))
    if (twice !== undefined) throw new MemberFault(`"${twice}" is there twice`)
    return entries
  })
}

const makeBuiltIn = (name: string, title: Text, read: Text, write: Text): Resource => ({
  name,
  title,
  read,
  write,
  actions: {},
  details: {},
  // Writing includes deleting.
  destructive: ['write:delete'],
  uri: null,
  accessTokenFormat: 'opaque',
  introspectionClients: [],
})

/** The resources of a service whose operator names none. */
export const defaultResources: readonly Resource[] = [
  makeBuiltIn(
    'photos',
    { en: 'Photos', de: 'Fotos', zh: '照片' },
    { en: 'See your photos', de: 'Ihre Fotos ansehen', zh: '查看您的照片' },
    {
      en: 'Add, change and delete your photos',
      de: 'Ihre Fotos hinzufügen, ändern und löschen',
      zh: '添加、修改和删除您的照片',
    },
  ),
  makeBuiltIn(
    'contacts',
    { en: 'Contacts', de: 'Kontakte', zh: '联系人' },
    { en: 'See the people you know', de: 'Ihre Kontakte ansehen', zh: '查看您的联系人' },
    {
      en: 'Add, change and delete contacts',
      de: 'Kontakte hinzufügen, ändern und löschen',
      zh: '添加、修改和删除联系人',
    },
  ),
  makeBuiltIn(
    'calendar',
    { en: 'Calendar', de: 'Kalender', zh: '日历' },
    { en: 'See your appointments', de: 'Ihre Termine ansehen', zh: '查看您的日程' },
    {
      en: 'Add, change and delete appointments',
      de: 'Termine hinzufügen, ändern und löschen',
      zh: '添加、修改和删除日程',
    },
  ),
]
