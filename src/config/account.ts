/** Accounts of owners: the setting for their deletion, and the limits. */
import type { SettingsTable } from './settings.ts'
import { wholeNumber } from './values.ts'

export const accountLimits = {
  /** The latest request of a session is written at most so often. */
  seenSeconds: 3600,
  /** The search for accounts to delete begins so often, and deletes so many in a turn. */
  deletionSeconds: 60,
  deletionsInTurn: 20,
  /** A browser keeps the language that its owner chose. */
  languageSeconds: 365 * 86_400,
  /** Formats of so many time zones stay in memory. */
  zonesKept: 60,
  /** So many rows of each kind are read at once for a download. */
  downloadRows: 200,
} as const

export const deletionSettings: Pick<SettingsTable, 'deletionDays'> = {
  deletionDays: {
    environment: 'LATCHKEY_DELETION_DAYS',
    flag: '--deletion-days <number>',
    parse: wholeNumber(0, 365),
    fallback: 14,
    fallbackText: '14',
    meaning:
      'The days between the deletion of an account by its owner and the end of its data. Until then the owner can undo it.',
    secret: false,
  },
}
