/** The view of a page as a service at the root of its host has it, in each language. */
import { english as englishLanguage, type Language } from '../../src/model/language.ts'
import { openLanguages } from '../../src/paper/languages/open.ts'
import type { View } from '../../src/paper/view.ts'

export const languages = openLanguages([], new Map())

/** @throws Error where the service does not ship it */
const shipped = (tag: string): Language => {
  const found = languages.find((one) => one.tag === tag)
  if (found === undefined) throw new Error(`there is no language ${tag}`)
  return found
}

export const english: View = {
  base: '',
  language: englishLanguage,
  zone: null,
  carried: '',
  at: 1_790_000_000,
  requestId: '01k3hq9v7w0000000000000000',
  brand: { name: 'Latchkey', hasLogo: false, loginText: null, links: [] },
}

export const chinese: View = { ...english, language: shipped('zh') }
