/** The kinds of things in a file of `latchkey apply`: a row each, in the order in which they are made. */
import { createIssuer } from '../../features/trusted-issuers/operation-changes.ts'
import { adminPermissions } from '../../model/resource.ts'
import { createClient } from '../../operations/client-changes.ts'
import { createGroup } from '../../operations/groups.ts'
import type { Operation } from '../../operations/operation.ts'
import { createResource } from '../../operations/resource-changes.ts'
import { type JsonRow, show } from '../../operations/surface/said.ts'

export interface ApplyKind {
  /** Its key in the file, and its path below the admin API. */
  readonly name: string
  /** What messages call one. */
  readonly one: string
  /** The member that names an item. */
  readonly id: string
  /** Makes one. Its form is that of an item in the file. */
  readonly create: Pick<Operation, 'body'>
  /** Members that may name items of other kinds. These members are written last. */
  readonly later: readonly string[]
  /** Why a file is not for this item; null for an item of the operator. */
  readonly isForeign: (item: JsonRow) => string | null
  /** Why `--prune` leaves an item; null where the item goes. */
  readonly findKeeper: (item: JsonRow) => string | null
}

const ofOperator = { later: [], isForeign: () => null, findKeeper: () => null }

const mayAdminister = ({ scope }: JsonRow): boolean =>
  show(scope)
    .split(' ')
    .some((name) => adminPermissions.some((permission) => permission === name))

export const applyKinds: readonly ApplyKind[] = [
  {
    ...ofOperator,
    name: 'resources',
    one: 'resource',
    id: 'name',
    create: createResource,
    later: ['introspection_clients'],
    findKeeper: ({ uri }) => ((uri ?? null) === null ? 'this service keeps its items' : null),
  },
  {
    ...ofOperator,
    name: 'groups',
    one: 'group',
    id: 'name',
    create: createGroup,
    findKeeper: ({ members }) => (members === 0 ? null : `owners are in it: ${show(members)}`),
  },
  {
    ...ofOperator,
    name: 'clients',
    one: 'client',
    id: 'client_id',
    create: createClient,
    isForeign: ({ registered_by: by }) => (by === 'operator' ? null : 'it registered itself'),
    findKeeper: (item) => (mayAdminister(item) ? 'it may administer this service' : null),
  },
  { ...ofOperator, name: 'issuers', one: 'issuer', id: 'id', create: createIssuer },
]

/** Names an item for people. */
export const sayItem = ({ one }: ApplyKind, id: string): string => `${one} ${show(id)}`
