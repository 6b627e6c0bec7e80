/** The flags of `latchkey key ...`. */
import type { Command } from 'commander'
import { remoteOf } from '../config/remote.ts'
import { listRemoteKeys, rotateRemoteKeys, withdrawRemoteKey } from './admin/key.ts'
import type { StoreCommandName } from './commands.ts'
import { useOf } from './keys.ts'
import { withApi } from './open-api.ts'
import type { Flags } from './store.ts'
import {
  type ApiWork,
  type Described,
  describe,
  group,
  localOnly,
  print,
  withJson,
  withServer,
} from './tree.ts'

type OnStore = (name: StoreCommandName, flags: Flags) => Promise<void>

/** Works on the store of this machine, and through the admin API with `--server`. */
const keyCommand = (
  parent: Command,
  usage: string,
  described: Described,
  onStore: (flags: Flags) => Promise<void>,
  remotely: ApiWork,
): Command => {
  const command = withServer(withJson(describe(parent, usage, described, ['store'])))
  return command.action(async (..._given: readonly unknown[]) => {
    const [id] = command.args
    const flags = { ...command.opts<Flags>(), ...(id === undefined ? {} : { id }) }
    useOf(flags)
    if (remoteOf(flags) === null) return onStore(flags)
    const options = { command: `key ${command.name()}` }
    print(await withApi(flags, options, (api) => remotely(api, flags, command.args)), flags)
  })
}

const uses = 'sealing, signing or both (default: both)'

export const addKeyCommands = (program: Command, onStore: OnStore): void => {
  const key = group(program, 'key', {
    does: 'list and rotate keys, change the root secret',
    examples: ['latchkey key list'],
  })
  keyCommand(
    key,
    'list',
    { does: 'list the keys of the service', examples: ['latchkey key list --json'] },
    (flags) => onStore('key list', flags),
    listRemoteKeys,
  ).option('--use <use>', uses)
  keyCommand(
    key,
    'rotate',
    {
      does: 'use new keys, an hour from now',
      examples: ['latchkey key rotate', 'latchkey key rotate --use sealing --end-tokens'],
    },
    (flags) => onStore('key rotate', flags),
    rotateRemoteKeys,
  )
    .option('--now', 'within ten seconds instead')
    .option('--end-tokens', 'and end every token from before, as after a theft')
    .option('--use <use>', uses)
  keyCommand(
    key,
    'withdraw <key>',
    {
      does: 'take a signing key away at once, as after a theft',
      examples: ['latchkey key withdraw 01k3abcdefghjkmnpqrstvwxyz'],
    },
    (flags) => onStore('key withdraw', flags),
    withdrawRemoteKey,
  )
  const rewrapped = {
    does: 'wrap everything under the root secret that has followed LATCHKEY_PREVIOUS_SECRET',
    examples: ['latchkey key rewrap'],
  }
  localOnly(
    withJson(describe(key, 'rewrap', rewrapped, ['store'])),
    'both root secrets are settings of the service, and they never leave its machine. Run it there, as the user of the service',
  ).action((flags: Flags) => onStore('key rewrap', flags))
}
