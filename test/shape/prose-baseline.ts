/** Files and type names that are not plain yet. These lists only shrink: a test says what can go. */

export const notYetPlain: readonly string[] = []

export const notYetUnique: readonly string[] = []
