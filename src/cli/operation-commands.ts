/** The commands that ask the admin API: here, beside a service, and with `--server`. Their rows are those of operations. */
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { findRemote, UsageFault } from '../config/remote.ts'
import { eventFlags } from '../operations/events.ts'
import type { CommandRow } from '../operations/surface/cli.ts'
import { escapeForTerminal } from '../operations/surface/said.ts'
import { followEvents } from './admin/follow.ts'
import { findCommand } from './admin/work.ts'
import { ApiFault } from './api.ts'
import { sealingKey, unknownKey, useOf } from './keys.ts'
import { runOnStore } from './on-store.ts'
import { useApi } from './open-api.ts'
import type { Flags } from './store.ts'
import type { CommandLine } from './tree.ts'

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

/** Each reads what the flags refer to, before anything is opened. */
const readers: Readonly<
  Record<CommandRow['reads'] & string, (flags: Flags) => Promise<Flags> | Flags>
> = {
  password: readPassword,
  'password if asked': (flags) => (flags.passwordStdin === true ? readPassword(flags) : flags),
  token: readToken,
}

/** @param group the words before the usage of the line; '' for a command without a group */
const makeOperationLine = (group: string, name: string): CommandLine => {
  const { command, work } = findCommand(`${group} ${name}`.trim())
  const { usage, does, examples, first = false, reads, flags = [] } = command
  return {
    usage: usage.slice(group.length).trim(),
    does,
    examples,
    server: true,
    flags,
    async run(typed, names, typedName) {
      const given = reads === undefined ? typed : await readers[reads](typed)
      return useApi(given, { command: typedName, first }, (api) => work(api, given, names))
    },
  }
}

/** @param names of the commands, in the order of the help */
export const makeOperationLines = (group: string, names: string): readonly CommandLine[] =>
  names.split(' ').map((name) => makeOperationLine(group, name))

/** The service speaks of its API, and the command of commands. */
const sayKeyFault =
  (id: string | undefined) =>
  (fault: unknown): never => {
    if (id === undefined || !(fault instanceof ApiFault)) throw fault
    const { title } = fault
    if (title === 'not_found') throw unknownKey(id)
    throw title === 'conflict' ? sealingKey() : fault
  }

/** The commands of keys work on the store of this machine, and through the admin API with `--server`. */
export const keyLines: readonly CommandLine[] = (['list', 'rotate', 'withdraw'] as const).map(
  (name) => {
    const line = makeOperationLine('key', name)
    return {
      ...line,
      async run(typed, names, command) {
        const [id] = names
        const flags = { ...typed, ...(id === undefined ? {} : { id }) }
        useOf(flags)
        if (findRemote(flags) === null) return runOnStore(`key ${name}`, flags)
        return line.run(flags, names, command).catch(sayKeyFault(id))
      },
    }
  },
)

const follow = async (flags: Flags): Promise<null> => {
  let isEnded = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isEnded = true
      // A page under way is written to its end; waiting ends at once.
      setImmediate(() => process.exit(0))
    })
  }
  await useApi(flags, { command: 'event follow', live: true }, (api) =>
    followEvents(api, {
      flags,
      write: async (line) => {
        if (!process.stdout.write(escapeForTerminal(line))) await once(process.stdout, 'drain')
      },
      complain: (said) => void process.stderr.write(`latchkey: ${said}\n`),
      isEnded: () => isEnded,
    }),
  )
  return null
}

export const followLine: CommandLine = {
  usage: 'follow',
  does: 'write events as they happen, the oldest first, one line each; a restart of the service is waited for',
  examples: [
    'latchkey event follow --json --position audit.position >> audit.ndjson',
    'latchkey event follow --since 24h',
    'latchkey event follow --type login.failed',
  ],
  server: true,
  flags: [
    ...eventFlags,
    ['--position <file>', 'go on where this file says, and keep it up to date'],
  ],
  run: follow,
}
