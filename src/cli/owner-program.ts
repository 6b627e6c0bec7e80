/** The flags of `latchkey owner ...`. */
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import {
  addOwner,
  changeOwner,
  deleteOwner,
  inviteOwner,
  listOwners,
  resetFactors,
  resetOwner,
  setAttributes,
  setOwnerDisabled,
  setPassword,
  setRoles,
  showOwner,
} from './admin/owner.ts'
import { addPeopleCommands } from './people-program.ts'
import type { Flags } from './store.ts'
import { apiCommand, group } from './tree.ts'

/** A password comes in over standard input, never as an argument, which `ps` would show. */
const withPassword = async (flags: Flags): Promise<Flags> => {
  if (flags.passwordStdin !== true) return flags
  return { ...flags, password: (await text(process.stdin)).replace(/\r?\n$/, '') }
}

const addMaking = (owner: Command): void => {
  apiCommand(
    owner,
    'add <username>',
    {
      does: 'add an owner',
      examples: ['latchkey owner add alice --name "Alice Liddell" --email alice@example.com'],
    },
    addOwner,
    { first: true, prepare: withPassword },
  )
    .option('--name <name>', 'their name')
    .option('--email <address>', 'their email address')
    .option('--attributes <json>', 'facts about them, which words of the setting claims tell')
    .option('--role <role...>', 'roles, such as operator or auditor')
    .option(
      '--password-stdin',
      'read the password from standard input (default: print a link with which they choose one)',
    )
  apiCommand(
    owner,
    'invite <username>',
    {
      does: 'print or send a link to choose a first password',
      examples: ['latchkey owner invite bob --email bob@example.com --send'],
    },
    inviteOwner,
  )
    .option('--name <name>', 'their name, if they are new')
    .option('--email <address>', 'their email address, if they are new')
    .option('--send', 'send it by mail to that address')
  apiCommand(
    owner,
    'reset <username>',
    {
      does: 'print or send a link to choose a new password',
      examples: ['latchkey owner reset alice'],
    },
    resetOwner,
  ).option('--send', 'send it by mail to the address of the owner')
}

const addReading = (owner: Command): void => {
  apiCommand(
    owner,
    'list',
    {
      does: 'list or search owners',
      examples: [
        'latchkey owner list --search alice@ --by email',
        'latchkey owner list --limit 20',
      ],
    },
    listOwners,
  )
    .option('--search <text>', 'only owners of whom this begins with it')
    .option('--role <role>', 'only owners with this role, or with any')
    .option('--by <member>', 'what is searched: username, email or name (default: username)')
    .option('--limit <number>', 'so many at most (default: all)')
  apiCommand(
    owner,
    'show <username>',
    { does: 'show an owner, by username or id', examples: ['latchkey owner show alice'] },
    showOwner,
  )
}

const addChanging = (owner: Command): void => {
  apiCommand(
    owner,
    'change <username>',
    {
      does: 'change what the flags name',
      examples: ['latchkey owner change alice --email alice@example.org'],
    },
    changeOwner,
  )
    .option('--name <name>', 'their name')
    .option('--email <address>', 'their email address')
    .option('--attributes <json>', 'all of their attributes')
  apiCommand(
    owner,
    'set-attributes <username> <json>',
    {
      does: 'replace the attributes of an owner',
      examples: [`latchkey owner set-attributes alice '{"department": "sales"}'`],
    },
    setAttributes,
  )
  apiCommand(
    owner,
    'set-roles <username>',
    {
      does: 'replace the roles of an owner: operator and auditor open the console',
      examples: ['latchkey owner set-roles alice --role auditor', 'latchkey owner set-roles alice'],
    },
    setRoles,
  )
    .option('--role <role...>', 'all of their roles (default: none)')
    .option('--keep <way...>', 'ways to log in that others may have set, and that stay')
  apiCommand(
    owner,
    'set-password <username>',
    {
      does: 'set the password that standard input holds; all logins end',
      examples: ['latchkey owner set-password alice < password.txt'],
    },
    setPassword,
    { prepare: (flags) => withPassword({ ...flags, passwordStdin: true }) },
  )
}

const addEnding = (owner: Command): void => {
  apiCommand(
    owner,
    'disable <username>',
    {
      does: 'let nobody in with this account, and refuse what it approved',
      examples: ['latchkey owner disable alice'],
    },
    setOwnerDisabled(true),
  )
  apiCommand(
    owner,
    'enable <username>',
    { does: 'let a disabled owner in again', examples: ['latchkey owner enable alice'] },
    setOwnerDisabled(false),
  )
  apiCommand(
    owner,
    'reset-factors <username>',
    {
      does: 'take away passkeys, one-time codes and recovery codes of an owner who has lost them',
      examples: ['latchkey owner reset-factors alice'],
    },
    resetFactors,
  )
  apiCommand(
    owner,
    'delete <username>',
    {
      does: 'delete an owner, with all data and approvals, at once',
      examples: ['latchkey owner delete alice --yes'],
    },
    deleteOwner,
  ).option('--yes', 'do it without asking')
}

export const addOwnerCommands = (program: Command): void => {
  const owner = group(program, 'owner', {
    does: 'add and find resource owners, change them, or let one in who is locked out',
    examples: ['latchkey owner list --search ali'],
  })
  addMaking(owner)
  addReading(owner)
  addChanging(owner)
  addEnding(owner)
  addPeopleCommands(owner)
}
