/** docs/commands.md: every command, made of the program's own tree. */
import type { Command, Option } from 'commander'
import { createProgram } from '../../src/cli/program.ts'
import { code, table } from './markdown.ts'

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`

const usageOf = (command: Command): string => {
  const names = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  )
  return [pathOf(command), ...names].join(' ')
}

/** What the help says after the flags. */
const examplesOf = (command: Command): string => {
  let text = ''
  command.configureOutput({ writeOut: (piece) => (text += piece) })
  command.outputHelp()
  return (text.split(/\nExamples?:\n/)[1] ?? '').replaceAll(/^ {2}/gm, '').trim()
}

/** Flags that many commands share are described once. */
const common = ['--config', '--store', '--server', '--token', '--json']

const flagsOf = (command: Command): string => {
  const own = command.options.filter(
    ({ hidden, long }: Option) => !hidden && !common.includes(long ?? ''),
  )
  // The service takes every setting.
  if (own.length === 0 || command.name() === 'start') return ''
  return table(
    ['Flag', 'Meaning'],
    own.map(({ flags, description }) => [code(flags), description]),
  )
}

const where = (command: Command): string => {
  const has = (flag: string): boolean =>
    command.options.some(({ long, hidden }) => long === flag && !hidden)
  const places = [
    ...(has('--store') ? ['on this machine, also beside a running service'] : []),
    ...(has('--server') ? ['with `--server`'] : []),
  ]
  const json = has('--json') ? ' It takes `--json`.' : ''
  return places.length === 0 ? json.trim() : `Works ${places.join(', and ')}.${json}`
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const renderCommand = (command: Command): readonly string[] => [
  `### ${usageOf(command)}`,
  '',
  sentence(command.description()),
  '',
  ...(where(command) === '' ? [] : [where(command), '']),
  ...(flagsOf(command) === '' ? [] : [flagsOf(command), '']),
  '```sh',
  examplesOf(command),
  '```',
  '',
]

const leavesOf = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)

const introduction = `# Commands

Generated from the program's own tree of commands by \`npm run docs\`.

Every command works while the service runs. On SQLite it goes to the service over a local socket, which only the user of the database may open. On PostgreSQL it opens the database itself. Where no service runs, it works on the store directly.

## Another machine

\`--server URL\` asks the admin API of a service elsewhere. A person logs in first:

\`\`\`sh
latchkey login --server https://auth.example.com
latchkey owner list --server https://auth.example.com --search ali
latchkey logout --server https://auth.example.com
\`\`\`

\`latchkey login\` opens a browser on this computer, or shows the address to open. It waits on a free port of \`127.0.0.1\` for the answer (RFC 8252). It is for owners with the role \`operator\` or \`auditor\` and two factors. The command says whose login it is, with the role, and at a terminal waits for \`yes\`. Then it tells the end. Commands then do what the role may, and [events](admin-api.md#who-acted) name the person.

- A login counts twelve hours. It ends sooner with the login of the browser, with a new password or role, or with a removed factor. "End access" on the account page ends it, too.
- A change needs a proof of the last 15 minutes. Log in again, or confirm any action of the console in the same browser.
- Tokens are in \`$XDG_CONFIG_HOME/latchkey\` or \`~/.config/latchkey\`, a file for each service with mode 0600. Commands refuse a link, and a file or folder with rights for others. Keyrings of desktops would need a further dependency, so none is used.
- \`latchkey logout\` deletes the file also where the service does not answer. It then says so, with exit code 1.

A program needs an access token, best in the environment:

\`\`\`sh
export LATCHKEY_SERVER=https://auth.example.com
export LATCHKEY_CLIENT_SECRET=...
export LATCHKEY_TOKEN=$(latchkey perform client-credentials --client latchkey-admin --resource https://auth.example.com/admin/api --json | jq -r .response.access_token)
latchkey owner list --search ali
\`\`\`

\`LATCHKEY_TOKEN_FILE\` names a file with the token. \`--token\` works too, but \`ps\` shows it to other users. Commands that copy the whole store, handle password hashes or need the root secret work on their own machine only. They say so.

## Output

\`--json\` prints one JSON value: an array for a list, an object otherwise. Members have the names of the [admin API](admin-api.md). \`event follow --json\` prints one event on each line. New members may be added; none changes its meaning. A failure is one line on standard error:

\`\`\`json
{ "error": { "message": "there is no owner eve", "exit_code": 1, "status": 404, "code": "not_found" } }
\`\`\`

\`status\` and \`code\` are there where the admin API refused. Progress is shown on a terminal only, and on standard error.

| Exit code | Meaning |
| --- | --- |
| 0 | done |
| 1 | failed, or \`doctor\` found something, or \`owner import\` refused a line |
| 2 | wrong flags, arguments, values or settings: nothing was done |
| 130 | interrupted |

## Follow events

\`event follow\` writes events as they happen, and waits for a service that restarts. It writes each event, also one that the database shows late. So the order is that of the writing, and an older id may come after a newer one.

With \`--position FILE\` it goes on after its own restart where it stopped. After each page it writes the lines to the disk (where they go to a file), and then the position. If it is killed between a page and the file, that page comes again, with the same ids. The first time, \`--since\` says how far back to begin. It replaces the file as a whole, and refuses one that is empty or damaged. The position belongs to one database. After a restore, remove the file and begin with \`--since\`, even where the command does not stop.

With \`--server\` it ends once its token or login does, with exit code 1. Start it again with a new one and the same position file: nothing is left out.

`

export const renderCommands = (): string => {
  const program = createProgram(() => {})
  const groups = program.commands.map((command) =>
    [
      ...(command.commands.length === 0
        ? []
        : [`## ${pathOf(command)}`, '', sentence(command.description()), '']),
      ...leavesOf(command).flatMap(renderCommand),
    ].join('\n'),
  )
  return `${introduction}${groups.join('\n').trimEnd()}\n`
}
