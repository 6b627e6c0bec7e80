/** Accounts of owners: the setting for their deletion, and the limits. */
import type { SettingRows } from './setting.ts'
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
  /** Events on the page of security. */
  recentEvents: 5,
  /** An application that was not used for so long is marked, so that its owner looks at it. */
  unusedSeconds: 30 * 86_400,
  /** An access that ends within so long is marked. */
  endingSeconds: 7 * 86_400,
  /** Applications on a page of the list, and the latest uses on the page of one. */
  applicationRows: 50,
  latestUses: 6,
  /** Accesses that are read at once for the list. */
  accessesAtOnce: 1000,
  searchCharacters: 100,
  /** So many rows of each kind are read at once for a download. */
  downloadRows: 200,
  /** The same of items, which may be long. */
  downloadItems: 20,
  /** Downloads of one owner within an hour. */
  downloads: { freeTries: 9, longestWaitSeconds: 3600, forgetSeconds: 3600 },
} as const

export const deletionSettings: SettingRows<{ deletionDays: number }> = {
  deletionDays: {
    environment: 'LATCHKEY_DELETION_DAYS',
    flag: '--deletion-days <number>',
    parse: wholeNumber(0, 365),
    fallback: 14,
    fallbackText: '14',
    meaning:
      'The days between the deletion of an account by its owner and the end of its data. Until then the owner can undo it.',
    when: 'A rule names another time, or people should have longer to change their minds.',
    secret: false,
  },
}
