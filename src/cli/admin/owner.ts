/** `latchkey owner ...`: the resource owners of the service. */

import { UsageFault } from '../../config/remote.ts'
import { isOwnerId } from '../../model/ids.ts'
import { usernameKey } from '../../model/owner.ts'
import { consoleRoleOf } from '../../model/role.ts'
import { type AdminApi, ApiFault, isObject, pathTo } from '../api.ts'
import { paragraphs, renderTime } from '../counts.ts'
import { type CommandOutput, type JsonRow, saidMembers, saidRows, shown } from '../said.ts'
import type { Flags } from '../store.ts'
import type { ApiWork } from '../tree.ts'
import { confirmDeletion } from './confirm.ts'

const unlessUnknown = (fault: unknown): null => {
  if (fault instanceof ApiFault && fault.title === 'not_found') return null
  throw fault
}

/** The owner with this username or id; null without one. */
const find = async (api: AdminApi, named: string): Promise<JsonRow | null> => {
  const found = await api.list('owners', { search: named, by: 'username' }, 1)
  const [first] = found
  if (first !== undefined && usernameKey(shown(first.username)) === usernameKey(named)) return first
  if (!isOwnerId(named)) return null
  return api.ask('GET', pathTo('owners', named)).catch(unlessUnknown)
}

/** @throws ApiFault where there is none */
export const findOwner = async (api: AdminApi, named: string): Promise<JsonRow> => {
  const owner = await find(api, named)
  if (owner === null) throw new ApiFault(`there is no owner ${named}`, 404, 'not_found')
  return owner
}

/** A path below the owner. */
const ownerPath = async (
  api: AdminApi,
  named: string,
  ...rest: readonly string[]
): Promise<string> => pathTo('owners', shown((await findOwner(api, named)).id), ...rest)

/** A flag that holds a JSON object. */
const objectIn = (text: unknown, called: string): JsonRow => {
  try {
    const value: unknown = JSON.parse(String(text))
    if (isObject(value)) return value
  } catch {
    // Told below.
  }
  throw new UsageFault(`${called} has to be a JSON object`)
}

const membersOf = (flags: Flags): JsonRow => {
  const { name, email, attributes, role } = flags
  return {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(attributes === undefined ? {} : { attributes: objectIn(attributes, '--attributes') }),
    ...(Array.isArray(role) ? { roles: role.map(String) } : {}),
  }
}

type HandedLink = 'invite' | 'reset'

const effects: Readonly<Record<HandedLink, string>> = {
  invite: 'Whoever opens it chooses the password of this account',
  reset: 'Whoever opens it chooses a new password for this account, and all of its logins end',
}

/** Makes a link for an owner, or has a mail bring it, and says how to pass it on. */
const bringLink = async (
  api: AdminApi,
  purpose: HandedLink,
  { id, username }: JsonRow,
  send: boolean,
): Promise<CommandOutput> => {
  const made = await api.ask('POST', pathTo('owners', shown(id), 'links'), { purpose, send })
  const json = { username, ...made }
  if (send) {
    const to = shown(made.sent_to)
    return {
      json,
      text: `A mail with a link for ${username} goes to ${to}. The running service sends it.`,
    }
  }
  const until = renderTime(Number(made.expires_at))
  const text = paragraphs(
    `username  ${username}\nlink      ${shown(made.link)}`,
    `${effects[purpose]}. The link works once, until ${until}, and is shown this once.`,
  )
  return { json, text }
}

const create = (api: AdminApi, username: string, members: JsonRow): Promise<JsonRow> =>
  api.ask('POST', 'owners', { username, ...members }).catch((fault: unknown) => {
    if (fault instanceof ApiFault && fault.title === 'conflict') {
      throw new ApiFault(`there is already an owner ${username}`, fault.status, fault.title)
    }
    throw fault
  })

export const addOwner: ApiWork = async (api, flags, [username = '']) => {
  const { password = null } = flags
  const owner = await create(api, username, { ...membersOf(flags), password })
  if (password === null) return bringLink(api, 'invite', owner, false)
  return { json: owner, text: `username  ${shown(owner.username)}` }
}

export const inviteOwner: ApiWork = async (api, flags, [username = '']) => {
  const owner =
    (await find(api, username)) ??
    (await create(api, username, { ...membersOf(flags), password: null }))
  return bringLink(api, 'invite', owner, flags.send === true)
}

export const resetOwner: ApiWork = async (api, flags, [username = '']) =>
  bringLink(api, 'reset', await findOwner(api, username), flags.send === true)

export const listOwners: ApiWork = async (api, flags) => {
  const { search, by, role, limit } = flags
  if (by !== undefined && search === undefined) {
    throw new UsageFault('--by names what --search looks at, and there is no --search')
  }
  const query = {
    role: role === undefined ? undefined : String(role),
    search: search === undefined ? undefined : String(search),
    by: search === undefined ? undefined : String(by ?? 'username'),
  }
  const most = limit === undefined ? undefined : Number(limit)
  const rows = await api.list('owners', query, most)
  return saidRows(rows, ['username', 'name', 'email', 'disabled', 'id'], 'There are no owners.')
}

export const showOwner: ApiWork = async (api, _flags, [username = '']) =>
  saidMembers(await findOwner(api, username))

const change = async (api: AdminApi, username: string, members: JsonRow): Promise<JsonRow> =>
  api.ask('PATCH', await ownerPath(api, username), members)

export const changeOwner: ApiWork = async (api, flags, [username = '']) => {
  const members = membersOf(flags)
  if (Object.keys(members).length === 0) throw new UsageFault('name what to change: see --help')
  return saidMembers(await change(api, username, members))
}

export const setOwnerDisabled =
  (disabled: boolean): ApiWork =>
  async (api, _flags, [username = '']) => {
    const json = await change(api, username, { disabled })
    const text = disabled
      ? `${shown(json.username)} is disabled: nobody logs in with it, and what it approved is refused until it is enabled.`
      : `${shown(json.username)} is enabled.`
    return { json, text }
  }

export const setAttributes: ApiWork = async (api, _flags, [username = '', attributes = '']) => {
  const json = await change(api, username, {
    attributes: objectIn(attributes, 'what stands behind the username'),
  })
  const text = `${shown(json.username)} has the attributes ${JSON.stringify(json.attributes)}.`
  return { json, text }
}

/** No role takes all of them away. */
export const setRoles: ApiWork = async (api, flags, [username = '']) => {
  const roles = Array.isArray(flags.role) ? flags.role.map(String) : []
  const keep = Array.isArray(flags.keep) ? { keep_ways_in: flags.keep.map(String) } : {}
  const json = await change(api, username, { roles, ...keep })
  if (roles.length === 0) return { json, text: `${shown(json.username)} has no role.` }
  const named = `${roles.length === 1 ? 'the role' : 'the roles'} ${roles.join(' ')}`
  // Any word may be a role, so nothing refuses a mistyped one.
  const hint =
    consoleRoleOf({ roles }) !== null ? '' : ' The console opens for operator and auditor only.'
  return { json, text: `${shown(json.username)} has ${named}.${hint}` }
}

export const setPassword: ApiWork = async (api, { password }, [username = '']) => {
  const json = await api.ask('POST', await ownerPath(api, username, 'set-password'), { password })
  return { json, text: `${shown(json.username)} has a new password. All of its logins have ended.` }
}

export const resetFactors: ApiWork = async (api, _flags, [named = '']) => {
  const { username, id } = await findOwner(api, named)
  await api.ask('DELETE', pathTo('owners', shown(id), 'factors'))
  const text = `${shown(username)} logs in by the password alone, and can set up a new second factor.`
  return { json: { username }, text }
}

export const deleteOwner: ApiWork = async (api, flags, [named = '']) => {
  const { username, id } = await findOwner(api, named)
  const whole = `${shown(username)} goes, with all logins, data and the access of applications.`
  await confirmDeletion(whole, flags)
  await api.ask('DELETE', pathTo('owners', shown(id)))
  return { json: { deleted: username }, text: `${shown(username)} is deleted, with all it had.` }
}
