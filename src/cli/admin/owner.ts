/** The commands about owners that ask for more than one operation. */
import { isOwnerId } from '../../model/ids.ts'
import { usernameKey } from '../../model/owner.ts'
import { readOwnerMembers, sayLink } from '../../operations/surface/owner-flags.ts'
import { type CommandOutput, type JsonRow, shown } from '../../operations/surface/said.ts'
import { type AdminApi, ApiFault, type ApiWork, pathTo } from '../api.ts'

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

const create = (api: AdminApi, username: string, members: JsonRow): Promise<JsonRow> =>
  api.ask('POST', 'owners', { username, ...members }).catch((fault: unknown) => {
    if (fault instanceof ApiFault && fault.title === 'conflict') {
      throw new ApiFault(`there is already an owner ${username}`, fault.status, fault.title)
    }
    throw fault
  })

const invite = async (
  api: AdminApi,
  { id, username }: JsonRow,
  send: boolean,
): Promise<CommandOutput> => {
  const asked = { purpose: 'invite', send }
  const made = await api.ask('POST', pathTo('owners', shown(id), 'links'), asked)
  return { json: { username, ...made }, text: sayLink(made, username) }
}

const addOwner: ApiWork = async (api, flags, [username = '']) => {
  const { password = null } = flags
  const owner = await create(api, username, { ...readOwnerMembers(flags), password })
  if (password === null) return invite(api, owner, false)
  return { json: owner, text: `username  ${shown(owner.username)}` }
}

const inviteOwner: ApiWork = async (api, flags, [username = '']) => {
  const owner =
    (await find(api, username)) ??
    (await create(api, username, { ...readOwnerMembers(flags), password: null }))
  return invite(api, owner, flags.send === true)
}

/** By the name of the command. */
export const composedWork: Readonly<Record<string, ApiWork>> = {
  'owner add': addOwner,
  'owner invite': inviteOwner,
}
