/** The commands that no other machine can be asked for: on the store as a whole, on people with hashes, on files. */

import type { StoreCommandName } from './commands.ts'
import { runDoctor } from './doctor/doctor.ts'
import { exportLanguage, listLanguages, saveLanguage } from './languages.ts'
import { runOnStore } from './on-store.ts'
import { exportPeople } from './people/export.ts'
import { importPeople } from './people/import.ts'
import type { CommandGroup, CommandLine } from './tree.ts'
import { runVerify } from './verify/verify.ts'
import { makeBackup, migrate, restore } from './whole-store.ts'

const bindCommand =
  (name: StoreCommandName): CommandLine['run'] =>
  (flags) =>
    runOnStore(name, flags)

export const initLine: CommandLine = {
  usage: 'init',
  does: 'create the first operator: a client for programs, and an owner for the console',
  examples: ['latchkey init', 'latchkey init --username olga --email olga@example.com'],
  here: 'it makes the first operator, whose token another machine needs',
  flags: [
    ['--id <id>', 'the client id (default: a generated one)'],
    ['--username <name>', 'the username of the owner (default: operator)'],
    ['--email <address>', 'the email address of the owner'],
  ],
  run: bindCommand('init'),
}

export const rewrapLine: CommandLine = {
  usage: 'rewrap',
  does: 'wrap everything under the root secret that has followed LATCHKEY_PREVIOUS_SECRET',
  examples: ['latchkey key rewrap'],
  here: 'both root secrets are settings of the service, and they never leave its machine. Run it there, as the user of the service',
  run: bindCommand('key rewrap'),
}

const ofWhole = 'it copies the store as a whole, with keys and password hashes'

export const storeLines: readonly CommandLine[] = [
  {
    usage: 'operator',
    does: 'print a code with which refused pages explain themselves to your browser; the reference they show is the requestId in the log',
    examples: ['latchkey operator'],
    here: 'whoever may reach the store may see more on pages',
    run: bindCommand('operator'),
  },
  {
    usage: 'doctor',
    does: 'find what is weak in settings, machine, database, keys and proxy, and how to mend it; exit code 1 if anything is found. And list clients for whom a stricter profile is too strict',
    examples: ['latchkey doctor', 'latchkey doctor --json'],
    here: 'it examines the machine that it runs on',
    run: runDoctor,
  },
  {
    usage: 'verify',
    does: 'verify the seals of events: whether any was changed, removed or added since; exit code 1 if so',
    examples: ['latchkey verify', 'latchkey verify --from 2026-11-01T00:00:00Z --json'],
    here: 'it reads every event of the store',
    flags: [
      ['--from <time>', 'from then on: unix seconds, or 2026-11-22T10:00:00Z'],
      ['--to <time>', 'up to then, written like --from'],
      ['--expect <seal>', 'number and hash of a seal that you noted elsewhere: it has to be there'],
      ['--backup <file>', 'verify a backup, in a copy that is removed afterwards'],
    ],
    run: runVerify,
  },
  {
    usage: 'backup <file>',
    does: 'copy the store to one file, also while the service runs',
    examples: ['latchkey backup latchkey-backup.gz'],
    here: ofWhole,
    run: (flags, [path = '']) => makeBackup(path, flags),
  },
  {
    usage: 'restore <file>',
    does: 'fill an empty store from a backup',
    examples: ['latchkey restore latchkey-backup.gz'],
    here: ofWhole,
    flags: [
      [
        '--keep-tokens',
        'accept tokens from before the backup again, EVEN THOSE REVOKED SINCE; without it all of them have ended',
      ],
    ],
    run: (flags, [path = '']) => restore(path, flags),
  },
  {
    usage: 'migrate',
    does: 'copy the whole store to PostgreSQL, while no service runs',
    examples: ['latchkey migrate --to postgres://latchkey@db.example.com/latchkey'],
    here: ofWhole,
    flags: [
      [
        '--to <url>',
        'the new database: postgres://USER@HOST:PORT/DATABASE; put its password in PGPASSWORD',
        'needed',
      ],
      ['--show-secret', 'print the root secret that the service on the new database needs'],
    ],
    run: migrate,
  },
  {
    usage: 'distribute',
    does: 'distribute the tables of a PostgreSQL database with Citus over its machines, while no service runs. It goes on where it was interrupted, and locks every table for a moment at its beginning. From then on no service starts until its end',
    examples: ['latchkey distribute --dry-run', 'latchkey distribute'],
    here: 'it changes the tables of the store as a whole',
    flags: [['--dry-run', 'check everything, count what would end, and write nothing']],
    run: async (flags) => (await import('./distribute.ts')).distribute(flags),
  },
]

const json = ['--json', 'answer in JSON'] as const
const ofHashes = 'password hashes never pass the admin API'

export const peopleLines: readonly CommandLine[] = [
  {
    usage: 'import <file>',
    does: 'add many owners, from another server or an export',
    examples: ['latchkey owner import people.ndjson --dry-run'],
    here: ofHashes,
    json: false,
    flags: [
      ['--format <format>', 'ndjson or csv (default: csv if the file ends with .csv)'],
      ['--dry-run', 'check every line and write nothing'],
      ['--update', 'change owners that exist; their passwords stay'],
      ['--with-deleted', 'take people who were deleted here'],
      ['--rejects <file>', 'write the refused lines there'],
      ['--firebase-parameters <file>', 'the hash parameters of the Firebase project'],
      json,
    ],
    run: (flags, [path = '']) => importPeople(path, flags),
  },
  {
    usage: 'export [file]',
    does: 'write all owners as NDJSON (default: to standard output)',
    examples: ['latchkey owner export people.ndjson'],
    here: ofHashes,
    json: false,
    flags: [['--with-password-hashes', 'and the hashes of their passwords'], json],
    run: (flags, [path]) => exportPeople(path, flags),
  },
]

const ofFiles = 'languages are files of that machine'

export const languageGroup: CommandGroup = {
  name: 'language',
  does: 'the languages of the pages, and files for translators',
  examples: ['latchkey language list'],
  commands: [
    {
      usage: 'list',
      does: 'list the languages of the pages',
      examples: ['latchkey language list'],
      settings: ['languages'],
      here: ofFiles,
      run: listLanguages,
    },
    {
      usage: 'export <tag>',
      does: 'write a language file, in JSON: what is translated, and English for the rest',
      examples: ['latchkey language export fr --to languages/fr.json'],
      settings: ['languages'],
      json: false,
      here: ofFiles,
      flags: [
        ['--to <file>', 'the file, whose earlier translation is kept (default: print it)'],
        ['--missing', 'print only messages that are not translated yet'],
      ],
      async run(flags, [tag = '']) {
        if (typeof flags.to !== 'string') return exportLanguage(tag, flags)
        await saveLanguage(tag, flags.to, flags)
        return null
      },
    },
  ],
}
