/** The program: `latchkey start`, and commands that also work while a service runs. */
import { readFileSync } from 'node:fs'
import { Argument, Command } from 'commander'
import { findNearest } from '../config/nearest.ts'
import { UsageFault } from '../config/remote.ts'
import { settingKeys } from '../config/settings.ts'
import { applyLine, exportLine } from './apply/commands.ts'
import { shells, writeCompletion } from './completion.ts'
import { initLine, languageGroup, peopleLines, rewrapLine, storeLines } from './local-commands.ts'
import { loginLines } from './login/commands.ts'
import { followLine, keyLines, makeOperationLines } from './operation-commands.ts'
import { performGroup } from './perform/commands.ts'
import { importGroup } from './realm/commands.ts'
import { start } from './start.ts'
import { addCommands, type CommandGroup, type CommandLine } from './tree.ts'

const packageFile = new URL('../../package.json', import.meta.url)
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }

const startLine = (program: Command): CommandLine => ({
  usage: 'start',
  isDefault: true,
  does: 'start the service (the default)',
  examples: [
    'latchkey start',
    'LATCHKEY_ISSUER=https://auth.example.com latchkey start --store sqlite:/var/lib/latchkey.db',
  ],
  settings: settingKeys,
  json: false,
  async run(flags, [unknown]) {
    // Unknown commands end up here, since this is the default one.
    if (unknown !== undefined) {
      const meant = findNearest(unknown, [...program.commands.map((one) => one.name()), 'help'])
      const hint = meant === null ? 'latchkey --help lists them' : `did you mean ${meant}?`
      throw new UsageFault(`there is no command ${unknown}; ${hint}`)
    }
    await start(flags)
    return null
  },
})

const keyGroup: CommandGroup = {
  name: 'key',
  does: 'list and rotate keys, change the root secret',
  examples: ['latchkey key list'],
  commands: [...keyLines, rewrapLine],
}

const operationGroups: readonly CommandGroup[] = [
  {
    name: 'client',
    does: 'register clients, list and change them, and end what they hold',
    examples: ['latchkey client list'],
    commands: makeOperationLines(
      'client',
      'add change list show rotate-secret end-tokens revoke-registration disable enable delete pin unpin',
    ),
  },
  {
    name: 'owner',
    does: 'add and find resource owners, change them, or let one in who is locked out',
    examples: ['latchkey owner list --search ali'],
    commands: [
      ...makeOperationLines(
        'owner',
        'add invite reset list show change set-attributes set-roles groups set-groups set-password disable enable unlock reset-factors link delete',
      ),
      ...peopleLines,
    ],
  },
  {
    name: 'group',
    does: 'make groups of owners, and say who is in them',
    examples: ['latchkey group list'],
    commands: makeOperationLines(
      'group',
      'add list show rename delete members add-members remove-members',
    ),
  },
  {
    name: 'resource',
    does: 'protect your own APIs: what owners can allow applications to do',
    examples: ['latchkey resource list'],
    commands: makeOperationLines('resource', 'add list show change remove'),
  },
  {
    name: 'issuer',
    does: 'trust issuers whose JWTs open access for owners',
    examples: ['latchkey issuer list'],
    commands: makeOperationLines('issuer', 'add list show change delete allow'),
  },
  {
    name: 'stream',
    does: 'see the streams of signals to APIs, and end one',
    examples: ['latchkey stream list'],
    commands: makeOperationLines('stream', 'list show remove'),
  },
  {
    name: 'authorization',
    does: 'list what owners approved, narrow it, pause it, or end it',
    examples: ['latchkey authorization list --owner alice'],
    commands: makeOperationLines('authorization', 'list show end pause resume narrow'),
  },
  {
    name: 'event',
    does: 'list what happened, or follow it',
    examples: ['latchkey event list --type login.failed --since 1h'],
    commands: [...makeOperationLines('event', 'list'), followLine],
  },
  {
    name: 'token',
    does: 'tell what a token is, or revoke it',
    examples: ['latchkey token inspect < token.txt'],
    commands: makeOperationLines('token', 'inspect revoke'),
  },
]

const refusalGroup: CommandGroup = {
  name: 'refusal',
  does: 'list refused requests; latchkey explain tells all about one',
  examples: ['latchkey refusal list --since 1h'],
  commands: makeOperationLines('refusal', 'list'),
}

const makeCompletionLine = (program: Command): CommandLine => ({
  usage: 'completion',
  argument: new Argument('<shell>', 'the shell').choices(shells),
  does: 'print a script that completes commands and flags in a shell',
  examples: [
    'latchkey completion bash > ~/.local/share/bash-completion/completions/latchkey',
    'latchkey completion zsh > ~/.zsh/completions/_latchkey',
    'latchkey completion fish > ~/.config/fish/completions/latchkey.fish',
  ],
  settings: [],
  json: false,
  async run(_flags, [shell]) {
    const asked = shells.find((one) => one === shell) ?? 'bash'
    process.stdout.write(writeCompletion(asked, program))
    return null
  },
})

/** @param complain told of wrong flags and arguments */
export const createProgram = (complain: (text: string) => void): Command => {
  const program = new Command('latchkey')
    .description('OAuth 2.0 authorization server, token service and resource server')
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: complain })
  addCommands(program, [
    startLine(program),
    initLine,
    keyGroup,
    ...storeLines,
    applyLine,
    exportLine,
    importGroup,
    ...operationGroups,
    performGroup,
    ...loginLines,
    ...makeOperationLines('', 'explain'),
    refusalGroup,
    languageGroup,
    makeCompletionLine(program),
  ])
  return program
}
