/** Creating and changing a resource. */
import { isOwnUri } from '../access/resources.ts'
import { findClient } from '../clients/find.ts'
import { MemberFault } from '../config/members.ts'
import { UsageFault } from '../config/remote.ts'
import { resourceLimits } from '../config/resource-words.ts'
import { describeResource, parseResource, resourceMembers } from '../config/resources.ts'
import { isPublic } from '../model/client.ts'
import type { ClientId } from '../model/ids.ts'
import { parseJson } from '../model/json.ts'
import { jwsAlgorithms } from '../model/key.ts'
import type { Resource, ResourceChange } from '../model/resource.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { CreateResourceOutcome } from '../store/contract/resource.ts'
import { defineRow, makeForm } from './operation.ts'
import { type AdminNeeds, checkIntrospection, unknown } from './operator.ts'
import {
  explainRefused,
  findNamedResource,
  listMembers,
  oneResource,
  resourceForm,
} from './resources.ts'
import { type CommandFlag, parsePair, pickGivenMembers } from './surface/cli.ts'
import type { JsonRow } from './surface/said.ts'

const resourceFlags: readonly CommandFlag[] = [
  ['--title <words>', 'what pages call it, such as Orders'],
  ['--read <words>', 'what reading means, for the owner'],
  ['--write <words>', 'what writing means, for the owner'],
  ['--action <name=words...>', 'further actions, all of them: "refund=Refund orders"'],
  ['--detail <name=words...>', 'members of details about it, all of them: "amount=Amount"'],
  [
    '--destructive <action...>',
    'actions that the consent page marks: write, write:delete, refund:spend',
  ],
  ['--uri <uri>', "your own API: the value of resource, and the aud of its tokens ('' = none)"],
  ['--access-token-format <format>', 'opaque or jwt'],
  ['--access-token-alg <algorithm>', `of JWTs: ${jwsAlgorithms.join(', ')} (default: RS256)`],
  ['--introspection-client <id...>', 'clients that introspect tokens for it'],
]

/** Words as they are typed: a text, or a JSON object with one per language. */
const parseWords = (typed: unknown): unknown => {
  if (typeof typed !== 'string' || !typed.startsWith('{')) return typed
  const words = parseJson(typed)
  if (words === undefined) throw new UsageFault(`these words are no JSON object: ${typed}`)
  return words
}

const parseNamedWords = (typed: unknown, form: string): unknown => {
  if (!Array.isArray(typed)) return undefined
  const pairs = typed.map((text: string) => parsePair(text, form))
  return Object.fromEntries(pairs.map(([name, text]) => [name, parseWords(text)]))
}

/** The members that flags give. An empty `--uri` takes it away. */
const readMembers = (flags: JsonRow): JsonRow =>
  pickGivenMembers({
    title: parseWords(flags.title),
    read: parseWords(flags.read),
    write: parseWords(flags.write),
    actions: parseNamedWords(flags.action, 'an action is written name=words'),
    details: parseNamedWords(flags.detail, 'a detail is written name=words'),
    destructive: flags.destructive,
    uri: flags.uri === '' ? null : flags.uri,
    access_token_format: flags.accessTokenFormat,
    access_token_signing_alg: flags.accessTokenAlg,
    introspection_clients: flags.introspectionClient,
  })

const unusable = (reason: string, description: string): Refusal =>
  new Refusal('invalid_request', reason, description, { status: 422 })

const parseGiven = (given: JsonRow): Resource => {
  try {
    return parseResource(given)
  } catch (fault) {
    if (!(fault instanceof MemberFault)) throw fault
    const description = `the resource ${fault.message}`
    if (fault.kind === 'unusable') throw unusable('unusable_resource', description)
    throw new Refusal('invalid_request', 'malformed_resource', description)
  }
}

const checkClient = async (id: ClientId, parts: AdminNeeds): Promise<void> => {
  const client = await findClient(id, parts, 'disabled')
  if (client !== null && !isPublic(client)) return
  throw unusable(
    'bad_introspection_client',
    client === null
      ? 'introspection_clients names a client that does not exist'
      : 'introspection_clients names a public client, and those cannot introspect',
  )
}

const check = async (
  { uri, introspectionClients = [] }: ResourceChange,
  parts: AdminNeeds,
): Promise<void> => {
  if (uri != null && isOwnUri(uri, parts.settings.issuer)) {
    throw unusable('own_uri', 'uri has to be of another API: this one is of the service itself')
  }
  for (const id of introspectionClients) await checkClient(id, parts)
}

const conflicts: Readonly<Record<Exclude<CreateResourceOutcome, 'created'>, string>> = {
  name_taken: 'there is a resource with this name',
  name_used:
    'a deleted resource had this name; it is not used again, since earlier approvals would hold again',
  uri_taken: 'another resource has this uri',
  too_many: `there may be ${resourceLimits.resources} resources`,
}

const conflict = (outcome: keyof typeof conflicts): Refusal =>
  new Refusal('conflict', `resource_${outcome}`, conflicts[outcome])

export const createResource = defineRow({
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
    form: makeForm('NewResource', (z) => {
      const { name, title, read, write, ...others } = listMembers(z)
      return z.strictObject({ name, title, read, write, ...z.object(others).partial().shape })
    }),
    example: {
      name: 'orders',
      title: 'Orders',
      read: 'See your orders',
      write: 'Change your orders',
      actions: { refund: 'Refund orders' },
      details: { amount: 'Amount', to: 'To' },
      destructive: ['refund:spend'],
    },
  },
  answers: { 201: resourceForm },
  madeAs: 'name',
  async run({ given, exchange, trace }, parts) {
    await checkIntrospection(exchange, given.introspection_clients, [], parts)
    const resource = parseGiven(given)
    const { name } = resource
    if (parts.resources.words.some(({ word }) => word === name)) {
      throw unusable('unusable_resource', `the resource has the "name" "${name}", which is a word`)
    }
    await check(resource, parts)
    const outcome = await parts.resources.create(resource, trace())
    if (outcome !== 'created') throw conflict(outcome)
    return describeResource(resource)
  },
})

/** A member of null is left out from then on. */
export const changeResource = defineRow({
  route: `PATCH ${oneResource}`,
  says: 'Change the members of a resource that the body has',
  commands: {
    usage: 'resource change <name>',
    does: 'change what the flags name',
    examples: ['latchkey resource change orders --access-token-format jwt'],
    flags: resourceFlags,
    body: readMembers,
  },
  body: {
    form: makeForm('ResourceChange', (z) => z.strictObject(listMembers(z)).partial()),
    example: { title: 'All orders' },
  },
  answers: { 200: resourceForm },
  find: findNamedResource,
  shows: describeResource,
  async run({ on, seen, given, exchange, trace }, parts) {
    const { resources } = parts
    const { name, introspectionClients } = on
    await checkIntrospection(exchange, given.introspection_clients, introspectionClients, parts)
    // Another node may have changed it a moment ago.
    await resources.refresh()
    const before = resources.find(name)
    if (before === null) throw unknown('resource')
    if (given.name !== undefined && given.name !== name) {
      throw new Refusal('invalid_request', 'resource_renamed', 'the name of a resource stays')
    }
    const after = parseGiven({ ...describeResource(before), ...given })
    const named = Object.keys(given).filter((member) => member !== 'name')
    if (named.length === 0) return describeResource(before)
    const change: ResourceChange = Object.fromEntries(
      named.map((member) => {
        const key = resourceMembers[member as keyof typeof resourceMembers]
        return [key, after[key]]
      }),
    )
    await check(change, parts)
    const changed = await resources.change(name, change, trace(), seen)
    if (changed === 'uri_taken') throw conflict(changed)
    if (changed === null) throw explainRefused(name, resources)
    return describeResource(changed)
  },
})

export const resourceChangeOperations = { createResource, changeResource }
