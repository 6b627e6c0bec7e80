/**
 * A language that nobody speaks: English in Arabic letters, 40 % longer and from right to left. It
 * comes through the file of an operator, as any other language would.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser'
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js'
import { loadSettings } from '../../src/config/load.ts'
import { loadEnglishMessages, loadLanguages } from '../../src/languages.ts'
import type { Language } from '../../src/model/language.ts'
import { parseMessage } from '../../src/paper/message.ts'

export const pseudoTag = 'ar-XB'

/** By how much a translation may be longer than English. */
const growth = 1.4

const letters = 'شسصضطظكمغفقخ'

/** Each word gets longer, so that a narrow column feels it too. */
const longer = (word: string): string =>
  Array.from(
    { length: Math.ceil(word.length * growth) },
    (_, at) => letters[((word.codePointAt(at % word.length) ?? 0) + at) % letters.length],
  ).join('')

const spoken = (elements: readonly MessageFormatElement[]): MessageFormatElement[] =>
  elements.map((element) => {
    if (element.type === TYPE.literal) {
      return { ...element, value: element.value.replace(/\p{Letter}+/gu, longer) }
    }
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return element
    const options = Object.entries(element.options).map(
      ([name, branch]) => [name, { ...branch, value: spoken(branch.value) }] as const,
    )
    return { ...element, options: Object.fromEntries(options) } as typeof element
  })

/** The file, as an operator would write it. */
const fileOf = async (): Promise<string> => {
  const messages = [...(await loadEnglishMessages())].map(([key, text]) => [
    key,
    printAST(spoken(parseMessage(text))),
  ])
  const head = { tag: pseudoTag, name: longer('Pseudo'), direction: 'rtl' }
  return JSON.stringify({ ...head, messages: Object.fromEntries(messages) })
}

/** The languages of a service with this one. */
export const withPseudo = async (): Promise<readonly Language[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-pseudo-'))
  try {
    writeFileSync(join(folder, 'pseudo.json'), await fileOf())
    return await loadLanguages(loadSettings({ env: {}, flags: { languages: folder }, cwd: folder }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
