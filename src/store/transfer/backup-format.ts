/**
 * A backup: JSON lines in one text file, the same for every engine. First a header. For each table
 * its name and columns, then one list per row in the order of the keys. At the end the numbers of
 * rows, and the SHA-256 of all lines before.
 */

export const backupFormat = 1

/** `plain`: the keys that seal tokens can be read in the file itself. */
export type SealingKeys = 'wrapped' | 'plain' | 'none'

export interface BackupHeader {
  /** The version of the schema. */
  readonly schema: number
  /** Unix seconds. */
  readonly takenAt: number
  readonly sealingKeys: SealingKeys
}

export type Cell = string | number | null

/** How many rows each table has. */
export type Counts = Readonly<Record<string, number>>

/** Some rows of one table, in the order of their keys; a table that has many comes several times. */
export interface Part {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}
