/** Limits of what events tell of a change. */
export const eventLimits = {
  /**
   * Characters of one old or new value, and of one event. All redirect URIs and all of a scope that
   * came and went fit together.
   */
  valueCharacters: 1000,
  changeCharacters: 5000,
} as const
