/** The plan of `latchkey apply`: the differences between a file and the service. */

import { chosenSecretForm, isChosenSecret } from '../../clients/credentials.ts'
import { clientSecretBasic } from '../../clients/methods/client-secret.ts'
import { privateKeyJwt } from '../../clients/methods/private-key-jwt.ts'
import { UsageFault } from '../../config/remote.ts'
import { type JsonRow, show } from '../../operations/surface/said.ts'
import { makeSchema } from '../../protocol/schema.ts'
import { builtIn } from '../../registries.ts'
import type { AdminApi } from '../api.ts'
import { listDifference, listItemLines, pickDiffering } from './difference.ts'
import type { WantedItem, WantedState } from './file.ts'
import { type ApplyKind, applyKinds, listRights, mayAdminister, sayItem } from './kinds.ts'

/** One item, and what becomes of it. */
export interface PlannedChange {
  readonly action: 'create' | 'change' | 'delete'
  readonly kind: ApplyKind
  readonly id: string
  /** The item as it was read: it has to be so still. Null for a new one. */
  readonly seen: JsonRow | null
  /** The members to write. */
  readonly members: JsonRow
  /** Of a new client. */
  readonly secret: string | null
  readonly difference: readonly string[]
}

export interface Plan {
  readonly changes: readonly PlannedChange[]
  /** What `--prune` leaves, and why. */
  readonly kept: readonly { readonly kind: ApplyKind; readonly id: string; readonly why: string }[]
}

/** The members of an item that a file may have. */
export const pickWritten = (kind: ApplyKind, item: JsonRow): JsonRow => {
  const names = schemaNames()[kind.name] ?? []
  return Object.fromEntries(names.flatMap((name) => (name in item ? [[name, item[name]]] : [])))
}

const schemaNames = makeSchema((z) =>
  Object.fromEntries(
    applyKinds.map(({ name, form }) => {
      const schema = z.toJSONSchema(form.make(z), { io: 'input', unrepresentable: 'any' })
      return [name, Object.keys(schema.properties ?? {})]
    }),
  ),
)

const lookMethod = (name: unknown) => builtIn.clientMethods.find((one) => one.name === name)

/** Whether the method of a client needs a secret of the service. One that nobody here knows does not. */
export const needsSecret = ({
  token_endpoint_auth_method: method,
  federated_credentials: platforms,
}: JsonRow): boolean => {
  const usual = (platforms ?? null) === null ? clientSecretBasic.name : privateKeyJwt.name
  const { issues = 'nothing' } = lookMethod(method ?? usual) ?? {}
  return issues !== 'nothing'
}

/** @throws UsageFault for a method that there is not */
const checkMethod = ({ members, locate }: WantedItem): void => {
  const { token_endpoint_auth_method: method } = members
  if (method === undefined || method === null || lookMethod(method) !== undefined) return
  const known = builtIn.clientMethods.map(({ name }) => name).join(', ')
  const member = 'token_endpoint_auth_method'
  throw new UsageFault(`${locate(member)} ${member} has to be one of ${known}`)
}

/** @throws UsageFault */
const readSecret = (item: WantedItem): string | null => {
  const { kind, members, secret, locate } = item
  if (kind.name !== 'clients') return null
  checkMethod(item)
  const isNeeded = needsSecret(members)
  if (isNeeded && mayAdminister(members)) {
    const said = 'is new, and gets permissions of the admin API: make it with latchkey client add'
    throw new UsageFault(`${locate()} ${said}, which shows its secret`)
  }
  if (isNeeded && secret === null) {
    const said = 'is new, and its method needs a secret: write client_secret: { env: NAME }'
    throw new UsageFault(`${locate()} ${said}, or { file: PATH }`)
  }
  if (secret === null) return null
  if (!isNeeded) {
    throw new UsageFault(
      `${locate('client_secret')} has a client_secret that its method does not need`,
    )
  }
  const value = secret.read()
  if (isChosenSecret(value)) return value
  throw new UsageFault(`${secret.called} has to hold ${chosenSecretForm}`)
}

const planNew = (item: WantedItem): PlannedChange => {
  const { kind, id, members, secret } = item
  const told = secret === null ? [] : [`+ client_secret: from ${secret.called}`]
  const difference = [...listItemLines(members).map((line) => `+ ${line}`), ...told]
  return {
    ...{ action: 'create', kind, id, seen: null, members, difference },
    secret: readSecret(item),
  }
}

/** Rights of an existing client: the service may ask about its secret, and apply has no answer. */
const checkRights = ({ id, members, locate }: WantedItem, seen: JsonRow): void => {
  const had = show(seen.scope).split(' ')
  const added = listRights(members).filter((name) => !had.includes(name))
  if (added.length === 0) return
  const said = `gets ${added.join(' ')}, and the service may ask about its secret`
  throw new UsageFault(`${locate('scope')} ${said}: use latchkey client change ${show(id)} --scope`)
}

/** Another method may need a secret. The service would make one that nobody sees. */
const checkNewMethod = (item: WantedItem, seen: JsonRow): void => {
  const { locate, members } = item
  const { token_endpoint_auth_method: method } = members
  if (method === undefined || method === seen.token_endpoint_auth_method) return
  checkMethod(item)
  const [is, was] = [members, seen].map(
    ({ token_endpoint_auth_method: name }) => lookMethod(name)?.issues,
  )
  if (is === 'nothing' || is === was || was === 'sealed secret') return
  const said = 'gets a new secret by this token_endpoint_auth_method, and apply shows none'
  throw new UsageFault(
    `${locate('token_endpoint_auth_method')} ${said}: use latchkey client change --auth-method`,
  )
}

/** @throws UsageFault */
const planItem = (item: WantedItem, seen: JsonRow | undefined): readonly PlannedChange[] => {
  const { kind, id, locate } = item
  if (seen === undefined) return [planNew(item)]
  const foreign = kind.isForeign(seen)
  if (foreign !== null) throw new UsageFault(`${locate()} cannot be in this file: ${foreign}`)
  const members = pickDiffering(seen, item.members)
  if (Object.keys(members).length === 0) return []
  if (kind.name === 'clients') {
    checkNewMethod(item, seen)
    checkRights(item, seen)
  }
  const before = Object.fromEntries(Object.keys(members).map((name) => [name, seen[name]]))
  const difference = listDifference(before, members)
  return [{ action: 'change', kind, id, seen, members, secret: null, difference }]
}

const listOwn = async (api: AdminApi, kind: ApplyKind): Promise<ReadonlyMap<string, JsonRow>> =>
  new Map((await api.list(kind.name, {})).map((item) => [String(item[kind.id]), item]))

/**
 * Reads the service, and writes nothing.
 *
 * @throws UsageFault for what the file must not ask for, ApiFault
 */
export const makePlan = async (
  api: AdminApi,
  { kinds, items }: WantedState,
  prune: boolean,
): Promise<Plan> => {
  const changes: PlannedChange[] = []
  const deletions: PlannedChange[] = []
  const kept: Plan['kept'][number][] = []
  for (const kind of kinds) {
    const found = await listOwn(api, kind)
    const wanted = items.filter((item) => item.kind === kind)
    changes.push(...wanted.flatMap((item) => planItem(item, found.get(item.id))))
    const named = new Set(wanted.map(({ id }) => id))
    for (const [id, seen] of prune ? found : []) {
      if (named.has(id) || kind.isForeign(seen) !== null) continue
      const why = kind.findKeeper(seen)
      if (why !== null) {
        kept.push({ kind, id, why })
        continue
      }
      const difference = listItemLines(pickWritten(kind, seen)).map((line) => `- ${line}`)
      deletions.push({ action: 'delete', kind, id, seen, members: {}, secret: null, difference })
    }
  }
  // What names others goes before them.
  return { changes: [...changes, ...deletions.reverse()], kept }
}

const marks = { create: '+', change: '~', delete: '-' } as const

export const sayChange = ({ action, kind, id }: PlannedChange): string =>
  `${marks[action]} ${sayItem(kind, id)}`

/** A paragraph for each item. */
export const sayPlan = ({ changes, kept }: Plan): string =>
  [
    ...changes.map((change) =>
      [sayChange(change), ...change.difference.map((line) => `    ${line}`)].join('\n'),
    ),
    ...kept.map(({ kind, id, why }) => `  ${sayItem(kind, id)} stays: ${why}`),
  ].join('\n')
