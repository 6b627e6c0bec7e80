/** The flags of `latchkey owner import` and `latchkey owner export`. */
import type { Command } from 'commander'
import { exportPeople } from './people/export.ts'
import { importPeople } from './people/import.ts'
import type { Flags } from './store.ts'
import { describe, localOnly, withJson } from './tree.ts'

const why = 'password hashes never pass the admin API'

export const addPeopleCommands = (owner: Command): void => {
  const importing = describe(
    owner,
    'import <file>',
    {
      does: 'add many owners, from another server or an export',
      examples: ['latchkey owner import people.ndjson --dry-run'],
    },
    ['store'],
  )
    .option('--format <format>', 'ndjson or csv (default: csv if the file ends with .csv)')
    .option('--dry-run', 'check every line and write nothing')
    .option('--update', 'change owners that exist; their passwords stay')
    .option('--with-deleted', 'take people who were deleted here')
    .option('--rejects <file>', 'write the refused lines there')
    .option('--firebase-parameters <file>', 'the hash parameters of the Firebase project')
    .action(async (path: string, flags: Flags) => {
      const { said, exitCode } = await importPeople(path, flags)
      process.stdout.write(`${said}\n`)
      process.exitCode = exitCode
    })
  const exporting = describe(
    owner,
    'export [file]',
    {
      does: 'write all owners as NDJSON (default: to standard output)',
      examples: ['latchkey owner export people.ndjson'],
    },
    ['store'],
  )
    .option('--with-password-hashes', 'and the hashes of their passwords')
    .action(async (path: string | undefined, flags: Flags) => {
      const said = await exportPeople(path, flags)
      if (said !== null) process.stdout.write(`${said}\n`)
    })
  localOnly(withJson(importing), why)
  localOnly(withJson(exporting), why)
}
