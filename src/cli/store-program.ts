/** The flags of commands on the store itself: keys, backups, moving. None of them asks another machine. */
import type { Command } from 'commander'
import { forTerminal } from '../operations/surface/said.ts'
import { backup } from './backup.ts'
import type { StoreCommandName } from './commands.ts'
import { runDoctor } from './doctor/doctor.ts'
import { addKeyCommands } from './key-program.ts'
import { migrate } from './migrate.ts'
import { runOnStore } from './on-store.ts'
import { restore } from './restore.ts'
import type { Flags } from './store.ts'
import { type Described, describe, localOnly, print, withJson } from './tree.ts'

/** Does the work on the store and says what came of it. */
const onStore = async (name: StoreCommandName, flags: Flags): Promise<void> => {
  process.stdout.write(`${forTerminal(await runOnStore(name, flags))}\n`)
}

const storeCommand = (parent: Command, usage: string, described: Described, why: string): Command =>
  localOnly(withJson(describe(parent, usage, described, ['store'])), why)

/** Does the work and says what came of it. */
const onFile =
  (work: (path: string, flags: Flags) => Promise<string>) =>
  async (path: string, flags: Flags): Promise<void> => {
    process.stdout.write(`${await work(path, flags)}\n`)
  }

const ofWhole = 'it copies the store as a whole, with keys and password hashes'

const addWholeCommands = (program: Command): void => {
  const backedUp = {
    does: 'copy the store to one file, also while the service runs',
    examples: ['latchkey backup latchkey-backup.gz'],
  }
  storeCommand(program, 'backup <file>', backedUp, ofWhole).action(onFile(backup))
  const restored = {
    does: 'fill an empty store from a backup',
    examples: ['latchkey restore latchkey-backup.gz'],
  }
  storeCommand(program, 'restore <file>', restored, ofWhole)
    .option(
      '--keep-tokens',
      'accept tokens from before the backup again, EVEN THOSE REVOKED SINCE; without it all of them have ended',
    )
    .action(onFile(restore))
  const migrated = {
    does: 'copy the whole store to PostgreSQL, while no service runs',
    examples: ['latchkey migrate --to postgres://latchkey@db.example.com/latchkey'],
  }
  storeCommand(program, 'migrate', migrated, ofWhole)
    .requiredOption(
      '--to <url>',
      'the new database: postgres://USER@HOST:PORT/DATABASE; put its password in PGPASSWORD',
    )
    .option('--show-secret', 'print the root secret that the service on the new database needs')
    .action(async (flags: Flags) => {
      process.stdout.write(`${await migrate(flags)}\n`)
    })
}

const addDoctor = (program: Command): void => {
  const described = {
    does: 'find what is weak in settings, machine, database, keys and proxy, and how to mend it; exit code 1 if anything is found',
    examples: ['latchkey doctor', 'latchkey doctor --json'],
  }
  storeCommand(program, 'doctor', described, 'it examines the machine that it runs on').action(
    async (flags: Flags) => {
      const { exitCode, ...output } = await runDoctor(flags)
      print(output, flags)
      process.exitCode = exitCode
    },
  )
}

export const addStoreCommands = (program: Command): void => {
  const begun = {
    does: 'create the first operator: a client for programs, and an owner for the console',
    examples: ['latchkey init', 'latchkey init --username olga --email olga@example.com'],
  }
  storeCommand(
    program,
    'init',
    begun,
    'it makes the first operator, whose token another machine needs',
  )
    .option('--id <id>', 'the client id (default: a generated one)')
    .option('--username <name>', 'the username of the owner (default: operator)')
    .option('--email <address>', 'the email address of the owner')
    .action((flags: Flags) => onStore('init', flags))
  addKeyCommands(program, onStore)
  const shown = {
    does: 'print a code with which refused pages explain themselves to your browser; the reference they show is the requestId in the log',
    examples: ['latchkey operator'],
  }
  storeCommand(
    program,
    'operator',
    shown,
    'whoever may reach the store may see more on pages',
  ).action((flags: Flags) => onStore('operator', flags))
  addDoctor(program)
  addWholeCommands(program)
}
