/** Limits of language files. */
export const languageLimits = {
  files: 100,
  fileBytes: 1024 * 1024,
  nameCharacters: 60,
  /** Of one message. English has none of a quarter of that. */
  messageCharacters: 2000,
  /** A start tells of so many faults at once. */
  faultsTold: 20,
} as const
