/** `latchkey resource ...`: the kinds of things that owners have, here or in somebody's own API. */
import { changeResource, createResource } from '../access/change-resource.ts'
import { describeResource } from '../config/resources.ts'
import type { Resource } from '../model/resource.ts'
import { asJson } from './clients.ts'
import { type Flags, type StoreParts, seedFirst } from './store.ts'

/** Words as they are typed: a text, or a JSON object with one per language. */
const wordsOf = (typed: unknown): unknown => {
  if (typeof typed !== 'string' || !typed.startsWith('{')) return typed
  try {
    return JSON.parse(typed)
  } catch {
    throw new Error(`these words are no JSON object: ${typed}`)
  }
}

const actionsOf = (typed: unknown): unknown => {
  if (!Array.isArray(typed)) return undefined
  const entries = typed.map((text: string) => {
    const at = text.indexOf('=')
    if (at < 1) throw new Error(`an action is written name=words, not ${text}`)
    return [text.slice(0, at), wordsOf(text.slice(at + 1))]
  })
  return Object.fromEntries(entries)
}

/** The members that flags give. An empty `--uri` takes it away. */
const membersOf = (flags: Flags): Readonly<Record<string, unknown>> => {
  const members = {
    title: wordsOf(flags.title),
    read: wordsOf(flags.read),
    write: wordsOf(flags.write),
    actions: actionsOf(flags.action),
    destructive: flags.destructive,
    uri: flags.uri === '' ? null : flags.uri,
    access_token_format: flags.accessTokenFormat,
    introspection_clients: flags.introspectionClient,
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

const written = (value: unknown): string => {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.join(' ') : JSON.stringify(value)
}

const show = (resource: Resource, { json }: Flags): string => {
  const members = describeResource(resource)
  if (json === true) return asJson(members)
  const isSet = (value: unknown): boolean =>
    value !== null && written(value) !== '' && written(value) !== '{}'
  const entries = Object.entries(members).filter(([, value]) => isSet(value))
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${written(value)}`).join('\n')
}

const unknown = (name: string): Error => new Error(`there is no resource ${name}`)

export const addResource = async (flags: Flags, parts: StoreParts): Promise<string> => {
  await seedFirst(parts)
  const given = { ...membersOf(flags), name: flags.name }
  return show(await createResource(given, parts.trace(), parts), flags)
}

export const listResources = async (flags: Flags, { resources }: StoreParts): Promise<string> => {
  await resources.refresh()
  const all = resources.list()
  if (flags.json === true) return asJson(all.map(describeResource))
  if (all.length === 0) return 'There are no resources.'
  const width = Math.max(...all.map(({ name }) => name.length))
  const line = ({ name, title, uri }: Resource): string =>
    `${name.padEnd(width)}  ${title.en}${uri === null ? '' : `  ${uri}`}`
  return all.map(line).join('\n')
}

export const showResource = async (flags: Flags, { resources }: StoreParts): Promise<string> => {
  const name = String(flags.name)
  await resources.refresh()
  const resource = resources.find(name)
  if (resource === null) throw unknown(name)
  return show(resource, flags)
}

export const changeOneResource = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const name = String(flags.name)
  const changed = await changeResource(name, membersOf(flags), parts.trace(), parts)
  if (changed === null) throw unknown(name)
  return show(changed, flags)
}

export const removeResource = async (flags: Flags, parts: StoreParts): Promise<string> => {
  const name = String(flags.name)
  if (!(await parts.resources.remove(name, parts.trace()))) throw unknown(name)
  return `${name} is deleted. All permissions on it have ended, and its name is not used again.`
}
