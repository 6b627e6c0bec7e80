/** The flags of `latchkey client ...`. */
import type { Command } from 'commander'
import {
  addClient,
  changeClient,
  deleteClient,
  endTokens,
  listClients,
  revokeRegistration,
  rotateSecret,
  setDisabled,
  setPinned,
  showClient,
} from './admin/client.ts'
import { apiCommand, group } from './tree.ts'

const withMetadata = (command: Command): Command =>
  command
    .option('--redirect <uri...>', 'where people may be sent back to')
    .option(
      '--grant <type...>',
      'grant types (default with --redirect: authorization_code refresh_token, and implicit if a response type needs it)',
    )
    .option('--scope <name...>', 'all it may ever ask for (default: everything owners have)')
    .option('--required-scope <name...>', 'what it cannot work without')
    .option('--response-type <type...>', 'response types (default: code)')
    .option('--id-token-alg <algorithm>', 'RS256, ES256 or EdDSA (default: RS256)')
    .option('--post-logout-redirect <uri...>', 'where people may be sent after a logout')
    .option('--back-channel-logout <uri>', 'told when somebody has logged out')
    .option('--front-channel-logout <uri>', 'shown in a frame when somebody has logged out')
    .option('--access-token-seconds <seconds>', 'how long its access tokens live, or: unlimited')
    .option('--refresh-token-seconds <seconds>', 'how long its refresh tokens live')
    .option('--set <member=value...>', 'any other member of the admin API; the value may be JSON')

const addChanging = (client: Command): void => {
  const add = apiCommand(
    client,
    'add',
    {
      does: 'register a client and show its secret, this once',
      examples: [
        'latchkey client add --name "Photo Printer" --redirect https://printer.example/callback',
        'latchkey client add --name "Nightly report" --grant client_credentials --scope photos:read',
      ],
    },
    addClient,
    { first: true },
  )
  add.requiredOption('--name <name>', 'what people are told it is called')
  withMetadata(add)
    .option('--public', 'it cannot keep a secret: a browser or mobile application')
    .option('--trusted', 'it may use the password grant')
    .option('--may-introspect', 'it may introspect the tokens of all clients')
    .option('--id <id>', 'the client id (default: a generated one)')
  const change = apiCommand(
    client,
    'change <id>',
    {
      does: 'change the members of a client that the flags name',
      examples: [
        'latchkey client change printer --redirect https://printer.example/callback --access-token-seconds 600',
        'latchkey client change printer --set logo_uri=https://printer.example/logo.png',
      ],
    },
    changeClient,
  )
  withMetadata(change.option('--name <name>', 'what people are told it is called'))
    .option('--trusted', 'it may use the password grant')
    .option('--no-trusted', 'it may not use the password grant')
    .option('--may-introspect', 'it may introspect the tokens of all clients')
    .option('--no-may-introspect', 'it may introspect its own tokens only')
}

const addEnding = (client: Command): void => {
  apiCommand(
    client,
    'rotate-secret <id>',
    {
      does: 'make a new secret and show it, this once; the old one ends, and the tokens got with it',
      examples: ['latchkey client rotate-secret printer --keep-old-seconds 86400'],
    },
    rotateSecret,
  ).option('--keep-old-seconds <seconds>', 'how long the old secret goes on (default: not at all)')
  apiCommand(
    client,
    'end-tokens <id>',
    {
      does: 'end all codes and tokens of a client, its own and those of its owners',
      examples: ['latchkey client end-tokens printer'],
    },
    endTokens,
  )
  apiCommand(
    client,
    'revoke-registration <id>',
    {
      does: 'take away the token with which a client changes its own registration',
      examples: ['latchkey client revoke-registration printer'],
    },
    revokeRegistration,
  )
  apiCommand(
    client,
    'disable <id>',
    {
      does: 'refuse a client and all of its tokens until it is enabled',
      examples: ['latchkey client disable printer'],
    },
    setDisabled(true),
  )
  apiCommand(
    client,
    'enable <id>',
    { does: 'take a disabled client again', examples: ['latchkey client enable printer'] },
    setDisabled(false),
  )
  apiCommand(
    client,
    'delete <id>',
    {
      does: 'delete a client, with all that owners approved for it',
      examples: ['latchkey client delete printer --yes'],
    },
    deleteClient,
  ).option('--yes', 'do it without asking')
}

export const addClientCommands = (program: Command): void => {
  const client = group(program, 'client', {
    does: 'register clients, list and change them, and end what they hold',
    examples: ['latchkey client list'],
  })
  addChanging(client)
  apiCommand(
    client,
    'list',
    { does: 'list all clients', examples: ['latchkey client list --search photo --json'] },
    listClients,
  ).option('--search <text>', 'only clients whose name begins with it')
  apiCommand(
    client,
    'show <id>',
    { does: 'show all that is known of a client', examples: ['latchkey client show printer'] },
    showClient,
  )
  addEnding(client)
  const document = 'https://app.example/client.json'
  apiCommand(
    client,
    'pin <id>',
    {
      does: 'stop fetching the metadata document that a client is',
      examples: [`latchkey client pin ${document}`],
    },
    setPinned(true),
  )
  apiCommand(
    client,
    'unpin <id>',
    {
      does: 'fetch again the metadata document that a client is',
      examples: [`latchkey client unpin ${document}`],
    },
    setPinned(false),
  )
}
