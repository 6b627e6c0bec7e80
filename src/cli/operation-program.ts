/** The commands about clients, owners, resources, authorizations, events, tokens and refusals, as their rows say them. */
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { UsageFault } from '../config/remote.ts'
import { eventFlags } from '../operations/events.ts'
import type { CommandFlag, CommandRow } from '../operations/surface/cli.ts'
import { forTerminal } from '../operations/surface/said.ts'
import { followEvents } from './admin/follow.ts'
import { findCommand } from './admin/work.ts'
import { withApi } from './open-api.ts'
import { addPeopleCommands } from './people-program.ts'
import type { Flags } from './store.ts'
import { apiCommand, describe, group, withJson, withServer } from './tree.ts'

/** A password comes in over standard input, never as an argument, which `ps` would show. */
const readPassword = async (flags: Flags): Promise<Flags> => ({
  ...flags,
  password: (await text(process.stdin)).replace(/\r?\n$/, ''),
})

/** A token does not belong on a command line, which `ps` shows. */
const readToken = async (flags: Flags): Promise<Flags> => {
  const presented = (await text(process.stdin)).trim()
  if (presented === '') throw new UsageFault('there is no token on standard input')
  return { ...flags, presented }
}

const readers: Readonly<
  Record<CommandRow['reads'] & string, (flags: Flags) => Promise<Flags> | Flags>
> = {
  password: readPassword,
  'password if asked': (flags) => (flags.passwordStdin === true ? readPassword(flags) : flags),
  token: readToken,
}

export const withFlags = (command: Command, flags: readonly CommandFlag[]): Command => {
  for (const [written, meaning, need] of flags) {
    if (need === 'needed') command.requiredOption(written, meaning)
    else command.option(written, meaning)
  }
  return command
}

const addOperation = (parent: Command, name: string): void => {
  const { command, work } = findCommand(name)
  const { usage, first = false, reads, flags = [] } = command
  const words = parent.parent === null ? usage : usage.slice(parent.name().length + 1)
  const prepare = async (given: Flags) => (reads === undefined ? given : readers[reads](given))
  withFlags(apiCommand(parent, words, command, work, { first, prepare }), flags)
}

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

const addFollow = (event: Command): void => {
  const described = {
    does: 'write events as they happen, the oldest first, one line each; a restart of the service is waited for',
    examples: [
      'latchkey event follow --json --position audit.position >> audit.ndjson',
      'latchkey event follow --since 24h',
      'latchkey event follow --type login.failed',
    ],
  }
  const following = withServer(withJson(describe(event, 'follow', described, ['store'])))
  withFlags(following, eventFlags)
    .option('--position <file>', 'go on where this file says, and keep it up to date')
    .action(follow)
}

/** Groups in the order of the help: what each does, an example, and its commands. */
const groups = {
  client: [
    'register clients, list and change them, and end what they hold',
    'latchkey client list',
    'add change list show rotate-secret end-tokens revoke-registration disable enable delete pin unpin',
  ],
  owner: [
    'add and find resource owners, change them, or let one in who is locked out',
    'latchkey owner list --search ali',
    'add invite reset list show change set-attributes set-roles set-password disable enable reset-factors delete',
  ],
  resource: [
    'protect your own APIs: what owners can allow applications to do',
    'latchkey resource list',
    'add list show change remove',
  ],
  authorization: [
    'list what owners approved, narrow it, pause it, or end it',
    'latchkey authorization list --owner alice',
    'list show end pause resume narrow',
  ],
  event: [
    'list what happened, or follow it',
    'latchkey event list --type login.failed --since 1h',
    'list',
  ],
  token: [
    'tell what a token is, or revoke it',
    'latchkey token inspect < token.txt',
    'inspect revoke',
  ],
  refusal: [
    'list refused requests; latchkey explain tells all about one',
    'latchkey refusal list --since 1h',
    'list',
  ],
} as const

const addGroup = (program: Command, name: keyof typeof groups): Command => {
  const [does, example, names] = groups[name]
  const added = group(program, name, { does, examples: [example] })
  for (const one of names.split(' ')) addOperation(added, `${name} ${one}`)
  return added
}

export const addOperationCommands = (program: Command): void => {
  addGroup(program, 'client')
  addPeopleCommands(addGroup(program, 'owner'))
  addGroup(program, 'resource')
  addGroup(program, 'authorization')
  addFollow(addGroup(program, 'event'))
  addGroup(program, 'token')
}

export const addRefusalCommands = (program: Command): void => {
  addOperation(program, 'explain')
  addGroup(program, 'refusal')
}
