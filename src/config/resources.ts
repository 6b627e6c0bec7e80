/** The resources of a service, as the operator sets them. */
import { adminPermissions, type Resource } from '../model/resource.ts'
import { isScopeWord } from '../model/scope-word.ts'
import { limits } from './limits.ts'
import { parseText, textForm } from './texts.ts'
import type { Parsed } from './values.ts'

export const defaultResources: readonly Resource[] = [
  {
    name: 'photos',
    title: { en: 'Photos', zh: '照片' },
    read: { en: 'See your photos', zh: '查看您的照片' },
    write: { en: 'Add, change and delete your photos', zh: '添加、修改和删除您的照片' },
  },
  {
    name: 'contacts',
    title: { en: 'Contacts', zh: '联系人' },
    read: { en: 'See the people you know', zh: '查看您的联系人' },
    write: { en: 'Add, change and delete contacts', zh: '添加、修改和删除联系人' },
  },
  {
    name: 'calendar',
    title: { en: 'Calendar', zh: '日历' },
    read: { en: 'See your appointments', zh: '查看您的日程' },
    write: { en: 'Add, change and delete appointments', zh: '添加、修改和删除日程' },
  },
]

/** Names that the operator's own resources have: an owner could otherwise grant them. */
const adminNames = new Set(adminPermissions.map((permission) => permission.split(':')[0]))

const isName = (name: unknown): name is string =>
  typeof name === 'string' &&
  name.length <= limits.resourceNameCharacters &&
  /^[a-z][a-z0-9-]*$/.test(name)

/** One entry of the list, or what is wrong with it. */
const parseEntry = (entry: unknown): Resource | string => {
  if (typeof entry !== 'object' || entry === null) return 'must be an object'
  const { name, title, read, write, ...rest }: Readonly<Record<string, unknown>> = { ...entry }
  if (typeof name === 'string' && isScopeWord(name)) {
    return `has the "name" "${name}", which is a reserved word of a scope`
  }
  if (!isName(name)) {
    return `needs a "name" of at most ${limits.resourceNameCharacters} lower-case letters, digits and "-"`
  }
  if (adminNames.has(name)) return 'has a "name" that the admin API uses'
  const [titleText, readText, writeText] = [title, read, write].map(parseText)
  if (!titleText) return `needs words for "title": ${textForm}`
  if (!readText) return `needs words for "read": ${textForm}`
  if (!writeText) return `needs words for "write": ${textForm}`
  const [extra] = Object.keys(rest)
  if (extra !== undefined) return `has an unknown key "${extra}"`
  return { name, title: titleText, read: readText, write: writeText }
}

export const parseResources = (given: unknown): Parsed<readonly Resource[]> => {
  if (!Array.isArray(given) || given.length === 0 || given.length > limits.resources) {
    return {
      expected: `a list of 1 to ${limits.resources} objects with "name", "title", "read" and "write"`,
    }
  }
  const parsed = given.map(parseEntry)
  for (const [index, fault] of parsed.entries()) {
    if (typeof fault !== 'string') continue
    return { expected: `a list of resources, but entry ${index + 1} ${fault}` }
  }
  const entries = parsed.filter((entry) => typeof entry !== 'string')
  const names = entries.map((entry) => entry.name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  return twice === undefined
    ? { value: entries }
    : { expected: `a list of resources, but "${twice}" is there twice` }
}
