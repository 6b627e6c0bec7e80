/** Limits of the playground, for runs, for bodies that are shown, and for typed texts. */
export const playgroundLimits = { runs: 100, bodyCharacters: 4000, typedCharacters: 4096 } as const
