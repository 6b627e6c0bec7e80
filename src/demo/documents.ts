/** The documents that the demo links, as they lie beside the program. */
import { readFileSync } from 'node:fs'

/** Null if there is none of that name. */
export const readDocument = (name: string): string | null => {
  if (!/^[\w-]+\.md$/.test(name)) return null
  try {
    return readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')
  } catch {
    return null
  }
}
