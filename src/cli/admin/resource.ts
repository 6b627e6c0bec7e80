/** `latchkey resource ...`: the kinds of things that owners have, here or in somebody's own API. */

import { UsageFault } from '../../config/remote.ts'
import { type AdminApi, ApiFault, isObject, pathTo } from '../api.ts'
import { type CommandOutput, type JsonRow, renderRows, saidMembers, shown } from '../said.ts'
import type { Flags } from '../store.ts'
import type { ApiWork } from '../tree.ts'
import { confirmDeletion } from './confirm.ts'

/** Words as they are typed: a text, or a JSON object with one per language. */
const wordsOf = (typed: unknown): unknown => {
  if (typeof typed !== 'string' || !typed.startsWith('{')) return typed
  try {
    return JSON.parse(typed)
  } catch {
    throw new UsageFault(`these words are no JSON object: ${typed}`)
  }
}

const actionsOf = (typed: unknown): unknown => {
  if (!Array.isArray(typed)) return undefined
  const entries = typed.map((text: string) => {
    const at = text.indexOf('=')
    if (at < 1) throw new UsageFault(`an action is written name=words, not ${text}`)
    return [text.slice(0, at), wordsOf(text.slice(at + 1))]
  })
  return Object.fromEntries(entries)
}

/** The members that flags give. An empty `--uri` takes it away. */
const membersOf = (flags: Flags): JsonRow => {
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

const ask = (
  api: AdminApi,
  method: 'GET' | 'PATCH' | 'DELETE',
  name: string,
  body?: object,
): Promise<JsonRow> =>
  api.ask(method, pathTo('resources', name), body).catch((fault: unknown) => {
    if (fault instanceof ApiFault && fault.title === 'not_found') {
      throw new ApiFault(`there is no resource ${name}`, fault.status, fault.title)
    }
    throw fault
  })

export const addResource: ApiWork = async (api, flags, [name = '']): Promise<CommandOutput> =>
  saidMembers(await api.ask('POST', 'resources', { ...membersOf(flags), name }))

/** In English where there are several languages. */
const titleOf = (title: unknown): string => shown(isObject(title) ? title.en : title)

export const listResources: ApiWork = async (api) => {
  const rows = await api.list('resources', {})
  const lines = rows.map(({ name, title, uri }) => [shown(name), titleOf(title), shown(uri)])
  return { json: rows, text: rows.length === 0 ? 'There are no resources.' : renderRows(lines) }
}

export const showResource: ApiWork = async (api, _flags, [name = '']) =>
  saidMembers(await ask(api, 'GET', name))

export const changeResource: ApiWork = async (api, flags, [name = '']) =>
  saidMembers(await ask(api, 'PATCH', name, membersOf(flags)))

export const removeResource: ApiWork = async (api, flags, [name = '']) => {
  await ask(api, 'GET', name)
  await confirmDeletion(`${name} goes for good, with all permissions on it.`, flags)
  await ask(api, 'DELETE', name)
  const text = `${name} is deleted. All permissions on it have ended, and its name is not used again.`
  return { json: { deleted: name }, text }
}
