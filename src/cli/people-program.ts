/** The flags of `latchkey owner import` and `latchkey owner export`. */
import type { Command } from 'commander'
import { exportPeople } from './people/export.ts'
import { importPeople } from './people/import.ts'
import type { DescribeCommand } from './resource-program.ts'
import type { Flags } from './store.ts'

export const addPeopleCommands = (owner: Command, describe: DescribeCommand): void => {
  describe(owner, 'import <file>', 'add many owners, from another server or an export')
    .option('--format <format>', 'ndjson or csv (default: csv if the file ends with .csv)')
    .option('--dry-run', 'check every line and write nothing')
    .option('--update', 'change owners that exist; their passwords stay')
    .option('--rejects <file>', 'write the refused lines there')
    .option('--firebase-parameters <file>', 'the hash parameters of the Firebase project')
    .option('--json', 'answer in JSON')
    .action(async (path: string, flags: Flags) => {
      const { said, isWhole } = await importPeople(path, flags)
      process.stdout.write(`${said}\n`)
      if (!isWhole) process.exitCode = 1
    })
  describe(owner, 'export [file]', 'write all owners as NDJSON (default: to standard output)')
    .option('--with-password-hashes', 'and the hashes of their passwords')
    .option('--json', 'answer in JSON')
    .action(async (path: string | undefined, flags: Flags) => {
      const said = await exportPeople(path, flags)
      if (said !== null) process.stdout.write(`${said}\n`)
    })
}
