/** The resources that a service offers: which ones there are is up to the operator. */
import { adminPermissions, type Resource } from '../model/resource.ts'
import { limits } from './limits.ts'
import type { Parsed } from './values.ts'

export const defaultResources: readonly Resource[] = [
  {
    name: 'photos',
    title: 'Photos',
    read: 'See your photos',
    write: 'Add, change and delete your photos',
  },
  {
    name: 'contacts',
    title: 'Contacts',
    read: 'See the people you know',
    write: 'Add, change and delete contacts',
  },
  {
    name: 'calendar',
    title: 'Calendar',
    read: 'See your appointments',
    write: 'Add, change and delete appointments',
  },
  {
    name: 'profile',
    title: 'Profile',
    read: 'See your name and email address',
    write: 'Add, change and delete the entries of your profile',
  },
]

/** Names that the operator's own resources have: an owner could otherwise grant them. */
const adminNames = new Set(adminPermissions.map((permission) => permission.split(':')[0]))

const hasWords = (entry: object, key: string): boolean => {
  const words: unknown = Reflect.get(entry, key)
  return typeof words === 'string' && words.trim() !== ''
}

/** What is wrong with one entry of the list, or null. */
const faultOf = (entry: unknown): string | null => {
  if (typeof entry !== 'object' || entry === null) return 'must be an object'
  const name: unknown = Reflect.get(entry, 'name')
  const named = typeof name === 'string' && name.length <= limits.resourceNameCharacters
  if (!named || !/^[a-z][a-z0-9-]*$/.test(name)) {
    return `needs a "name" of at most ${limits.resourceNameCharacters} lower-case letters, digits and "-"`
  }
  if (adminNames.has(name)) return 'has a "name" that the admin API uses'
  const missing = ['title', 'read', 'write'].find((key) => !hasWords(entry, key))
  if (missing !== undefined) return `needs words for "${missing}"`
  const extra = Object.keys(entry).find((key) => !['name', 'title', 'read', 'write'].includes(key))
  return extra === undefined ? null : `has an unknown key "${extra}"`
}

const isResource = (entry: unknown): entry is Resource => faultOf(entry) === null

export const parseResources = (given: unknown): Parsed<readonly Resource[]> => {
  if (!Array.isArray(given) || given.length === 0 || given.length > limits.resources) {
    return {
      expected: `a list of 1 to ${limits.resources} objects with "name", "title", "read" and "write"`,
    }
  }
  const wrong = given.findIndex((entry) => !isResource(entry))
  if (wrong >= 0) {
    return { expected: `a list of resources, but entry ${wrong + 1} ${faultOf(given[wrong])}` }
  }
  const entries = given.filter(isResource)
  const names = entries.map((entry) => entry.name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  return twice === undefined
    ? { value: entries }
    : { expected: `a list of resources, but "${twice}" is there twice` }
}
