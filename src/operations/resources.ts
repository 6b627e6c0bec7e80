/** The resources of the service. */
import { changeResource as change, createResource as create } from '../access/change-resource.ts'
import { UsageFault } from '../config/remote.ts'
import { describeResource, resourceLimits } from '../config/resources.ts'
import type { Exchange } from '../http/exchange.ts'
import { isObject } from '../model/json.ts'
import type { Resource } from '../model/resource.ts'
import type { Z } from '../protocol/schema.ts'
import { describePage, pageInMemory, search } from './lists.ts'
import { formOf, operation, pageOf } from './operation.ts'
import { type AdminNeeds, checkIntrospection, unknown } from './operator.ts'
import { type CommandFlag, givenMembers, parsePair, yes } from './surface/cli.ts'
import { type JsonRow, shown } from './surface/said.ts'

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

/** @throws Refusal `not_found` */
export const findNamedResource = async (
  { params }: Pick<Exchange, 'params'>,
  parts: AdminNeeds,
): Promise<Resource> => {
  const resource = await parts.resources.look(params.name ?? '')
  if (resource === null) throw unknown('resource')
  return resource
}

const resourceFlags: readonly CommandFlag[] = [
  ['--title <words>', 'what pages call it, such as Orders'],
  ['--read <words>', 'what reading means, for the owner'],
  ['--write <words>', 'what writing means, for the owner'],
  ['--action <name=words...>', 'further actions, all of them: "refund=Refund orders"'],
  ['--destructive <action...>', 'actions that the consent page marks'],
  ['--uri <uri>', "your own API: the value of resource, and the aud of its tokens ('' = none)"],
  ['--access-token-format <format>', 'opaque or jwt'],
  ['--introspection-client <id...>', 'clients that introspect tokens for it'],
]

/** Words as they are typed: a text, or a JSON object with one per language. */
const parseWords = (typed: unknown): unknown => {
  if (typeof typed !== 'string' || !typed.startsWith('{')) return typed
  try {
    return JSON.parse(typed)
  } catch {
    throw new UsageFault(`these words are no JSON object: ${typed}`)
  }
}

const parseActions = (typed: unknown): unknown => {
  if (!Array.isArray(typed)) return undefined
  const pairs = typed.map((text: string) => parsePair(text, 'an action is written name=words'))
  return Object.fromEntries(pairs.map(([name, text]) => [name, parseWords(text)]))
}

/** The members that flags give. An empty `--uri` takes it away. */
const readMembers = (flags: JsonRow): JsonRow =>
  givenMembers({
    title: parseWords(flags.title),
    read: parseWords(flags.read),
    write: parseWords(flags.write),
    actions: parseActions(flags.action),
    destructive: flags.destructive,
    uri: flags.uri === '' ? null : flags.uri,
    access_token_format: flags.accessTokenFormat,
    introspection_clients: flags.introspectionClient,
  })

/** Resources are few, and a cache has all of them. */
export const listResources = operation({
  route: 'GET /admin/api/resources',
  says: 'List or search resources',
  commands: {
    usage: 'resource list',
    does: 'list all resources',
    examples: ['latchkey resource list --json'],
    list: {
      // In English where there are several languages.
      cells: ({ name, title, uri }) => [
        shown(name),
        shown(isObject(title) ? title.en : title),
        shown(uri),
      ],
      empty: 'There are no resources.',
    },
  },
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

export const createResource = operation({
  route: 'POST /admin/api/resources',
  says: 'Create a resource',
  commands: {
    usage: 'resource add <name>',
    does: 'add a resource; words are a text, or {"en": "...", "zh": "..."}',
    examples: [
      'latchkey resource add orders --title Orders --read "See your orders" --write "Place orders" --uri https://orders.example',
    ],
    flags: resourceFlags,
    first: true,
    body: (flags, [name]) => ({ ...readMembers(flags), name }),
  },
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

export const readResource = operation({
  route: `GET ${one}`,
  says: 'Read a resource',
  commands: {
    usage: 'resource show <name>',
    does: 'show a resource',
    examples: ['latchkey resource show photos'],
  },
  answers: { 200: resourceForm },
  find: findNamedResource,
  run: async ({ on }) => describeResource(on),
})

export const changeResource = operation({
  route: `PATCH ${one}`,
  says: 'Change the members of a resource that the body has',
  commands: {
    usage: 'resource change <name>',
    does: 'change what the flags name',
    examples: ['latchkey resource change orders --access-token-format jwt'],
    flags: resourceFlags,
    body: readMembers,
  },
  body: {
    form: formOf('ResourceChange', (z) => z.strictObject(members(z)).partial()),
    example: { title: 'All orders' },
  },
  answers: { 200: resourceForm },
  async run({ given, exchange, trace }, parts) {
    const name = exchange.params.name ?? ''
    const { introspectionClients = [] } = (await parts.resources.look(name)) ?? {}
    await checkIntrospection(exchange, given.introspection_clients, introspectionClients, parts)
    const changed = await change(name, given, trace(), parts)
    if (changed === null) throw unknown('resource')
    return describeResource(changed)
  },
})

/** Tokens lose its permissions on the next request. */
export const deleteResource = operation({
  route: `DELETE ${one}`,
  says: 'Delete a resource; all permissions on it end',
  commands: {
    usage: 'resource remove <name>',
    does: 'delete a resource and end all permissions on it; its name is not used again',
    examples: ['latchkey resource remove orders --yes'],
    flags: [yes],
    confirm: ({ name }) => `${name} goes for good, with all permissions on it.`,
    json: ({ name }) => ({ deleted: name }),
    text: ({ name }) =>
      `${name} is deleted. All permissions on it have ended, and its name is not used again.`,
  },
  answers: { 204: null },
  async run({ exchange: { params }, trace }, { resources }) {
    if (!(await resources.remove(params.name ?? '', trace()))) throw unknown('resource')
    return null
  },
})

export const resourceOperations = {
  listResources,
  createResource,
  readResource,
  changeResource,
  deleteResource,
}
