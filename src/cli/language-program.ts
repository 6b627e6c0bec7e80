/** The flags of `latchkey language ...`. */
import type { Command } from 'commander'
import { exportLanguage, listLanguages, saveLanguage } from './languages.ts'
import type { Flags } from './store.ts'
import { type Described, describe, group, localOnly, withJson } from './tree.ts'

export const addLanguageCommands = (program: Command): void => {
  const language = group(program, 'language', {
    does: 'the languages of the pages, and files for translators',
    examples: ['latchkey language list'],
  })
  const add = (usage: string, described: Described): Command =>
    localOnly(
      describe(language, usage, described, ['languages']),
      'languages are files of that machine',
    )
  withJson(
    add('list', { does: 'list the languages of the pages', examples: ['latchkey language list'] }),
  ).action(async (flags: Flags) => {
    process.stdout.write(`${await listLanguages(flags)}\n`)
  })
  add('export <tag>', {
    does: 'write a language file, in JSON: what is translated, and English for the rest',
    examples: ['latchkey language export fr --to languages/fr.json'],
  })
    .option('--to <file>', 'the file, whose earlier translation is kept (default: print it)')
    .option('--missing', 'print only messages that are not translated yet')
    .action(async (tag: string, flags: Flags) => {
      if (typeof flags.to === 'string') await saveLanguage(tag, flags.to, flags)
      else process.stdout.write(`${await exportLanguage(tag, flags)}\n`)
    })
}
