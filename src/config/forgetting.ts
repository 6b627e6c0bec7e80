/** How soon events lose what they tell of a person. */
export const forgettingLimits = {
  /** A failed try keeps the whole address for so long; after that only its network. */
  addressSeconds: 7 * 86_400,
  /** So many events lose their details in the step of the deletion; housekeeping goes on. */
  eventsAtOnce: 1000,
} as const
