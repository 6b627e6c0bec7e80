/** docs/registries.md: the entries of the registries, and the metadata that follows from them. */
import { loadSettings } from '../../src/config/load.ts'
import { publicMethod } from '../../src/model/client.ts'
import { builtIn, mergeRegistries, type Registries } from '../../src/registries.ts'
import { listRows } from '../support/rows.ts'
import { languages } from '../support/view.ts'
import { code, table } from './markdown.ts'

const listed = (names: readonly string[]): string => names.map(code).join(', ') || 'none'

const yes = (value: boolean): string => (value ? 'yes' : 'no')

const clients = {
  any: 'any client',
  confidential: 'clients that authenticate',
  trusted: 'clients that an operator has set `trusted`',
}

const effects = {
  no_page: 'shows no page; where one is needed, the client gets a refusal',
  log_in: 'the owner logs in again',
  consent: 'the owner is asked, also for what was approved before',
}

const methodsTable = ({ clientMethods }: Registries): string =>
  table(
    [
      '`token_endpoint_auth_method`',
      'Credentials in',
      'Registration issues',
      'Also for clients of',
    ],
    clientMethods.map(({ name, place, issues, alsoFor }) => [
      code(name),
      place,
      issues === 'nothing' ? 'nothing' : `a ${issues}`,
      alsoFor.length === 0 ? '' : listed(alsoFor),
    ]),
  )

const grantsTable = ({ grants }: Registries): string =>
  table(
    ['`grant_type`', 'For'],
    grants.map((grant) => [code(grant.type), clients[grant.clients]]),
  )

const responseTypesTable = ({ responseTypes }: Registries): string =>
  table(
    ['`response_type`', 'Registered with `grant_types`', '`response_mode`', 'PKCE'],
    responseTypes.map(({ type, grantTypes, modes, exchanged }) => [
      code(type),
      listed(grantTypes),
      listed(modes),
      yes(exchanged),
    ]),
  )

const promptsTable = ({ prompts }: Registries): string =>
  table(
    ['`prompt`', 'Effect', 'Beside other values'],
    prompts.map(({ value, does, alone }) => [code(value), effects[does], yes(!alone)]),
  )

/** As in the demo, but without resources: each service has its own. */
const metadataTable = (): string => {
  const settings = loadSettings({ env: {}, flags: {}, cwd: import.meta.dirname })
  const given = {
    settings: { ...settings, registration: 'open' as const },
    languages,
    resources: { list: () => [], words: [] },
    registries: mergeRegistries({}, settings),
  }
  const members = listRows().flatMap(({ metadata }) => Object.entries(metadata?.(given) ?? {}))
  return table(
    ['Member', 'Value in the demo, without its resources'],
    members.map(([member, value]) => [code(member), code(JSON.stringify(value))]),
  )
}

export const renderRegistries = (): string =>
  [
    '# Registries',
    '',
    'Generated from `src/registries.ts` by `npm run docs`.',
    '',
    'A registry is a list of what the service knows of one kind. Endpoints, registration and metadata all follow from',
    'the same lists, so a new entry is one file and one line. A program that embeds the service adds grant types:',
    '`createServer({ settings, grants: [mine] })`. The service does not start with two entries of one name.',
    '',
    '## Client authentication methods: `clientMethods`',
    '',
    methodsTable(builtIn),
    '',
    `A client that registered \`${publicMethod}\` is public: it proves nothing. All other clients are held to their own method,`,
    'but for the ways to send a secret that the last column names.',
    '',
    '## Grant types: `grants`',
    '',
    grantsTable(builtIn),
    '',
    '[Add a grant type](extension-grants.md) has a whole example.',
    '',
    '## Response types: `responseTypes`',
    '',
    responseTypesTable(builtIn),
    '',
    'The order of the words of a type has no meaning. A client has to register for a type, and so for its grant types.',
    'If it names only grant types, it gets one response type for each: the first that needs no other grant type.',
    '',
    '## Prompt values: `prompts`',
    '',
    promptsTable(builtIn),
    '',
    '## Proofs of possession: `proofs`',
    '',
    table(
      ['member of `cnf`'],
      builtIn.proofs.map(({ method }) => [code(method)]),
    ),
    '',
    '## Token formats: `tokenFormats`',
    '',
    table(
      ['`access_token_format`'],
      builtIn.tokenFormats.map(({ name }) => [code(name)]),
    ),
    '',
    'If several formats take a token, the last one writes it. `opaque` takes every token.',
    '',
    '## Members of the token response: `responseMembers`',
    '',
    `In this order: ${listed(builtIn.responseMembers.map(({ name }) => name))}.`,
    '',
    'A grant declares the names of further members that it adds. The terms hold their values',
    '([decision 50](decisions/0050-terms-and-one-codec.md)).',
    '',
    '## Metadata',
    '',
    'Each endpoint contributes its own members to `/.well-known/oauth-authorization-server`:',
    '',
    metadataTable(),
    '',
  ].join('\n')
