/** The flags of `latchkey key ...`. */
import type { Command } from 'commander'
import { remoteOf } from '../config/remote.ts'
import { findCommand } from './admin/work.ts'
import { ApiFault } from './api.ts'
import type { StoreCommandName } from './commands.ts'
import { sealingKey, unknownKey, useOf } from './keys.ts'
import { withApi } from './open-api.ts'
import { withFlags } from './operation-program.ts'
import type { Flags } from './store.ts'
import { describe, group, localOnly, print, withJson, withServer } from './tree.ts'

type OnStore = (name: StoreCommandName, flags: Flags) => Promise<void>

/** The service speaks of its API, and the command of commands. */
const sayFault =
  (id: string | undefined) =>
  (fault: unknown): never => {
    if (id === undefined || !(fault instanceof ApiFault)) throw fault
    const { title } = fault
    if (title === 'not_found') throw unknownKey(id)
    throw title === 'conflict' ? sealingKey() : fault
  }

/** Works on the store of this machine, and through the admin API with `--server`. */
const addKeyCommand = (
  parent: Command,
  name: 'key list' | 'key rotate' | 'key withdraw',
  onStore: OnStore,
): void => {
  const { command: row, work } = findCommand(name)
  const usage = row.usage.slice('key '.length)
  const command = withServer(withJson(describe(parent, usage, row, ['store'])))
  withFlags(command, row.flags ?? []).action(async (..._given: readonly unknown[]) => {
    const [id] = command.args
    const flags = { ...command.opts<Flags>(), ...(id === undefined ? {} : { id }) }
    useOf(flags)
    if (remoteOf(flags) === null) return onStore(name, flags)
    const asked = withApi(flags, { command: name }, (api) => work(api, flags, command.args))
    print(await asked.catch(sayFault(id)), flags)
  })
}

export const addKeyCommands = (program: Command, onStore: OnStore): void => {
  const key = group(program, 'key', {
    does: 'list and rotate keys, change the root secret',
    examples: ['latchkey key list'],
  })
  for (const name of ['key list', 'key rotate', 'key withdraw'] as const) {
    addKeyCommand(key, name, onStore)
  }
  const rewrapped = {
    does: 'wrap everything under the root secret that has followed LATCHKEY_PREVIOUS_SECRET',
    examples: ['latchkey key rewrap'],
  }
  localOnly(
    withJson(describe(key, 'rewrap', rewrapped, ['store'])),
    'both root secrets are settings of the service, and they never leave its machine. Run it there, as the user of the service',
  ).action((flags: Flags) => onStore('key rewrap', flags))
}
