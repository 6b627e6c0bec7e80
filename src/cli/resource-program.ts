/** The flags of `latchkey resource ...`. */
import type { Command } from 'commander'
import {
  addResource,
  changeResource,
  listResources,
  removeResource,
  showResource,
} from './admin/resource.ts'
import { apiCommand, group } from './tree.ts'

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
export const addResourceCommands = (program: Command): void => {
  const resource = group(program, 'resource', {
    does: 'protect your own APIs: what owners can allow applications to do',
    examples: ['latchkey resource list'],
  })
  const add = apiCommand(
    resource,
    'add <name>',
    {
      does: 'add a resource; words are a text, or {"en": "...", "zh": "..."}',
      examples: [
        'latchkey resource add orders --title Orders --read "See your orders" --write "Place orders" --uri https://orders.example',
      ],
    },
    addResource,
    { first: true },
  )
  withMembers(add)
  apiCommand(
    resource,
    'list',
    { does: 'list all resources', examples: ['latchkey resource list --json'] },
    listResources,
  )
  apiCommand(
    resource,
    'show <name>',
    { does: 'show a resource', examples: ['latchkey resource show photos'] },
    showResource,
  )
  const change = apiCommand(
    resource,
    'change <name>',
    {
      does: 'change what the flags name',
      examples: ['latchkey resource change orders --access-token-format jwt'],
    },
    changeResource,
  )
  withMembers(change)
  apiCommand(
    resource,
    'remove <name>',
    {
      does: 'delete a resource and end all permissions on it; its name is not used again',
      examples: ['latchkey resource remove orders --yes'],
    },
    removeResource,
  ).option('--yes', 'do it without asking')
}
