/** The resources of the service. */
import { changeResource as change, createResource as create } from '../access/change-resource.ts'
import { findResource } from '../access/resources.ts'
import { resourceLimits } from '../config/resource-limits.ts'
import { describeResource } from '../config/resources.ts'
import type { Z } from '../protocol/schema.ts'
import { checkIntrospection } from './elevation.ts'
import { search } from './filters.ts'
import { formOf, operation, pageOf } from './operation.ts'
import { unknown } from './operator.ts'
import { describePage, pageInMemory } from './paging.ts'

/** A text, or one for each language. */
const words = (z: Z) => z.union([z.string(), z.record(z.string(), z.string())])

const members = (z: Z) => ({
  name: z
    .string()
    .max(resourceLimits.nameCharacters)
    .regex(/^[a-z][a-z0-9-]*$/),
  title: words(z),
  read: words(z),
  write: words(z),
  actions: z.record(z.string(), words(z)),
  destructive: z.array(z.string()),
  uri: z.string().nullable(),
  access_token_format: z.enum(['opaque', 'jwt']),
  introspection_clients: z.array(z.string()),
})

const resourceForm = formOf('Resource', (z) => z.strictObject(members(z)))

const one = '/admin/api/resources/:name'

/** There are not many, and a cache has all of them. */
const listResources = operation({
  id: 'listResources',
  method: 'GET',
  path: '/admin/api/resources',
  permission: 'resources:read',
  says: 'List or search resources',
  filters: { search },
  answers: { 200: pageOf('ResourcePage', resourceForm.make) },
  async run({ filters: { search: prefix = '' }, query, limit }, { resources }) {
    await resources.learn()
    const found = resources.list().filter(({ name }) => name.startsWith(prefix))
    return describePage(
      pageInMemory(found, query, limit, ({ name }) => name),
      describeResource,
    )
  },
})

const createResource = operation({
  id: 'createResource',
  method: 'POST',
  path: '/admin/api/resources',
  permission: 'resources:write',
  says: 'Create a resource',
  body: {
    form: formOf('NewResource', (z) => {
      const { name, title, read, write, ...others } = members(z)
      return z.strictObject({ name, title, read, write, ...z.object(others).partial().shape })
    }),
    example: {
      name: 'orders',
      title: 'Orders',
      read: 'See your orders',
      write: 'Change your orders',
      actions: { refund: 'Refund orders' },
      destructive: ['refund'],
    },
  },
  answers: { 201: resourceForm },
  madeAs: 'name',
  async run({ given, exchange, trace }, parts) {
    await checkIntrospection(exchange, given.introspection_clients, [], parts)
    return describeResource(await create(given, trace(), parts))
  },
})

const readResource = operation({
  id: 'readResource',
  method: 'GET',
  path: one,
  permission: 'resources:read',
  says: 'Read a resource',
  answers: { 200: resourceForm },
  async run({ exchange: { params } }, parts) {
    const resource = await findResource(params.name ?? '', parts)
    if (resource === null) throw unknown('resource')
    return describeResource(resource)
  },
})

const changeResource = operation({
  id: 'changeResource',
  method: 'PATCH',
  path: one,
  permission: 'resources:write',
  says: 'Change the members of a resource that the body has',
  body: {
    form: formOf('ResourceChange', (z) => z.strictObject(members(z)).partial()),
    example: { title: 'All orders' },
  },
  answers: { 200: resourceForm },
  async run({ given, exchange, trace }, parts) {
    const name = exchange.params.name ?? ''
    const { introspectionClients = [] } = (await findResource(name, parts)) ?? {}
    await checkIntrospection(exchange, given.introspection_clients, introspectionClients, parts)
    const changed = await change(name, given, trace(), parts)
    if (changed === null) throw unknown('resource')
    return describeResource(changed)
  },
})

/** Tokens lose its permissions on the next request. */
const deleteResource = operation({
  id: 'deleteResource',
  method: 'DELETE',
  path: one,
  permission: 'resources:write',
  says: 'Delete a resource; all permissions on it end',
  answers: { 204: null },
  async run({ exchange: { params }, trace }, { resources }) {
    if (!(await resources.remove(params.name ?? '', trace()))) throw unknown('resource')
    return null
  },
})

export const resourceOperations = [
  listResources,
  createResource,
  readResource,
  changeResource,
  deleteResource,
]
