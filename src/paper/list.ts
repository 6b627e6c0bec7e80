/** Lists within a sentence. */
import type { Language } from '../model/language.ts'

/** Such as `a passkey or your password`. */
export const anyOf = (items: readonly string[], { dates }: Language): string =>
  new Intl.ListFormat(dates, { type: 'disjunction' }).format(items)
