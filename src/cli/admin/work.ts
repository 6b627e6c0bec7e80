/** The work of a command, by the row of its operation: the request to the admin API, and the words of the answer. */
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { UsageFault } from '../../config/remote.ts'
import { isOwnerId } from '../../model/ids.ts'
import { usernameKey } from '../../model/owner.ts'
import { operations } from '../../operations/index.ts'
import type { Operation } from '../../operations/operation.ts'
import { type CommandRow, getCommandName } from '../../operations/surface/cli.ts'
import { readOwnerMembers, sayLink } from '../../operations/surface/owner-flags.ts'
import {
  type CommandOutput,
  type JsonRow,
  renderMembers,
  renderRows,
  show,
} from '../../operations/surface/said.ts'
import { type AdminApi, type AdminQuery, ApiFault, type ApiWork, joinPath } from '../api.ts'
import type { Flags } from '../store.ts'

const ignoreUnknown = (fault: unknown): null => {
  if (fault instanceof ApiFault && fault.title === 'not_found') return null
  throw fault
}

/** The owner with this username or id; null without one. */
const find = async (api: AdminApi, named: string): Promise<JsonRow | null> => {
  const found = await api.list('owners', { search: named }, 1)
  const [first] = found
  if (first !== undefined && usernameKey(show(first.username)) === usernameKey(named)) return first
  if (!isOwnerId(named)) return null
  return api.ask('GET', joinPath('owners', named)).catch(ignoreUnknown)
}

/** @throws ApiFault where there is none */
const findOwner = async (api: AdminApi, named: string): Promise<JsonRow> => {
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
  const made = await api.ask('POST', joinPath('owners', show(id), 'links'), asked)
  return { json: { username, ...made }, text: sayLink(made, username) }
}

const addOwner: ApiWork = async (api, flags, [username = '']) => {
  const { password = null } = flags
  const owner = await create(api, username, { ...readOwnerMembers(flags), password })
  if (password === null) return invite(api, owner, false)
  return { json: owner, text: `username  ${show(owner.username)}` }
}

const inviteOwner: ApiWork = async (api, flags, [username = '']) => {
  const owner =
    (await find(api, username)) ??
    (await create(api, username, { ...readOwnerMembers(flags), password: null }))
  return invite(api, owner, flags.send === true)
}

/** By the name of the command. */
const composedWork: Readonly<Record<string, ApiWork>> = {
  'owner add': addOwner,
  'owner invite': inviteOwner,
}

/**
 * Asks at a terminal. Elsewhere nobody can answer, so `--yes` has to be there.
 *
 * @param happens in one sentence, or after a list
 * @param otherwise where the answer is no
 * @throws UsageFault where nobody agreed
 */
export const confirm = async (
  happens: string,
  { yes }: Flags,
  otherwise: string,
): Promise<void> => {
  if (yes === true) return
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageFault(`${happens} Say --yes for it`)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // Nobody answers a terminal that was closed.
  const closed = once(lines, 'close').then(() => '')
  const answer = await Promise.race([lines.question(`${happens} Type yes to go on: `), closed])
  lines.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new UsageFault(otherwise)
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

export const getNow = (): number => Math.floor(Date.now() / 1000)

/** A time of RFC 3339 or unix seconds as they are; `90s`, `15m`, `2h`, `7d` as so long ago. */
const parseSince = (given: string): string => {
  const [, number = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(given) ?? []
  const seconds = units[unit]
  return seconds === undefined ? given : String(Math.max(0, getNow() - Number(number) * seconds))
}

const parseFilter = async (api: AdminApi, name: string, given: string): Promise<string> => {
  if (name === 'owner') return show((await findOwner(api, given)).id)
  return name === 'since' || name === 'until' ? parseSince(given) : given
}

/** The filters of a list that flags name. */
export const queryOf = async (
  api: AdminApi,
  { filters = {} }: Pick<Operation, 'filters'>,
  flags: Flags,
): Promise<AdminQuery> => {
  const query: Record<string, string> = {}
  for (const name of Object.keys(filters)) {
    if (flags[name] !== undefined) query[name] = await parseFilter(api, name, String(flags[name]))
  }
  return query
}

const below = '/admin/api/'.length

const listRows = async (
  api: AdminApi,
  operation: Operation,
  { head, cells, empty, most }: CommandRow['list'] & object,
  flags: Flags,
  name: string,
) => {
  const limit = flags.limit === undefined ? most : Number(flags.limit)
  const query = await queryOf(api, operation, flags)
  const path = operation.path.slice(below).replace(/:\w+/, joinPath(name))
  const rows = await api.list(path, query, limit)
  const lines = rows.map(cells ?? ((row) => (head ?? []).map((name) => show(row[name]))))
  const text = rows.length === 0 ? empty : renderRows([...(head ? [head] : []), ...lines])
  return { json: rows, text }
}

/** Keys and references have words of their own, and owners are looked up before. */
const explainUnknown = ({ path }: Operation): CommandRow['faults'] & object => {
  const what = /^\/admin\/api\/(client|resource|authorization)s\/:/.exec(path)?.[1]
  return what === undefined ? {} : { not_found: (name) => `there is no ${what} ${name}` }
}

/** Asks for one operation. Owners are named by their username, so they are looked up first. */
const askFor =
  (operation: Operation, command: CommandRow): ApiWork =>
  async (api, flags, names) => {
    command.check?.(flags)
    const body = command.body?.(flags, names)
    const [typed = ''] = names
    const name = command.typed?.(typed) ?? typed
    const sayFault = (fault: unknown): never => {
      const faults = { ...explainUnknown(operation), ...command.faults }
      const say = fault instanceof ApiFault ? faults[fault.title ?? ''] : undefined
      if (!(fault instanceof ApiFault) || say === undefined) throw fault
      throw new ApiFault(say(name, flags), fault.status, fault.title)
    }
    if (command.list !== undefined) {
      return listRows(api, operation, command.list, flags, name).catch(sayFault)
    }
    const ask = (method: Operation['method'], path: string, given?: object): Promise<JsonRow> =>
      api.ask(method as 'GET', path, given).catch(sayFault)
    const owner = operation.path.startsWith('/admin/api/owners/')
      ? await findOwner(api, name)
      : null
    const path = operation.path.slice(below).replace(/:\w+/, joinPath(String(owner?.id ?? name)))
    const [kind = '', subject = ''] = path.split('/')
    const looks = command.looksFirst === true || command.confirm !== undefined
    const found = owner ?? (looks ? await ask('GET', `${kind}/${subject}`) : {})
    if (command.confirm !== undefined)
      await confirm(command.confirm({ name, found }), flags, 'nothing was deleted')
    const json = await ask(operation.method, path, body)
    const told = { name, found, json }
    return {
      json: command.json?.(told) ?? json,
      text: command.text?.(told) ?? renderMembers(json),
    }
  }

const commands = new Map(
  operations.flatMap((operation) =>
    operation.commands.map((command) => {
      const name = getCommandName(command)
      return [name, { command, work: composedWork[name] ?? askFor(operation, command) }] as const
    }),
  ),
)

/** A command by the words that name it, such as `client add`. */
export const findCommand = (name: string) => {
  const found = commands.get(name)
  if (found === undefined) throw new Error(`no operation has the command ${name}`)
  return found
}
