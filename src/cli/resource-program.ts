/** The flags of `latchkey resource ...`. */
import type { Command } from 'commander'
import type { StoreCommandName } from './commands.ts'
import type { Flags } from './store.ts'

type RunCommand = (name: StoreCommandName) => (flags: Flags) => Promise<void>
export type DescribeCommand = (parent: Command, name: string, description: string) => Command

const withMembers = (command: Command): Command =>
  command
    .option('--title <words>', 'what pages call it, such as Orders')
    .option('--read <words>', 'what reading means, for the owner')
    .option('--write <words>', 'what writing means, for the owner')
    .option('--action <name=words...>', 'further actions, all of them: "refund=Refund orders"')
    .option('--destructive <action...>', 'actions that the consent page marks')
    .option(
      '--uri <uri>',
      "your own API: the value of resource, and the aud of its tokens ('' = none)",
    )
    .option('--access-token-format <format>', 'opaque or jwt')
    .option('--introspection-client <id...>', 'clients that introspect tokens for it')

/** Words may be a JSON object with one text for each language. */
export const addResourceCommands = (
  program: Command,
  describe: DescribeCommand,
  run: RunCommand,
): void => {
  const resource = program
    .command('resource')
    .description('protect your own APIs: what owners can allow applications to do')
  const add = (name: 'add' | 'show' | 'change' | 'remove', description: string): Command =>
    describe(resource, `${name} <name>`, description)
      .option('--json', 'answer in JSON')
      .action((resourceName: string, flags: Flags) =>
        run(`resource ${name}`)({ ...flags, name: resourceName }),
      )
  withMembers(add('add', 'add a resource; words are a text, or {"en": "...", "zh": "..."}'))
  describe(resource, 'list', 'list all resources')
    .option('--json', 'answer in JSON')
    .action(run('resource list'))
  add('show', 'show a resource')
  withMembers(add('change', 'change what the flags name'))
  add('remove', 'delete a resource and end all permissions on it; its name is not used again')
}
