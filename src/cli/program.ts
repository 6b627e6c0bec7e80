/** The command line: `latchkey start`, and commands that work on a store, also while a service runs on it. */
import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { nearest } from '../config/nearest.ts'
import { backup } from './backup.ts'
import type { StoreCommandName } from './commands.ts'
import { explain } from './explain.ts'
import { withSettingsFlags } from './flags.ts'
import { migrate } from './migrate.ts'
import { runOnStore } from './on-store.ts'
import { withPassword } from './owners.ts'
import { partition } from './partition.ts'
import { addPeopleCommands } from './people-program.ts'
import { addResourceCommands } from './resource-program.ts'
import { restore } from './restore.ts'
import { start } from './start.ts'
import type { Flags } from './store.ts'

const packageFile = new URL('../../package.json', import.meta.url)
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }

const program = new Command('latchkey')
  .description('OAuth 2.0 authorization server, token service and resource server')
  .version(version)

/** Does the work on the store and says what came of it. */
const onStore =
  (name: StoreCommandName) =>
  async (flags: Flags): Promise<void> => {
    const outcome = await runOnStore(name, flags)
    if ('said' in outcome) process.stdout.write(`${outcome.said}\n`)
    else {
      process.stderr.write(`${outcome.message}\n`)
      process.exitCode = outcome.exitCode
    }
  }

/** Commands similar to a mistyped one. */
const commands = [
  'start',
  'init',
  'client',
  'owner',
  'resource',
  'key',
  'operator',
  'backup',
  'restore',
  'migrate',
  'partition',
  'help',
]

const storeCommand = (parent: Command, name: string, description: string): Command =>
  withSettingsFlags(parent.command(name).description(description), ['store'])

withSettingsFlags(
  program.command('start', { isDefault: true }).description('start the service (the default)'),
)
  .allowExcessArguments()
  .action((flags: Flags, { args: [unknown] }: Command) => {
    // Unknown commands end up here, since this is the default one.
    if (unknown === undefined) return start(flags)
    const meant = nearest(unknown, commands)
    const hint = meant === null ? 'latchkey --help lists them' : `did you mean ${meant}?`
    throw new Error(`there is no command ${unknown}; ${hint}`)
  })

storeCommand(program, 'init', 'create the first operator and show its secret, this once')
  .option('--id <id>', 'the client id (default: a generated one)')
  .option('--json', 'answer in JSON')
  .action(onStore('init'))

const client = program
  .command('client')
  .description('register clients, list them, and end what they hold')

storeCommand(client, 'add', 'register a client and show its secret, this once')
  .requiredOption('--name <name>', 'what people are told it is called')
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
  .option('--public', 'it cannot keep a secret: a browser or mobile application')
  .option('--trusted', 'it may use the password grant')
  .option('--id <id>', 'the client id (default: a generated one)')
  .option('--json', 'answer in JSON')
  .action(onStore('client add'))

storeCommand(client, 'list', 'list all clients')
  .option('--json', 'answer in JSON')
  .action(onStore('client list'))

/** A command about one client that there is. */
const clientCommand = (
  name: 'rotate-secret' | 'end-tokens' | 'revoke-registration',
  description: string,
): Command =>
  storeCommand(client, `${name} <id>`, description)
    .option('--json', 'answer in JSON')
    .action((id: string, flags: Flags) => onStore(`client ${name}`)({ ...flags, id }))

clientCommand(
  'rotate-secret',
  'make a new secret and show it, this once; the old one ends, and the tokens got with it',
).option('--keep-old-seconds <seconds>', 'how long the old secret goes on (default: not at all)')

clientCommand('end-tokens', 'end all codes and tokens of a client, its own and those of its owners')

clientCommand(
  'revoke-registration',
  'take away the token with which a client changes its own registration',
)

for (const name of ['pin', 'unpin'] as const) {
  const does = name === 'pin' ? 'stop fetching' : 'fetch again'
  storeCommand(client, `${name} <id>`, `${does} the metadata document that a client is`).action(
    (id: string, flags: Flags) => onStore(`client ${name}`)({ ...flags, id }),
  )
}

const owner = program
  .command('owner')
  .description('add resource owners, or let one in who is locked out')

storeCommand(owner, 'add <username>', 'add an owner')
  .option('--name <name>', 'their name')
  .option('--email <address>', 'their email address')
  .option('--attributes <json>', 'facts about them, which words of the setting claims tell')
  .option(
    '--password-stdin',
    'read the password from standard input (default: print a link with which they choose one)',
  )
  .action(async (username: string, flags: Flags) =>
    onStore('owner add')({ ...(await withPassword(flags)), username }),
  )

storeCommand(owner, 'invite <username>', 'print a link with which somebody chooses a password')
  .option('--name <name>', 'their name, if they are new')
  .option('--email <address>', 'their email address, if they are new')
  .option('--json', 'answer in JSON')
  .action((username: string, flags: Flags) => onStore('owner invite')({ ...flags, username }))

storeCommand(owner, 'reset <username>', 'print a link with which an owner chooses a new password')
  .option('--json', 'answer in JSON')
  .action((username: string, flags: Flags) => onStore('owner reset')({ ...flags, username }))

storeCommand(
  owner,
  'reset-factors <username>',
  'take away passkeys, one-time codes and recovery codes of an owner who has lost them',
).action((username: string, flags: Flags) => onStore('owner reset-factors')({ ...flags, username }))

storeCommand(
  owner,
  'set-attributes <username> <json>',
  'replace the attributes of an owner',
).action((username: string, attributes: string, flags: Flags) =>
  onStore('owner set-attributes')({ ...flags, username, attributes }),
)

addPeopleCommands(owner, storeCommand)

addResourceCommands(program, storeCommand, onStore)

const key = program.command('key').description('list and rotate keys, change the root secret')

storeCommand(key, 'list', 'list the keys of the service')
  .option('--use <use>', 'sealing, signing or both (default: both)')
  .option('--json', 'answer in JSON')
  .action(onStore('key list'))

storeCommand(key, 'rotate', 'use new keys, an hour from now')
  .option('--now', 'within ten seconds instead')
  .option('--end-tokens', 'and end every token from before, as after a theft')
  .option('--use <use>', 'sealing, signing or both (default: both)')
  .option('--json', 'answer in JSON')
  .action(onStore('key rotate'))

storeCommand(key, 'withdraw <key>', 'take a signing key away at once, as after a theft')
  .option('--json', 'answer in JSON')
  .action((id: string, flags: Flags) => onStore('key withdraw')({ ...flags, id }))

storeCommand(
  key,
  'rewrap',
  'wrap everything under the root secret that has followed LATCHKEY_PREVIOUS_SECRET',
)
  .option('--json', 'answer in JSON')
  .action(onStore('key rewrap'))

storeCommand(
  program,
  'operator',
  'print a code with which refused pages explain themselves to your browser; the reference they show is the requestId in the log',
).action(onStore('operator'))

/** Does the work and says what came of it. */
const onFile =
  (work: (path: string, flags: Flags) => Promise<string>) =>
  async (path: string, flags: Flags): Promise<void> => {
    process.stdout.write(`${await work(path, flags)}\n`)
  }

storeCommand(program, 'backup <file>', 'copy the store to one file, also while the service runs')
  .option('--json', 'answer in JSON')
  .action(onFile(backup))

storeCommand(program, 'restore <file>', 'fill an empty store from a backup')
  .option(
    '--keep-tokens',
    'accept tokens from before the backup again, EVEN THOSE REVOKED SINCE; without it all of them have ended',
  )
  .option('--json', 'answer in JSON')
  .action(onFile(restore))

storeCommand(program, 'migrate', 'copy the whole store to PostgreSQL, while no service runs')
  .requiredOption(
    '--to <url>',
    'the new database: postgres://USER@HOST:PORT/DATABASE; put its password in PGPASSWORD',
  )
  .option('--show-secret', 'print the root secret that the service on the new database needs')
  .option('--json', 'answer in JSON')
  .action(async (flags: Flags) => {
    process.stdout.write(`${await migrate(flags)}\n`)
  })

storeCommand(
  program,
  'partition',
  'partition events and access log of a PostgreSQL database by month',
)
  .option('--json', 'answer in JSON')
  .action(async (flags: Flags) => {
    process.stdout.write(`${await partition(flags)}\n`)
  })

try {
  await program.parseAsync()
} catch (error) {
  const { message, exitCode } = explain(error)
  process.stderr.write(`${message}\n`)
  process.exit(exitCode)
}
