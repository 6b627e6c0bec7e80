/** Limits of the playground: runs held in memory, what is shown of a body, and what may be typed. */
export const playgroundLimits = { runs: 100, bodyCharacters: 4000, typedCharacters: 4096 } as const
