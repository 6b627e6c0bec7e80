/** The flags of `latchkey authorization`, `event` and `token`: what is going on in a service. */
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { UsageFault } from '../config/remote.ts'
import {
  endAuthorization,
  listAuthorizations,
  narrowAuthorization,
  setPaused,
  showAuthorization,
} from './admin/authorization.ts'
import { listEvents } from './admin/event.ts'
import { followEvents } from './admin/follow.ts'
import { inspectToken, revokeToken } from './admin/token.ts'
import { withApi } from './open-api.ts'
import { forTerminal } from './said.ts'
import type { Flags } from './store.ts'
import { apiCommand, describe, group, withJson, withServer } from './tree.ts'

const anId = '01k3abcdefghjkmnpqrstvwxyz'

const addAuthorizationCommands = (program: Command): void => {
  const authorization = group(program, 'authorization', {
    does: 'list what owners approved, narrow it, pause it, or end it',
    examples: ['latchkey authorization list --owner alice'],
  })
  apiCommand(
    authorization,
    'list',
    {
      does: 'list authorizations, the oldest first',
      examples: [
        'latchkey authorization list --owner alice',
        'latchkey authorization list --client printer --state paused --json',
      ],
    },
    listAuthorizations,
  )
    .option('--owner <username>', 'only of this owner')
    .option('--client <id>', 'only for this client')
    .option('--state <state>', 'live, paused or ended (default: live)')
    .option('--limit <number>', 'so many at most (default: all)')
  const commands = [
    ['show', 'show an authorization', showAuthorization],
    ['end', 'end an authorization, with all of its codes and tokens', endAuthorization],
    ['pause', 'pause all that its owner approved for its client', setPaused(true)],
    ['resume', 'resume all that its owner approved for its client', setPaused(false)],
  ] as const
  for (const [name, does, work] of commands) {
    const examples = [`latchkey authorization ${name} ${anId}`]
    apiCommand(authorization, `${name} <id>`, { does, examples }, work)
  }
  apiCommand(
    authorization,
    'narrow <id>',
    {
      does: 'take permissions away from an authorization',
      examples: [`latchkey authorization narrow ${anId} --keep photos:read`],
    },
    narrowAuthorization,
  ).requiredOption('--keep <permission...>', 'the permissions that stay')
}

const withFilters = (command: Command): Command =>
  command
    .option('--owner <username>', 'only about this owner')
    .option('--client <id>', 'only about this client')
    .option('--type <type>', 'only of this type, such as login.failed')
    .option('--actor <actor>', 'only by this actor, such as operator or cli:root')
    .option('--since <time>', 'from then on: 15m, 2h, 7d, unix seconds, or 2026-11-22T10:00:00Z')

const follow = async (flags: Flags): Promise<void> => {
  let isEnded = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isEnded = true
      // A page under way is written to its end; waiting ends at once.
      setImmediate(() => process.exit(0))
    })
  }
  const options = { command: 'event follow', live: true }
  await withApi(flags, options, (api) =>
    followEvents(api, {
      flags,
      write: async (line) => {
        if (!process.stdout.write(forTerminal(line))) await once(process.stdout, 'drain')
      },
      complain: (said) => void process.stderr.write(`latchkey: ${said}\n`),
      isEnded: () => isEnded,
    }),
  )
}

const addEventCommands = (program: Command): void => {
  const event = group(program, 'event', {
    does: 'list what happened, or follow it',
    examples: ['latchkey event list --type login.failed --since 1h'],
  })
  const list = apiCommand(
    event,
    'list',
    {
      does: 'list events, the newest first',
      examples: [
        'latchkey event list --owner alice --since 7d',
        'latchkey event list --type client.changed --actor operator --json',
      ],
    },
    listEvents,
  )
  withFilters(list)
    .option('--until <time>', 'up to then, written like --since')
    .option('--limit <number>', 'so many at most (default: 50)')
  const following = describe(
    event,
    'follow',
    {
      does: 'write events as they happen, the oldest first, one line each; a restart of the service is waited for',
      examples: [
        'latchkey event follow --json --position audit.position >> audit.ndjson',
        'latchkey event follow --since 24h',
        'latchkey event follow --type login.failed',
      ],
    },
    ['store'],
  )
  withFilters(withServer(withJson(following)))
    .option('--position <file>', 'go on where this file says, and keep it up to date')
    .action(follow)
}

/** A token does not belong on a command line, which `ps` shows. */
const readToken = async (flags: Flags): Promise<Flags> => {
  const presented = (await text(process.stdin)).trim()
  if (presented === '') throw new UsageFault('there is no token on standard input')
  return { ...flags, presented }
}

const addTokenCommands = (program: Command): void => {
  const token = group(program, 'token', {
    does: 'tell what a token is, or revoke it',
    examples: ['latchkey token inspect < token.txt'],
  })
  apiCommand(
    token,
    'inspect',
    {
      does: 'describe the token on standard input: its kind, client, owner, and the reason of a refusal',
      examples: ['latchkey token inspect < token.txt', 'pbpaste | latchkey token inspect --json'],
    },
    inspectToken,
    { prepare: readToken },
  )
  apiCommand(
    token,
    'revoke',
    {
      does: 'revoke the token on standard input; a refresh token ends all tokens of its grant',
      examples: ['latchkey token revoke < token.txt'],
    },
    revokeToken,
    { prepare: readToken },
  )
}

export const addLiveCommands = (program: Command): void => {
  addAuthorizationCommands(program)
  addEventCommands(program)
  addTokenCommands(program)
}
