/** The command `latchkey import realm`. */
import { useStore } from '../on-store.ts'
import { useApi } from '../open-api.ts'
import type { CommandGroup } from '../tree.ts'
import { importRealm } from './import.ts'
import { readRealm } from './read.ts'

export const importGroup: CommandGroup = {
  name: 'import',
  does: 'bring clients, groups and people from another server',
  examples: ['latchkey import realm realm.json --dry-run'],
  commands: [
    {
      usage: 'realm <file>',
      does: 'bring clients, groups and people of a realm export of Keycloak. Nothing of the service changes. A list names the parts without a place here. Exit code 1 if anything was refused',
      examples: ['latchkey import realm realm.json --dry-run'],
      here: 'password hashes and secrets of one-time codes never pass the admin API',
      flags: [
        ['--dry-run', 'say what would come, and write nothing'],
        ['--groups', 'people come into their groups: clients of today may let these in'],
      ],
      async run(flags, [path = ''], command) {
        const realm = await readRealm(path)
        const how = { dryRun: flags.dryRun === true, withGroups: flags.groups === true }
        return importRealm(realm, how, {
          useApi: (work) => useApi(flags, { command, first: flags.dryRun !== true }, work),
          useStore: (work) => useStore('owner import', flags, work),
        })
      },
    },
  ],
}
