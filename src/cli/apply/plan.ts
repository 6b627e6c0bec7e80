/** The plan of `latchkey apply`: the differences between a file and the service. */

import { chosenSecretForm, isChosenSecret } from '../../clients/credentials.ts'
import { clientSecretBasic } from '../../clients/methods/client-secret.ts'
import { privateKeyJwt } from '../../clients/methods/private-key-jwt.ts'
import { findMethod } from '../../clients/rules.ts'
import { UsageFault } from '../../config/remote.ts'
import type { JsonRow } from '../../operations/surface/said.ts'
import { makeSchema } from '../../protocol/schema.ts'
import { builtIn } from '../../registries.ts'
import type { AdminApi } from '../api.ts'
import { listDifference, listItemLines, pickDiffering } from './difference.ts'
import type { WantedItem, WantedState } from './file.ts'
import { type ApplyKind, applyKinds, sayItem } from './kinds.ts'

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

/** Whether the method of a client needs a secret of the service. */
export const needsSecret = ({
  token_endpoint_auth_method: method,
  federated_credentials: platforms,
}: JsonRow): boolean => {
  const usual = (platforms ?? null) === null ? clientSecretBasic.name : privateKeyJwt.name
  return findMethod(String(method ?? usual), builtIn).issues !== 'nothing'
}

/** @throws UsageFault */
const readSecret = ({ kind, members, secret, place }: WantedItem): string | null => {
  if (kind.name !== 'clients') return null
  const isNeeded = needsSecret(members)
  if (isNeeded && secret === null) {
    const said = 'is new, and its method needs a secret: write client_secret: { env: NAME }'
    throw new UsageFault(`${place} ${said}, or { file: PATH }`)
  }
  if (secret === null) return null
  if (!isNeeded) throw new UsageFault(`${place} has a client_secret that its method does not need`)
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

/** Another method may need a secret. The service would make one that nobody sees. */
const checkMethod = ({ kind, place, members }: WantedItem, seen: JsonRow): void => {
  if (kind.name !== 'clients' || members.token_endpoint_auth_method === undefined) return
  const issues = ({ token_endpoint_auth_method: method }: JsonRow) =>
    findMethod(String(method), builtIn).issues
  const [is, was] = [issues(members), issues(seen)]
  if (is === 'nothing' || is === was || was === 'sealed secret') return
  const said = 'gets a new secret by this token_endpoint_auth_method, and apply shows none'
  throw new UsageFault(`${place} ${said}: use latchkey client change --auth-method`)
}

/** @throws UsageFault */
const planItem = (item: WantedItem, seen: JsonRow | undefined): readonly PlannedChange[] => {
  const { kind, id, place } = item
  if (seen === undefined) return [planNew(item)]
  const foreign = kind.isForeign(seen)
  if (foreign !== null) throw new UsageFault(`${place} cannot be in this file: ${foreign}`)
  const members = pickDiffering(seen, item.members)
  if (Object.keys(members).length === 0) return []
  checkMethod(item, seen)
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
