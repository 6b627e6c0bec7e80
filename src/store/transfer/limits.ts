/** Backups, and migrations to another engine: rows and bytes taken at once, and the longest line. */
export const copyLimits = {
  rows: 500,
  chunkBytes: 256 * 1024,
  lineCharacters: 16 * 1024 * 1024,
} as const
