/**
 * Finds an application of the operator whose name looks like another one. Two names do if they have
 * equal skeletons (Unicode Technical Standard 39 section 4), whatever their case and blanks.
 */
import { parameterLimits } from '../protocol/parameters.ts'
import type { Store } from '../store/store.ts'
import { clientLimits } from './limits.ts'

let prototypes: ReadonlyMap<string, string> | null = null

/** Read when the first client of a stranger asks: most starts of the service never need it. */
const loadPrototypes = async (): Promise<ReadonlyMap<string, string>> => {
  if (prototypes === null) {
    const { default: data } = await import('./confusables.json', { with: { type: 'json' } })
    const rows = data.lines.split('\n').map((line) => line.split('\t'))
    prototypes = new Map(
      rows.flatMap(([prototype = '', alike = '']) =>
        [...alike].map((character) => [character, prototype] as const),
      ),
    )
  }
  return prototypes
}

const deriveSkeleton = (text: string, known: ReadonlyMap<string, string>): string => {
  const seen = text.normalize('NFD').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
  return [...seen]
    .map((character) => known.get(character) ?? character)
    .join('')
    .normalize('NFD')
}

const lookOf = (name: string, known: ReadonlyMap<string, string>): string =>
  deriveSkeleton(deriveSkeleton(name, known).toLowerCase(), known).replaceAll(/\s+/gu, '')

export const findLookAlike = async (
  name: string,
  { store }: { readonly store: Pick<Store, 'listClients'> },
): Promise<string | null> => {
  const known = await loadPrototypes()
  const look = lookOf(name, known)
  let after: string | null = null
  for (
    let compared = 0;
    compared < clientLimits.namesCompared;
    compared += parameterLimits.pageRows
  ) {
    const page = await store.listClients(after, parameterLimits.pageRows, { broughtBy: 'operator' })
    const found = page.rows.find((client) => lookOf(client.name, known) === look)
    if (found !== undefined) return found.name
    after = page.next
    if (after === null) return null
  }
  return null
}
