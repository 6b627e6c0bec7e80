/** The resources of the service. */
import { resourceLimits } from '../config/resource-words.ts'
import { describeResource } from '../config/resources.ts'
import type { Exchange } from '../http/exchange.ts'
import { isObject } from '../model/json.ts'
import { jwsAlgorithms } from '../model/key.ts'
import type { Resource } from '../model/resource.ts'
import type { Z } from '../protocol/schema.ts'
import { describePage, pageInMemory, search } from './lists.ts'
import { defineRow, makeForm, pageOf } from './operation.ts'
import { type AdminNeeds, unknown } from './operator.ts'
import { stateChanged } from './seen.ts'
import { yes } from './surface/cli.ts'
import { show } from './surface/said.ts'

/** A text, or one for each language. */
const defineWords = (z: Z) => z.union([z.string(), z.record(z.string(), z.string())])

export const listMembers = (z: Z) => ({
  name: z
    .string()
    .max(resourceLimits.nameCharacters)
    .regex(/^[a-z][a-z0-9-]*$/),
  title: defineWords(z),
  read: defineWords(z),
  write: defineWords(z),
  actions: z.record(z.string(), defineWords(z)),
  details: z.record(z.string(), defineWords(z)),
  destructive: z.array(z.string()),
  uri: z.string().nullable(),
  access_token_format: z.enum(['opaque', 'jwt']),
  access_token_signing_alg: z.enum(jwsAlgorithms).nullish().describe('of JWTs; RS256 without it'),
  introspection_clients: z.array(z.string()),
})

export const resourceForm = makeForm('Resource', (z) => z.strictObject(listMembers(z)))

export const oneResource = '/admin/api/resources/:name'

/** @throws Refusal `not_found` */
export const findNamedResource = async (
  { params, request }: Pick<Exchange, 'params' | 'request'>,
  parts: AdminNeeds,
): Promise<Resource> => {
  // Another node may have changed it within the last seconds.
  if (request.headers.get('if-match') !== null) await parts.resources.refresh()
  const resource = await parts.resources.look(params.name ?? '')
  if (resource === null) throw unknown('resource')
  return resource
}

/** After a step that did nothing, and read the resources anew: this one is gone, or not as it was seen. */
export const explainRefused = (name: string, { find }: Pick<AdminNeeds['resources'], 'find'>) =>
  find(name) === null ? unknown('resource') : stateChanged()

/** Resources are few, and a cache has all of them. */
export const listResources = defineRow({
  route: 'GET /admin/api/resources',
  says: 'List or search resources',
  commands: {
    usage: 'resource list',
    does: 'list all resources',
    examples: ['latchkey resource list --json'],
    list: {
      // In English where there are several languages.
      cells: ({ name, title, uri }) => [
        show(name),
        show(isObject(title) ? title.en : title),
        show(uri),
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

export const readResource = defineRow({
  route: `GET ${oneResource}`,
  says: 'Read a resource',
  commands: {
    usage: 'resource show <name>',
    does: 'show a resource',
    examples: ['latchkey resource show photos'],
  },
  answers: { 200: resourceForm },
  find: findNamedResource,
  shows: describeResource,
  run: async ({ on }) => describeResource(on),
})

/** Tokens lose its permissions on the next request. */
export const deleteResource = defineRow({
  route: `DELETE ${oneResource}`,
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
  find: findNamedResource,
  shows: describeResource,
  async run({ on: { name }, seen, trace }, { resources }) {
    if (await resources.remove(name, trace(), seen)) return null
    throw explainRefused(name, resources)
  },
})

export const resourceOperations = { listResources, readResource, deleteResource }
