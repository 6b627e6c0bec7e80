/** "Did you mean": the known name that a mistyped one is nearest to. */

/** How many letters have to be added, taken away or replaced (Levenshtein's distance). */
const countEdits = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** The known name that differs least and in no more than two letters or a third of them, or null. */
export const findNearest = (unknown: string, known: readonly string[]): string | null => {
  let best: string | null = null
  let least = Number.POSITIVE_INFINITY
  for (const name of known) {
    const letters = countEdits(unknown.toLowerCase(), name.toLowerCase())
    if (letters < least && letters <= Math.max(2, Math.floor(name.length / 3))) {
      best = name
      least = letters
    }
  }
  return best
}

/** The end of a message about a name that is not known. */
export const tellNearest = (unknown: string, known: readonly string[]): string => {
  const meant = findNearest(unknown, known)
  return meant === null ? '' : `; did you mean ${meant}?`
}
