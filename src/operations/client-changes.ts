/** Creating and changing a client. */

import { intersect, subtract } from '../access/permission.ts'
import { findCommandLine, isCommandLine, keepCommandLine } from '../clients/command-line.ts'
import {
  chosenSecretForm,
  isChosenSecret,
  makeClientSecret,
  sealSecret,
} from '../clients/credentials.ts'
import { describeForOperator, describeSecret } from '../clients/describe.ts'
import { invalidMetadata } from '../clients/invalid.ts'
import { clientForms, readKeptWays } from '../clients/metadata.ts'
import { checkAdded, isChange, makeClient, makeClientChange } from '../clients/registration.ts'
import { type Client, type ClientChange, commandLineId } from '../model/client.ts'
import { changeOf } from '../model/client-change.ts'
import { adminPermissions, operatorPermissions } from '../model/resource.ts'
import { Refusal } from '../protocol/refusal.ts'
import type { Trace } from '../store/contract/trace.ts'
import { clientForm, explainRefused, findNamedClient, oneClient } from './clients.ts'
import { defineRow, makeForm } from './operation.ts'
import { type AdminNeeds, checkScope } from './operator.ts'
import { type CommandRow, needMembers } from './surface/cli.ts'
import { clientFlags, readMetadata, readNewClient, saySecret } from './surface/client-flags.ts'

const chosenSecret = `the secret of another server: ${chosenSecretForm}`

/** @throws Refusal `invalid_client_metadata` */
const parseChosenSecret = (given: unknown): { readonly secret?: string } => {
  if (given === undefined) return {}
  if (typeof given === 'string' && isChosenSecret(given)) return { secret: given }
  throw invalidMetadata('bad_client_secret', `client_secret has to be ${chosenSecret}`)
}

/** Others may know the secret, and would be operators. @throws Refusal `invalid_client_metadata` */
const refuseRights = ({ scope }: Client, { secret }: { readonly secret?: string }): void => {
  if (secret === undefined || intersect(scope, operatorPermissions).length === 0) return
  throw invalidMetadata(
    'bad_client_secret',
    'a client with permissions of the admin API has to get a new secret: leave client_secret out',
  )
}

export const createClient = defineRow({
  route: 'POST /admin/api/clients',
  says: 'Create a client; its secret is shown this once',
  commands: {
    usage: 'client add',
    does: 'register a client and show its secret, this once',
    examples: [
      'latchkey client add --name "Photo Printer" --redirect https://printer.example/callback',
      'latchkey client add --name "Nightly report" --grant client_credentials --scope photos:read',
    ],
    flags: [
      ['--name <name>', 'what people are told it is called', 'needed'],
      ...clientFlags,
      ['--public', 'it cannot keep a secret: a browser or mobile application'],
      ['--trusted', 'it may use the password grant'],
      ['--may-introspect', 'it may introspect the tokens of all clients'],
      ['--id <id>', 'the client id (default: a generated one)'],
    ],
    first: true,
    body: readNewClient,
    faults: { conflict: (_name, { id }) => `there is already a client ${id}` },
    text: ({ json }) => saySecret(json),
  },
  body: {
    form: makeForm('NewClient', (z) =>
      clientForms().operator.extend({
        client_id: z.string().optional(),
        client_secret: z.string().optional().describe(chosenSecret),
      }),
    ),
    example: {
      client_name: 'Example Shop',
      redirect_uris: ['https://shop.example/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'photos:read',
    },
  },
  answers: { 201: clientForm },
  madeAs: 'client_id',
  async run({ operator, given, exchange, trace }, parts) {
    const { client_id: id, client_secret: secretGiven, ...metadata } = given
    if (id !== undefined && typeof id !== 'string') {
      throw invalidMetadata('bad_client_id', 'client_id has to be text')
    }
    const chosen = parseChosenSecret(secretGiven)
    await parts.resources.learnScope(metadata.scope)
    const { registries } = parts
    const named = { ...(id === undefined ? {} : { id }), ...chosen }
    const registrar = { by: 'operator', registries, ...named } as const
    const { client, secret } = makeClient(metadata, registrar, parts)
    checkScope(operator, client.scope)
    refuseRights(client, chosen)
    await parts.sectors.check(client, null, exchange)
    const brought = chosen.secret === undefined ? undefined : 'given'
    if ((await parts.store.createClient(client, trace(), brought)) === 'taken') {
      throw new Refusal('conflict', 'client_id_taken', 'there is a client with this client_id')
    }
    parts.logos.want(client)
    return { ...describeForOperator(client), ...describeSecret(secret) }
  },
})

interface AppliedChange {
  /** Null where the client is gone, or has another scope by now. */
  readonly client: Client | null
  /** A new secret. */
  readonly secret?: string | null
}

/**
 * Changes a client. With further permissions of the admin API the operator has to say whether the secret
 * stays: others may know it.
 *
 * @throws Refusal `conflict`
 */
const applyChange = async (
  { on, seen }: { readonly on: Client; readonly seen: Client | undefined },
  change: ClientChange,
  given: object,
  trace: Trace,
  { store, random, vault }: AdminNeeds,
): Promise<AppliedChange> => {
  const { id, scope } = on
  const added = subtract(intersect(change.scope ?? [], operatorPermissions), scope)
  if (added.length === 0) {
    const isSame = !isChange(change)
    return { client: isSame ? on : await store.changeClient(id, change, trace, scope, seen) }
  }
  const secret = makeClientSecret({ random })
  const kept = { keep: readKeptWays({ ...given }), replacement: sealSecret(secret, on, { vault }) }
  const raised = await store.raiseClient(id, change, kept, trace, scope, seen)
  if (raised.outcome === 'gone') return { client: null }
  if (raised.outcome === 'raised') {
    return { client: raised.client, ...(raised.isReplaced ? { secret } : {}) }
  }
  throw new Refusal(
    'conflict',
    'ways_of_others',
    `others may know the secret or have the keys, so change them first, or name in keep_ways_in what stays: ${raised.way}`,
  )
}

/** A command that sets one member. */
const setMember = (
  name: string,
  body: object,
  does: string,
  said: string,
  example = 'printer',
): CommandRow => ({
  usage: `client ${name} <id>`,
  does,
  examples: [`latchkey client ${name} ${example}`],
  body: () => body,
  text: ({ name: id }) => `${id} ${said}`,
})

const document = 'https://app.example/client.json'

export const changeClient = defineRow({
  route: `PATCH ${oneClient}`,
  says: 'Change the members of a client that the body has',
  commands: [
    {
      usage: 'client change <id>',
      does: 'change the members of a client that the flags name',
      examples: [
        'latchkey client change printer --redirect https://printer.example/callback --access-token-seconds 600',
        'latchkey client change printer --set logo_uri=https://printer.example/logo.png',
      ],
      flags: [
        ['--name <name>', 'what people are told it is called'],
        ...clientFlags,
        ['--trusted', 'it may use the password grant'],
        ['--no-trusted', 'it may not use the password grant'],
        ['--may-introspect', 'it may introspect the tokens of all clients'],
        ['--no-may-introspect', 'it may introspect its own tokens only'],
      ],
      body: (flags) => needMembers(readMetadata(flags)),
    },
    setMember(
      'disable',
      { disabled: true },
      'refuse a client and all of its tokens until it is enabled',
      'is disabled: it gets no tokens, and its tokens are refused until it is enabled.',
    ),
    setMember('enable', { disabled: false }, 'take a disabled client again', 'is enabled.'),
    setMember(
      'pin',
      { pinned: true },
      'stop fetching the metadata document that a client is',
      'is pinned: its document is not fetched any more.',
      document,
    ),
    setMember(
      'unpin',
      { pinned: false },
      'fetch again the metadata document that a client is',
      'is not pinned: its document is fetched again.',
      document,
    ),
  ],
  body: {
    form: makeForm('ClientChange', () => clientForms().operatorsChange),
    example: { client_name: 'Example Store' },
  },
  answers: { 200: clientForm },
  // Nobody needs to have logged in at the command line before an operator forbids it.
  find: (exchange, parts) =>
    exchange.params.client_id === commandLineId
      ? findCommandLine(parts)
      : findNamedClient(exchange, parts),
  shows: describeForOperator,
  async run({ on, seen, operator, given, exchange, trace }, parts) {
    const { registries } = parts
    // Enabled, it opens all that an operator may do.
    if (isCommandLine(on) && given.disabled !== true) checkScope(operator, adminPermissions)
    await parts.resources.learnScope(given.scope)
    const { change, secret } = makeClientChange(on, given, { by: 'operator', registries }, parts)
    checkScope(operator, [...on.scope, ...(change.scope ?? [])])
    await parts.sectors.check(changeOf(on, change, exchange.at), on, exchange)
    if (isCommandLine(on)) await keepCommandLine(trace(), parts)
    const changed = await applyChange({ on, seen }, change, given, trace(), parts)
    const { client, secret: replacement = secret } = changed
    if (client === null) throw await explainRefused(on, seen, parts)
    checkAdded(change, client)
    parts.logos.want(client)
    return { ...describeForOperator(client), ...describeSecret(replacement) }
  },
})

export const clientChangeOperations = { createClient, changeClient }
