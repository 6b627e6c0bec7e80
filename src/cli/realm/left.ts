/** The parts of a realm that do not come along: names by reason. */

export interface Left {
  /** @param name of the item; the same one is told once */
  readonly add: (reason: string, name: string) => void
  readonly list: () => readonly { readonly reason: string; readonly names: readonly string[] }[]
}

export const collectLeft = (): Left => {
  const left = new Map<string, Set<string>>()
  return {
    add(reason, name) {
      const names = left.get(reason) ?? new Set()
      left.set(reason, names.add(name))
    },
    list: () => [...left].map(([reason, names]) => ({ reason, names: [...names] })),
  }
}
