/** The kinds of things in a file of `latchkey apply`: a row each, in the order in which they are made. */
import { operatorPermissions } from '../../model/resource.ts'
import { operations } from '../../operations/index.ts'
import type { Form } from '../../operations/operation.ts'
import { type JsonRow, show } from '../../operations/surface/said.ts'

export interface ApplyKind {
  /** Its key in the file, and its path below the admin API. */
  readonly name: string
  /** What messages call one. */
  readonly one: string
  /** The member that names an item. */
  readonly id: string
  /** The form of an item in the file, and of the operation behind it. */
  readonly form: Form
  /** Members that may name items of other kinds. These members are written last. */
  readonly later: readonly string[]
  /** Why a file is not for this item; null for an item of the operator. */
  readonly isForeign: (item: JsonRow) => string | null
  /** Why `--prune` leaves an item; null where the item goes. */
  readonly findKeeper: (item: JsonRow) => string | null
}

const findForm = (id: string): Form => {
  const form = operations.find((one) => one.id === id)?.body?.form
  if (form === undefined) throw new Error(`no operation ${id} has a body`)
  return form
}

const ofOperator = { later: [], isForeign: () => null, findKeeper: () => null }

/** The permissions of the admin API that a client has. */
export const listRights = ({ scope }: JsonRow): readonly string[] =>
  show(scope)
    .split(' ')
    .filter((name) => operatorPermissions.some((permission) => permission === name))

export const mayAdminister = (client: JsonRow): boolean => listRights(client).length > 0

export const applyKinds: readonly ApplyKind[] = [
  {
    ...ofOperator,
    name: 'resources',
    one: 'resource',
    id: 'name',
    form: findForm('createResource'),
    later: ['introspection_clients'],
    findKeeper: ({ uri }) => ((uri ?? null) === null ? 'this service keeps its items' : null),
  },
  {
    ...ofOperator,
    name: 'groups',
    one: 'group',
    id: 'name',
    form: findForm('createGroup'),
    findKeeper: ({ members, mapped_by: upstream }) => {
      if ((upstream ?? null) !== null) return `the upstream ${show(upstream)} maps to it`
      return members === 0 ? null : `owners are in it: ${show(members)}`
    },
  },
  {
    ...ofOperator,
    name: 'clients',
    one: 'client',
    id: 'client_id',
    form: findForm('createClient'),
    isForeign: ({ registered_by: by }) => (by === 'operator' ? null : 'it registered itself'),
    findKeeper: (item) => (mayAdminister(item) ? 'it may administer this service' : null),
  },
  { ...ofOperator, name: 'issuers', one: 'issuer', id: 'id', form: findForm('createIssuer') },
]

/** Names an item for people. */
export const sayItem = ({ one }: ApplyKind, id: string): string => `${one} ${show(id)}`
